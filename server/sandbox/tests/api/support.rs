//! A sandbox of a test: its own folder, its own small catalogue, its own port.

use std::path::PathBuf;

use sandbox::model::{
    Additive, AdditiveGroup, Brand, Category, Country, Interval, Lang, Menu, Meta, Money, Product,
    Seed, Size, Table, Text, Town, Venue,
};
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Reply, send};

pub const EXPRESS: i64 = 1013;
pub const TAKEAWAY: i64 = 1011;
pub const DELIVERY: i64 = 1014;

/// A running sandbox with its folder.
pub struct World {
    pub sandbox: Sandbox,
    folder: TempDir,
}

impl World {
    pub async fn start() -> World {
        World::start_in(tempfile::tempdir().unwrap(), Some(seed())).await
    }

    /// With the catalogue that guests of the demo see.
    pub async fn built_in() -> World {
        World::start_in(tempfile::tempdir().unwrap(), None).await
    }

    pub async fn start_at(now: &str) -> World {
        let world = World::start().await;
        world.control("clock", json!({"now": now})).await;
        world
    }

    async fn start_in(folder: TempDir, seed: Option<Seed>) -> World {
        let options = Options {
            listen: ([127, 0, 0, 1], 0).into(),
            state_dir: PathBuf::from(folder.path()),
            seed,
            ..Options::default()
        };
        World {
            sandbox: sandbox::start(options).await.unwrap(),
            folder,
        }
    }

    /// Stops it and starts it again over the same folder.
    pub async fn restart(self) -> World {
        self.sandbox.stop().await;
        World::start_in(self.folder, Some(seed())).await
    }

    pub async fn get(&self, target: &str) -> Reply {
        self.get_with(target, &[]).await
    }

    pub async fn get_with(&self, target: &str, headers: &[(&str, &str)]) -> Reply {
        send(self.sandbox.addr, "GET", target, headers, Vec::new())
            .await
            .unwrap()
    }

    pub async fn post(&self, target: &str, body: &Value) -> Reply {
        self.post_with(target, body, &[]).await
    }

    pub async fn post_with(&self, target: &str, body: &Value, headers: &[(&str, &str)]) -> Reply {
        self.try_post(target, body, headers).await.unwrap()
    }

    pub async fn try_post(
        &self,
        target: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> Result<Reply, String> {
        let mut all = vec![("content-type", "application/json")];
        all.extend_from_slice(headers);
        send(
            self.sandbox.addr,
            "POST",
            target,
            &all,
            body.to_string().into_bytes(),
        )
        .await
    }

    pub async fn control(&self, name: &str, body: Value) {
        let reply = self.post(&format!("/_sandbox/api/{name}"), &body).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
    }

    /// Any call of a signed-in person.
    pub async fn as_user(&self, token: &str, method: &str, target: &str, body: &Value) -> Reply {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("authorization", bearer.as_str()),
            ("x-language", "ru"),
            ("x-fingerprint", "phone-9"),
        ];
        let body = if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        send(self.sandbox.addr, method, target, &headers, body)
            .await
            .unwrap()
    }

    /// A token for this phone, by a track.
    pub async fn sign_in(&self, phone: &str) -> String {
        let track = self
            .post(
                "/api/v1/oauth2/tracks",
                &json!({"phone": phone, "code": "1234"}),
            )
            .await
            .json();
        let body = json!({"client_id": "web", "grant_type": "authorization_track_id", "track_id": track["data"]["id"]});
        let token = self.post("/api/v2/oauth2/tokens", &body).await;
        assert_eq!(token.status, 200, "{}", token.text());
        token.json()["access_token"].as_str().unwrap().to_owned()
    }

    pub async fn order(&self, body: &Value, key: &str) -> Reply {
        self.post_with(
            "/takeaway/v1/express/order",
            body,
            &[
                ("x-idempotency-key", key),
                ("x-fingerprint", "phone-1"),
                ("x-language", "ru"),
            ],
        )
        .await
    }

    /// Any order of a signed-in person.
    pub async fn buy(&self, token: &str, kind: &str, body: &Value, key: &str) -> Reply {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("authorization", bearer.as_str()),
            ("x-idempotency-key", key),
            ("x-fingerprint", "phone-9"),
        ];
        self.post_with(&format!("/takeaway/v1/{kind}/order"), body, &headers)
            .await
    }

    pub async fn read_order(&self, id: &str, fingerprint: &str) -> Value {
        let reply = self
            .get_with(
                &format!("/takeaway/v2/user/order?order_id={id}"),
                &[("x-fingerprint", fingerprint), ("x-language", "ru")],
            )
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        reply.json()["data"].clone()
    }

    pub async fn orders(&self) -> Vec<Value> {
        self.get("/_sandbox/api/orders")
            .await
            .json()
            .as_array()
            .unwrap()
            .clone()
    }
}

/// Two lagmans with the required additive at table 7: 2 × 1,900 + 10 %.
pub fn dinner() -> Value {
    json!({
        "filial_id": EXPRESS, "main_terminal_id": 1010, "table_id": "t7", "source": "QR",
        "payment_type": "cash", "name": "Айгүл", "comment": "",
        "items": [{"product_id": 551, "size_id": null, "count": 2, "price": 1900, "additives": [{"id": 11, "count": 1}], "comment": ""}],
        "expected_sum": 4180,
    })
}

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
    vec![cola, tea, gone]
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
            },
            Brand {
                id: 6,
                name: Text::same("Нан"),
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
