//! The small catalogue of the tests.

use sandbox::model::{
    Additive, AdditiveGroup, Brand, Category, Country, Interval, Lang, Menu, Meta, Money, Product,
    Review, Seed, Size, Table, Text, Town, Venue,
};

use crate::support::DELIVERY;

fn country(id: i64, code: &str, languages: &[Lang], fallback: Lang, digits: u8) -> Country {
    let money = Money {
        currency: if id == 1 { "KZT" } else { "GEL" }.into(),
        symbol: if id == 1 { "₸" } else { "₾" }.into(),
        symbol_position: "after".into(),
        thousands_separator: " ".into(),
        decimal_separator: ",".into(),
        format: "%v %s".into(),
        fraction_digits: digits,
        rounding_mode: "floor".into(),
        rounding_precision: i32::from(digits),
    };
    Country {
        id,
        code: code.into(),
        name_key: format!("country.{code}"),
        name: Text {
            kk: Some("Қазақстан".into()),
            ru: Some("Казахстан".into()),
            en: Some("Kazakhstan".into()),
            ka: None,
        },
        currency: "gel".into(),
        languages: languages.to_vec(),
        default: languages[0],
        fallback,
        meta: Meta {
            timezone: if id == 1 {
                "Asia/Almaty"
            } else {
                "Asia/Tbilisi"
            }
            .into(),
            utc_offset: if id == 1 { "+05:00" } else { "+04:00" }.into(),
            phone_code: "+7".into(),
            country_code: code.into(),
            country_name: "Kazakhstan".into(),
            money,
        },
    }
}

fn town(id: i64, country_id: i64, name: Text, latitude: f64, longitude: f64) -> Town {
    Town {
        id,
        country_id,
        name,
        latitude,
        longitude,
        translit_name: "town.x".into(),
        parstore_id: id + 10,
        code: "ALA".into(),
    }
}

fn lagman() -> Product {
    Product {
        id: 551,
        name: Text::kz("Лағман", "Лагман", "Lagman"),
        description: Text::kz("Қолдан", "Домашний", "Handmade"),
        price: 185_000,
        image: Some("dishes/551.webp".into()),
        cooking_time: 15,
        weight: Text::same("350 г"),
        popular: true,
        additive_groups: vec![
            AdditiveGroup {
                id: 1,
                name: Text::kz("Ащылық", "Острота", "Heat"),
                min: Some(1),
                max: Some(1),
                additives: vec![
                    Additive {
                        id: 11,
                        name: Text::same("Орташа"),
                        price: 5000,
                        max_count: 1,
                        preselected: true,
                        ..Additive::default()
                    },
                    Additive {
                        id: 12,
                        name: Text::same("Hot"),
                        max_count: 1,
                        ..Additive::default()
                    },
                    Additive {
                        id: 13,
                        name: Text::same("Gone"),
                        max_count: 1,
                        is_unavailable: true,
                        ..Additive::default()
                    },
                ],
            },
            AdditiveGroup {
                id: 2,
                name: Text::same("Extra"),
                min: None,
                max: None,
                additives: vec![Additive {
                    id: 21,
                    name: Text::same("Egg"),
                    price: 20_000,
                    max_count: 3,
                    ..Additive::default()
                }],
            },
        ],
        ..Product::default()
    }
}

fn drinks() -> Vec<Product> {
    let cola = Product {
        id: 552,
        name: Text::same("Кола"),
        barcode: Some("4870000000017".into()),
        price: 90_000,
        cooking_time: 1,
        companion: true,
        popular: true,
        sizes: vec![
            Size {
                id: 1,
                name: Text::same("0,5 л"),
                price: 90_000,
                ..Size::default()
            },
            Size {
                id: 2,
                name: Text::same("1 л"),
                price: 140_000,
                old_price: Some(160_000),
                ..Size::default()
            },
        ],
        ..Product::default()
    };
    let tea = Product {
        id: 553,
        name: Text::kz("Шәй", "Чай", "Tea"),
        price: 40_050,
        old_price: Some(50_000),
        reward_id: Some(9),
        companion: true,
        ..Product::default()
    };
    let gone = Product {
        id: 554,
        name: Text::same("Қазы"),
        price: 300_000,
        is_unavailable: true,
        ..Product::default()
    };
    let cheese = Product {
        id: 555,
        name: Text::same("Құрт"),
        price: 60_000,
        old_price: Some(80_000),
        reward_id: Some(10),
        promo_limit: Some(2),
        promo_day_limit: Some(3),
        ..Product::default()
    };
    vec![cola, tea, gone, cheese]
}

