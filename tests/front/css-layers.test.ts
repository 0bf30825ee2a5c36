/** Style sheets without cascade layers mean the same. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutLayers } from '../../components/build/layers.mjs'

const flat = (css: string) => withoutLayers(css).replace(/\s+/g, ' ').trim()

test('a later layer outranks an earlier one however much its selectors weigh', () => {
  assert.equal(
    flat('@layer base, ui;@layer ui{.a,.b>c{x:y}}@layer pages{d{x:z}}@layer base{e{f:g}}'),
    '.a, .b>c {x:y} d:not(#_):not(#_) {x:z} e {f:g}',
  )
})

test('what stands in no layer outranks all layers', () => {
  assert.match(flat('a{b:c}'), /^a(:not\(#_\)){3} \{b:c\}$/)
})

test('the weight stands before a pseudo-element, inside of conditions, and not in animations', () => {
  assert.equal(
    flat(
      '@layer parts{@media (min-width:1px){.a::before,::after{b:c}}@keyframes k{from{d:e}}@font-face{f:g}}',
    ),
    '@media (min-width:1px) { .a:not(#_)::before, :not(#_)::after {b:c} } @keyframes k {from{d:e}} @font-face {f:g}',
  )
})

test('commas and braces in brackets and texts part nothing', () => {
  assert.equal(
    flat('@layer parts{.a:is(b,c)[d="},{"]{content:"}{;";e:f}}'),
    '.a:is(b,c)[d="},{"]:not(#_) {content:"}{;";e:f}',
  )
})

test('the controls outrank the base by a class: neither may weigh otherwise', () => {
  assert.equal(
    flat('@layer base{a:where(.b:not(:c)).d{e:f}}@layer ui{.g{h:i}}'),
    'a:where(.b:not(:c)).d {e:f} .g {h:i}',
  )
  assert.throws(() => withoutLayers('@layer base{.a:hover{b:c}}'), /at most one class/)
  assert.throws(() => withoutLayers('@layer ui{.a,dialog::backdrop{b:c}}'), /at least one/)
})

test('a layer without a weight is no layer', () => {
  assert.throws(() => withoutLayers('@layer others{a{b:c}}'), /no weight/)
})
