/** The overlay of the pages of an order: all of them, where it holds what was taken out of a fridge. */

import type { OrderPage } from '../lib/page-data.ts'

export const isOfFridge = ({ fridge }: OrderPage): boolean => !!fridge
