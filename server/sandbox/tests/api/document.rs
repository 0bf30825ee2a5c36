//! The OpenAPI document against the router: every operation is called, and its
//! answer must have the shape that the document promises.

use crate::shape::check;
use crate::support::{World, dinner};
use crate::walk::Walk;

#[tokio::test]
async fn every_operation_answers_in_its_shape() {
    let world = World::start().await;
    let order = world.order(&dinner(), "walk").await.json()["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let walk = Walk::prepare(&world, order).await;
    let document = world.get("/_sandbox/openapi.json").await.json();
    assert_eq!(document["openapi"], "3.1.0");
    let mut walked = 0;
    let mut ids = Vec::new();
    let paths = document["paths"].as_object().unwrap();
    // The one that forgets everything comes last.
    let (last, first): (Vec<_>, Vec<_>) =
        paths.iter().partition(|(path, _)| path.ends_with("/reset"));
    for (path, item) in first.into_iter().chain(last) {
        for (method, operation) in item.as_object().unwrap() {
            let reply = walk.call(&world, path, method, operation, &document).await;
            let schema = &operation["responses"][reply.status.to_string()];
            assert!(
                schema.is_object(),
                "{method} {path} answered {}: {}",
                reply.status,
                reply.text()
            );
            let refused = reply.status >= 400;
            assert!(
                !refused
                    || ["/files", "/avatars", "/telegram", "/pay/receipt"]
                        .iter()
                        .any(|start| path.starts_with(start))
                    || path.starts_with("/avatars")
                    || path.ends_with("/chat")
                    // The walk has shut the fridge by then.
                    || path.ends_with("/door"),
                "{method} {path}: {}",
                reply.text()
            );
            if reply.content_type.starts_with("application/json") {
                let schema = &schema["content"]["application/json"]["schema"];
                check(
                    &reply.json(),
                    schema,
                    &document,
                    &format!("{method} {path}"),
                );
            }
            ids.push(operation["operationId"].as_str().unwrap().to_owned());
            walked += 1;
        }
    }
    assert!(walked >= 90, "only {walked} operations");
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "operation ids must be unique");
}

/// Section 7 of the specification, letter for letter.
#[tokio::test]
async fn the_paths_of_the_specification_are_all_there() {
    let world = World::start().await;
    let document = world.get("/_sandbox/openapi.json").await.json();
    for (method, path) in SPECIFIED {
        assert!(
            document["paths"][*path][*method].is_object(),
            "{method} {path} is missing"
        );
    }
}

const SPECIFIED: &[(&str, &str)] = &[
    ("get", "/locations/v1/countries/{id}"),
    ("get", "/locations/v2/towns"),
    ("get", "/takeaway/v2/locations"),
    ("get", "/takeaway/v2/locations/{category}"),
    ("get", "/brandy/api/v1/locations/near"),
    ("get", "/takeaway/locations/card/terminal/{id}"),
    ("get", "/locations/v2/locations/card/terminal/{id}"),
    ("get", "/terminals/terminals/{id}"),
    ("get", "/locations/v1/branches/{id}"),
    ("get", "/menu/v2/category/products"),
    ("get", "/menu/v3/popular/products"),
    ("get", "/menu/v3/favourite/products"),
    ("get", "/menu/v3/cross-sell/products"),
    ("get", "/menu/v2/product/additives"),
    ("get", "/menu/v2/favourite-product/additives"),
    ("get", "/menu/v2/products/with/additives/"),
    ("post", "/menu/v2/stop_list/order_items/check"),
    ("post", "/takeaway/order/cooking_time"),
    ("get", "/takeaway/v2/filial/settings/banner/info/{id}"),
    ("post", "/takeaway/v1/express/order"),
    ("get", "/takeaway/v2/user/order"),
    ("post", "/api/v2/oauth2/tokens"),
    ("post", "/api/v1/oauth2/tracks"),
    ("get", "/api/v3/user"),
    ("put", "/api/v3/user"),
    ("post", "/api/v3/user/avatar"),
    ("delete", "/api/v3/user/avatar"),
    ("get", "/profile/api/v1/profile"),
    ("post", "/profile/api/v1/profile/language"),
    ("get", "/profile/api/v1/address"),
    ("post", "/profile/api/v1/address"),
    ("get", "/profile/api/v1/address/{id}"),
    ("put", "/profile/api/v1/address/{id}"),
    ("delete", "/profile/api/v1/address/{id}"),
    ("get", "/ladder-go/api/v1/balance/calculate-info"),
    ("get", "/balance/user"),
    ("post", "/takeaway/v1/delivery/order"),
    ("post", "/takeaway/v1/micromarket/order"),
    ("post", "/takeaway/v1/takeaway/order"),
    ("post", "/takeaway/v1/vendor-delivery/order"),
    ("get", "/takeaway/v2/user/orders"),
    ("get", "/telegram-user-notifications/v1/chat"),
    ("post", "/dr-delivery/api/v1/tariffs"),
    ("get", "/dr-delivery/api/v1/courier"),
    ("get", "/brandy/api/v1/locations/brand/{id}"),
    ("get", "/menu/v3/product-by-barcode"),
    ("get", "/takeaway/v1/filial/{id}/products/frequent/"),
    ("get", "/menu-promos/api/v2/promos"),
    ("get", "/menu-promos/v1/promos/subsidies"),
    ("post", "/smart-lock/v1/open-lock"),
    ("get", "/geo-service/suggestions/"),
    ("get", "/geo-service/reverse-geocode/"),
    ("post", "/api/v2/push-gateway/token"),
    ("post", "/api/v2/push-gateway/token/un-assign"),
    ("post", "/push-gateway/v1/notifications/{notification}/open"),
    ("get", "/brandy/api/v1/brands/{id}/delivery-zones/check"),
    ("get", "/brandy/api/v1/locations/{id}/delivery-zones/check"),
];
