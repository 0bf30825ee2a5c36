//! The shelves of a supermarket: kind × variant × maker × size.

use crate::drawing::{Plan, Plans};
use crate::model::{Category, Menu, Product, Text};
use crate::seed::data::{BrandRow, Department, GroceryFile, Kind, Land};
use crate::seed::measure;
use crate::seed::menus::{menu_id, product_id};
use crate::seed::places::WHOLESALE_TIER;

/// One good before it gets its number.
struct Good<'a> {
    kind: &'a Kind,
    name: Text,
    amount: Text,
    price: f64,
}

/// The supermarket's menu in a tier.
pub(super) fn menu(
    land: Land,
    brand: &BrandRow,
    file: &GroceryFile,
    tier: i64,
    plans: &mut Plans,
) -> Menu {
    let mut menu = Menu {
        id: menu_id(brand.id, tier),
        categories: Vec::new(),
    };
    let mut number = 0;
    for department in &file.departments {
        let palette = brand.id + menu.categories.len() as i64;
        let mut products: Vec<Product> = goods(land, file, department)
            .into_iter()
            .map(|good| {
                number += 1;
                let template = brand.id * 1000 + number;
                plans.insert(
                    format!("dishes/{template}.webp"),
                    Plan::dish(&good.kind.e, palette, number),
                );
                product(land, &good, template, tier, department.companion)
            })
            .collect();
        if tier == WHOLESALE_TIER {
            let packs = products
                .iter()
                .flat_map(|one| PACKS.map(|size| pack(land, one, size)));
            let packs: Vec<Product> = packs.collect();
            products.extend(packs);
        }
        menu.categories.push(Category {
            id: menu.id * 100 + menu.categories.len() as i64 + 1,
            name: land.text(&department.name),
            hidden: false,
            without_photos: !department.photo,
            products,
        });
    }
    menu
}

/// How many of a good are in its packs, with what they cost less, in percent.
const PACKS: [(i64, i64); 4] = [(2, 3), (3, 5), (4, 7), (6, 10)];
/// Between the numbers of the packs of one good; its last five digits lead to the picture.
const BETWEEN: i64 = 1_000_000;

/// Several of a good together, under a number of its own.
fn pack(land: Land, one: &Product, (count, off): (i64, i64)) -> Product {
    let id = one.id + count * BETWEEN;
    let several = |text: &Text| Text {
        kk: text.kk.as_ref().map(|text| format!("{text} × {count}")),
        ru: text.ru.as_ref().map(|text| format!("{text} × {count}")),
        en: text.en.as_ref().map(|text| format!("{text} × {count}")),
        ka: text.ka.as_ref().map(|text| format!("{text} × {count}")),
    };
    Product {
        id,
        name: several(&one.name),
        weight: several(&one.weight),
        // Whole tens of tenge.
        price: one.price * count * (100 - off) / 100 / 1000 * 1000,
        old_price: None,
        reward_id: None,
        promo_limit: None,
        is_unavailable: one.is_unavailable && count % 2 == 0,
        barcode: Some(measure::barcode(land, id)),
        popular: false,
        ..one.clone()
    }
}

fn goods<'a>(land: Land, file: &GroceryFile, department: &'a Department) -> Vec<Good<'a>> {
    let plain = [(String::new(), String::new(), String::new(), 1.0)];
    let mut goods = Vec::new();
    for kind in &department.kinds {
        let variants = if kind.v.is_empty() {
            &plain[..]
        } else {
            &kind.v[..]
        };
        for variant in variants {
            for maker in kind.m.iter().filter_map(|key| file.makers.get(key)) {
                for size in &kind.s {
                    let amount = measure::amount(land, size);
                    let words: Vec<&str> = land
                        .languages()
                        .iter()
                        .filter_map(|lang| amount.exact(*lang))
                        .collect();
                    let [own, ru, en] = words[..] else { continue };
                    let (open, close) = if land == Land::Georgia {
                        ('„', '“')
                    } else {
                        ('«', '»')
                    };
                    goods.push(Good {
                        kind,
                        name: land.words([
                            &format!(
                                "{} {open}{}{close}, {own}",
                                titled(&kind.n[0], &variant.0),
                                maker.0
                            ),
                            &format!("{} «{}», {ru}", titled(&kind.n[1], &variant.1), maker.1),
                            &format!("{}, {}, {en}", titled(&kind.n[2], &variant.2), maker.2),
                        ]),
                        amount,
                        price: kind.p * variant.3 * maker.3 * bulk(kind, size),
                    });
                }
            }
        }
    }
    goods
}

fn titled(kind: &str, variant: &str) -> String {
    if variant.is_empty() {
        kind.to_owned()
    } else {
        format!("{kind} {variant}")
    }
}

/// How much dearer a size is than the first one: bigger packs cost less per gram.
fn bulk(kind: &Kind, size: &str) -> f64 {
    let number = |text: &str| {
        text.split(' ')
            .next()
            .and_then(|number| number.parse::<f64>().ok())
    };
    match (number(size), kind.s.first().and_then(|first| number(first))) {
        (Some(this), Some(first)) if first > 0.0 => (this / first).powf(0.9),
        _ => 1.0,
    }
}

fn product(land: Land, good: &Good<'_>, template: i64, tier: i64, companion: bool) -> Product {
    let price = measure::price(land, good.price, tier);
    let promo = template % 9 == 0;
    Product {
        id: product_id(template, tier),
        name: good.name.clone(),
        description: land.text(&good.kind.d),
        price,
        old_price: promo.then(|| measure::price(land, good.price * 1.25, tier)),
        reward_id: (promo && template % 2 == 0).then_some(7000 + template),
        promo_limit: (promo && template % 2 == 0).then_some(5),
        image: Some(format!("dishes/{template}.webp")),
        is_unavailable: template % 23 == 0,
        weight: good.amount.clone(),
        min_age: good.kind.age,
        barcode: Some(measure::barcode(land, template)),
        popular: template % 17 == 0,
        companion,
        ..Product::default()
    }
}
