//! Where the map of an address begins (RT-14, DG-14).

use crate::support::Product;

const MAP: &str = "/address-map?back=%2Fcart";

#[tokio::test]
async fn a_map_without_a_known_place_leads_home() {
    let upstream = Product::start().await;
    upstream.fail("/locations/", 503).await;
    // It has never heard of a town.
    let product = Product::in_front_of(&upstream).await;
    // Neither guest nor town says where: the same for who has refused to tell and for who was not asked.
    let guest = product.guest();
    let answer = guest.get(MAP).await;
    assert_eq!((answer.status, answer.location()), (303, "/".to_owned()));
    assert_eq!(guest.data(MAP).await["redirect"], "/");
    // The guest does.
    let here = [("x-near", "43.25,76.95")];
    assert_eq!(guest.get_with(MAP, &here).await.status, 200);
    // The town does, without a word of the guest.
    upstream.no_faults().await;
    let page = upstream.guest().get(MAP).await;
    assert_eq!(page.status, 200);
    let data = page.data()["page"]["data"].clone();
    assert_eq!(
        (&data["chosen"], data["at"]["lat"].is_number()),
        (&false.into(), true)
    );
}
