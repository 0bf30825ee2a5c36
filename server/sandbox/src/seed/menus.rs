//! Menus from the hand-written tables: a brand's menu in one price tier.

use std::collections::BTreeMap;

use crate::drawing::{Plan, Plans};
use crate::model::{Additive, AdditiveGroup, Category, Menu, Product, Size};
use crate::seed::data::{BrandRow, CategoryRow, Dish, Land, MenuFile, OptionRow, SizePart, Triple};
use crate::seed::measure;

/// Numbers of a brand's own dishes stay below this; the shared drinks come after.
const DRINKS: i64 = 900;

/// The tables of one country that its menus are made of.
pub(super) struct Tables {
    pub(super) land: Land,
    pub(super) options: BTreeMap<String, OptionRow>,
    pub(super) sizes: BTreeMap<String, Vec<Triple>>,
    pub(super) drinks: MenuFile,
}

/// The number of a menu: a brand has one for each of its price tiers.
pub(super) fn menu_id(brand: i64, tier: i64) -> i64 {
    tier * 100 + brand
}

/// The number of a product: the dish of the brand in its price tier.
pub(super) fn product_id(template: i64, tier: i64) -> i64 {
    tier * 100_000 + template
}

impl Tables {
    /// A brand's menu in a tier; the pictures that it needs are added to the plans.
    pub(super) fn menu(
        &self,
        brand: &BrandRow,
        file: &MenuFile,
        tier: i64,
        plans: &mut Plans,
    ) -> Menu {
        let mut menu = Menu {
            id: menu_id(brand.id, tier),
            categories: Vec::new(),
        };
        let mut number = 0;
        for row in &file.categories {
            let palette = brand.id * 3 + menu.categories.len() as i64;
            let category = self.category(
                &menu,
                row,
                |dish| {
                    number += 1;
                    let template = brand.id * 1000 + number;
                    plans.insert(
                        format!("dishes/{template}.webp"),
                        Plan::dish(&dish.e, palette, number),
                    );
                    (template, template, palette)
                },
                tier,
            );
            menu.categories.push(category);
        }
        if !brand.bare {
            let mut number = 0;
            for row in &self.drinks.categories {
                let palette = 2 + menu.categories.len() as i64;
                let category = self.category(
                    &menu,
                    row,
                    |dish| {
                        number += 1;
                        // All brands of a country pour the same drinks: one picture for all of them.
                        let shared = 90_000 + self.land.id() * 100 + number;
                        let template = brand.id * 1000 + DRINKS + number;
                        let plan = Plan::dish(&dish.e, self.land.id() + number % 3, number);
                        plans.insert(format!("dishes/{template}.webp"), plan.clone());
                        plans.insert(format!("dishes/{shared}.webp"), plan);
                        (template, shared, palette)
                    },
                    tier,
                );
                menu.categories.push(category);
            }
        }
        menu
    }

    fn category(
        &self,
        menu: &Menu,
        row: &CategoryRow,
        mut numbered: impl FnMut(&Dish) -> (i64, i64, i64),
        tier: i64,
    ) -> Category {
        let products = row
            .dishes
            .iter()
            .map(|dish| {
                let (template, picture, _) = numbered(dish);
                let mut product = self.product(dish, template, tier);
                product.image = Some(format!("dishes/{picture}.webp"));
                product.cooking_time = dish.t.unwrap_or(row.t);
                product.companion = row.companion || !row.photo && dish.p < 1000.0;
                product
            })
            .collect();
        Category {
            id: menu.id * 100 + menu.categories.len() as i64 + 1,
            name: self.land.text(&row.name),
            hidden: row.hidden,
            without_photos: !row.photo,
            products,
        }
    }

    fn product(&self, dish: &Dish, template: i64, tier: i64) -> Product {
        let price = measure::price(self.land, dish.p, tier);
        // Zero, equal and lower old prices are kept: upstreams send such things.
        let old_price = dish.o.map(|old| measure::price(self.land, old, tier));
        let rewarded = old_price.is_some_and(|old| old > price);
        Product {
            id: product_id(template, tier),
            name: self.land.text(&dish.n),
            description: self.land.text(&dish.d),
            price,
            old_price,
            reward_id: (rewarded && template % 2 == 0).then_some(7000 + template),
            promo_limit: (rewarded && template % 4 == 0).then_some(3),
            promo_day_limit: (rewarded && template % 4 == 0).then_some(10),
            sizes: self.sizes(dish, price, old_price, tier),
            image: None,
            additive_groups: self.groups(dish),
            cooking_time: 0,
            is_unavailable: dish.out,
            weight: measure::amount(self.land, &dish.w),
            min_age: dish.age,
            barcode: dish.bar.then(|| measure::barcode(self.land, template)),
            meatless: (!dish.bar).then_some(dish.veg),
            popular: dish.pop,
            ..Product::default()
        }
    }

    fn sizes(&self, dish: &Dish, price: i64, old_price: Option<i64>, tier: i64) -> Vec<Size> {
        let Some((SizePart::Set(set), prices)) =
            dish.s.as_deref().and_then(<[SizePart]>::split_first)
        else {
            return Vec::new();
        };
        let names = self.sizes.get(set).map(Vec::as_slice).unwrap_or_default();
        let last = names.len();
        names
            .iter()
            .zip(prices)
            .zip(1..)
            .filter_map(|((name, part), id)| match part {
                SizePart::Price(major) => Some((name, measure::price(self.land, *major, tier), id)),
                SizePart::Set(_) => None,
            })
            .map(|(name, own, id)| Size {
                id,
                name: self.land.text(name),
                price: own,
                old_price: old_price
                    .filter(|old| *old > price && price > 0)
                    .map(|old| own * old / price / 1000 * 1000),
                // The biggest size of some dishes has run out.
                is_unavailable: id == last as i64 && last == 3 && dish.n[2].len().is_multiple_of(5),
            })
            .collect()
    }

    fn groups(&self, dish: &Dish) -> Vec<AdditiveGroup> {
        dish.a
            .iter()
            .filter_map(|key| self.options.get(key))
            .zip(1..)
            .map(|(row, id)| AdditiveGroup {
                id,
                name: self.land.text(&row.n),
                min: row.min,
                max: row.max,
                additives: row
                    .o
                    .iter()
                    .zip(1..)
                    .map(|(choice, number)| Additive {
                        id: id * 10 + number,
                        name: self.land.text(&choice.n),
                        price: measure::extra(choice.p),
                        max_count: choice.max.unwrap_or(1),
                        is_unavailable: choice.out,
                        preselected: choice.pre,
                    })
                    .collect(),
            })
            .collect()
    }
}