fn venue(id: i64, town_id: i64, brand_id: i64, name: Text, latitude: f64, longitude: f64) -> Venue {
    let base = id * 10;
    Venue {
        id,
        brand_id,
        town_id,
        menu_id: 1,
        name,
        prefix_en: "Samal".into(),
        address: Text::same("Дәстүр 5"),
        latitude,
        longitude,
        rating: 4.0 + (id % 10) as f64 / 10.0,
        reviews_count: 12,
        image: format!("venues/{brand_id}.webp"),
        average_minutes: 20,
        takeaway: Some(base + 1),
        express: Some(base + 3),
        main_terminal_id: base,
        hours: (1..=7)
            .map(|day| Interval {
                day,
                from: 0,
                to: 0,
            })
            .collect(),
        close_in_advance_minutes: 15,
        service_percentage: 10,
        cash: true,
        online: true,
        tables: vec![
            Table {
                id: "t7".into(),
                number: "7".into(),
            },
            Table {
                id: "t8".into(),
                number: "8".into(),
            },
        ],
        schedule: Text::same("24/7"),
        phone: "+77010000000".into(),
        ..Venue::default()
    }
}

/// Two of the first venue, none of the others.
fn reviews() -> Vec<Review> {
    let review = |id, author: &str, language, rating, text: &str, created_at| Review {
        id,
        venue_id: 101,
        author: author.into(),
        language,
        rating,
        text: text.into(),
        created_at,
    };
    vec![
        review(
            1,
            "Ольга",
            Lang::Ru,
            4,
            "Вкусно, но шумно",
            1_700_000_000_000,
        ),
        review(2, "Нұрлан", Lang::Kk, 5, "Тамаша!", 1_710_000_000_000),
    ]
}

/// Two countries, three towns, two brands, four venues, one menu.
pub fn seed() -> Seed {
    let mut first = venue(
        101,
        1,
        5,
        Text::kz("Лағман үйі Самал", "Лагман Самал", "Lagman Samal"),
        43.23,
        76.95,
    );
    first.private_reward = true;
    first.delivery = Some(DELIVERY);
    first.vendor_delivery = true;
    first.vendor_delivery_cost = 70_000;
    first.vendor_min_sum = 100_000;
    let mut bakery = venue(
        102,
        1,
        6,
        Text::kz("Наубайхана", "Пекарня", "Bakery"),
        43.24,
        76.95,
    );
    bakery.categories = vec!["bakery".into()];
    bakery.cash = false;
    bakery.tables.clear();
    let mut late = venue(
        103,
        2,
        5,
        Text::kz("Лағман үйі Есіл", "Лагман Есиль", "Lagman Esil"),
        51.13,
        71.43,
    );
    late.hours = (1..=7)
        .map(|day| Interval {
            day,
            from: 1080,
            to: 120,
        })
        .collect();
    let mut georgian = venue(201, 20, 6, Text::ge("სახლი", "Дом", "Home"), 41.7, 44.8);
    georgian.menu_id = 2;
    Seed {
        reviews: reviews(),
        countries: vec![
            country(1, "kz", &[Lang::Kk, Lang::Ru, Lang::En], Lang::Ru, 0),
            country(2, "ge", &[Lang::Ka, Lang::Ru, Lang::En], Lang::En, 2),
        ],
        towns: vec![
            town(1, 1, Text::kz("Алматы", "Алматы", "Almaty"), 43.238, 76.945),
            town(2, 1, Text::kz("Астана", "Астана", "Astana"), 51.128, 71.43),
            town(
                20,
                2,
                Text::ge("თბილისი", "Тбилиси", "Tbilisi"),
                41.69,
                44.8,
            ),
        ],
        brands: vec![
            Brand {
                id: 5,
                name: Text::kz("Лағман үйі", "Дом лагмана", "Lagman House"),
                kitchens: Vec::new(),
                halal: false,
            },
            Brand {
                id: 6,
                name: Text::same("Нан"),
                kitchens: Vec::new(),
                halal: false,
            },
        ],
        menus: vec![
            Menu {
                id: 1,
                categories: vec![
                    Category {
                        id: 12,
                        name: Text::kz("Ыстық", "Горячее", "Hot"),
                        products: vec![lagman()],
                        ..Category::default()
                    },
                    Category {
                        id: 13,
                        name: Text::kz("Сусын", "Напитки", "Drinks"),
                        without_photos: true,
                        products: drinks(),
                        ..Category::default()
                    },
                    Category {
                        id: 14,
                        name: Text::same("Hidden"),
                        hidden: true,
                        products: vec![Product {
                            id: 560,
                            name: Text::same("Secret"),
                            price: 100,
                            ..Product::default()
                        }],
                        ..Category::default()
                    },
                ],
            },
            Menu {
                id: 2,
                categories: vec![Category {
                    id: 22,
                    name: Text::ge("ცხელი", "Горячее", "Hot"),
                    products: vec![Product {
                        id: 701,
                        name: Text::ge("ხინკალი", "Хинкали", "Khinkali"),
                        price: 1255,
                        ..Product::default()
                    }],
                    ..Category::default()
                }],
            },
        ],
        venues: vec![first, bakery, late, georgian],
    }
}
