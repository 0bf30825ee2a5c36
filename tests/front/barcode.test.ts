/** What a reading of the camera is worth (BC-01, BC-11, FL-19, HB-05). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cameraPermission, troubleOf } from '../../components/pages/barcodeScanner/camera.ts'
import {
  checks,
  createTwice,
  type Format,
  formatOf,
  longUpc,
  scannedOf,
  tableOf,
} from '../../components/pages/barcodeScanner/codes.ts'

// A plain browser: nothing is around its window.
Object.assign(globalThis, { window: globalThis, parent: globalThis, document: { cookie: '' } })

const OWN = 'https://dastarkhan.example'
const scanned = (text: string, format: Format) => scannedOf({ text, format }, OWN)

test('a code of 8 or 13 digits is that of a good, a UPC gets its zeros', () => {
  for (const [text, format, code] of [
    ['4870000130016', 'ean_13', '4870000130016'],
    ['0012345678905', 'ean_13', '0012345678905'],
    ['96385074', 'ean_8', '96385074'],
    ['036000291452', 'upc_a', '0036000291452'],
    ['0036000291452', 'upc_a', '0036000291452'],
    ['01234565', 'upc_e', '0012345000065'],
    ['4870000130016', 'code_128', '4870000130016'],
    ['036000291452', 'code_39', '0036000291452'],
    ['96385074', 'code_93', '96385074'],
    ['96385074', 'itf', '96385074'],
  ] as const) {
    assert.deepEqual(scanned(text, format), { kind: 'good', code }, `${format} ${text}`)
  }
})

test('letters and other lengths are wrong; a retail code with a wrong check digit was misread', () => {
  for (const [text, format] of [
    ['ABC-1234', 'code_39'],
    ['4870000130017', 'code_128'],
    ['12345678901231', 'itf'],
    ['123', 'code_93'],
  ] as const) {
    assert.deepEqual(scanned(text, format), { kind: 'wrong', code: text }, `${format} ${text}`)
  }
  for (const [text, format] of [
    ['4870000130017', 'ean_13'],
    ['96385075', 'ean_8'],
    ['036000291453', 'upc_a'],
    ['01234566', 'upc_e'],
  ] as const) {
    assert.equal(scanned(text, format), null, `${format} ${text}`)
  }
})

test('the format that a host names is known however it is written, else what was read tells it', () => {
  for (const [text, name, format] of [
    ['01234565', 'UPC_E', 'upc_e'],
    ['01234565', 'upc-e', 'upc_e'],
    ['4870000130016', 'EAN13', 'ean_13'],
    ['4870000130016', 'org.gs1.EAN-13', 'ean_13'],
    ['ABC', 'Code 39', 'code_39'],
    ['ABC', 'QR_CODE', 'qr_code'],
    ['ABC', 'qr', 'qr_code'],
    ['ABC', 'org.iso.QRCode', 'qr_code'],
    [`${OWN}/filials/1`, undefined, 'qr_code'],
    [`${OWN}/filials/1`, '256', 'qr_code'],
    ['96385074', undefined, 'code_128'],
    ['04252614', undefined, 'upc_e'],
    ['04252614', 'PDF417', 'upc_e'],
    // That it is an EAN-8 as well comes first.
    ['01234565', undefined, 'code_128'],
    ['91234565', undefined, 'code_128'],
    ['4870000130016', '', 'code_128'],
  ] as const) {
    assert.equal(formatOf(text, name), format, `${name} ${text}`)
  }
  // As the page puts the two together.
  const read = (text: string, name?: string) => scanned(text, formatOf(text, name))
  assert.deepEqual(read('04252614'), { kind: 'good', code: '0042100005264' })
  assert.deepEqual(read('96385074'), { kind: 'good', code: '96385074' })
  assert.deepEqual(read(`${OWN}/filials/7`), { kind: 'table', path: '/filials/7' })
  assert.deepEqual(read('https://elsewhere.example'), { kind: 'foreign' })
})

test('the four shapes of a short UPC are written out, with their check digits', () => {
  const pairs = [
    ['01234565', '0012345000065'],
    ['04252614', '0042100005264'],
    ['01234133', '0012300000413'],
    ['01234543', '0012340000053'],
  ] as const
  for (const [short, long] of pairs) {
    assert.equal(longUpc(short), long)
    assert.ok(checks(long), long)
  }
})

test('a code counts when it came twice in a row, and not again while it stays in view', () => {
  let now = 0
  const twice = createTwice(() => now)
  const read = (text: string | null) => twice.pass(text === null ? null : { text, format: 'ean_13' })?.text
  assert.equal(read('1'), undefined)
  assert.equal(read('2'), undefined)
  assert.equal(read('1'), undefined)
  assert.equal(read('1'), '1')
  for (now = 0; now < 5000; now += 500) assert.equal(read('1'), undefined)
  assert.equal(read(null), undefined)
  now += 1600
  assert.equal(read('1'), undefined)
  assert.equal(read('1'), '1')
  assert.equal(read('2'), undefined)
  assert.equal(read('2'), '2')
  // The camera was away for long: what still lies before it does not come up again by itself.
  now += 60_000
  twice.resume()
  assert.equal(read('2'), undefined)
  assert.equal(read('2'), undefined)
})

test('only paths of our own with ids are tables', () => {
  const link = `${OWN}/filials/1013?filial_id=1013&table_id=t7&main_terminal_id=1010`
  assert.equal(tableOf(link, OWN), '/filials/1013?filial_id=1013&table_id=t7&main_terminal_id=1010')
  assert.equal(tableOf(`${OWN}/filials/1013/?source=STANDQR`, OWN), '/filials/1013?source=STANDQR')
  assert.equal(tableOf(`${OWN}/filials/1013?filial_id=1013&evil=1#x`, OWN), '/filials/1013?filial_id=1013')
  for (const other of [
    '',
    'text',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://evil.example/filials/1013',
    'https://dastarkhan.example.evil/filials/1013',
    'https://dastarkhan.example@evil.example/filials/1013',
    'http://dastarkhan.example/filials/1013',
    '//dastarkhan.example/filials/1013',
    '/filials/1013',
    `${OWN}/`,
    `${OWN}/filials/x`,
    `${OWN}/filials/-1`,
    `${OWN}/filials/1013/bill`,
    `${OWN}/filials/1013/../../cart`,
    `${OWN}/filials/1013?table_id=${encodeURIComponent('t7"><script>')}`,
    `${OWN}/filials/1013?filial_id=1e3`,
    `${OWN}/filials/1013?main_terminal_id=x`,
    `${OWN}/filials/${'9'.repeat(30)}`,
  ]) {
    assert.equal(tableOf(other, OWN), null, other)
  }
  assert.deepEqual(scanned('https://evil.example/', 'qr_code'), { kind: 'foreign' })
})

test('a permission is granted, denied or not determined, and reading it shows no prompt', async () => {
  const permissionFrom = async (query: unknown) => {
    Object.defineProperty(globalThis, 'navigator', {
      value: { permissions: { query } },
      configurable: true,
    })
    return cameraPermission()
  }
  assert.equal(await permissionFrom(async () => ({ state: 'granted' })), 'granted')
  assert.equal(await permissionFrom(async () => ({ state: 'denied' })), 'denied')
  assert.equal(await permissionFrom(async () => ({ state: 'prompt' })), 'notDetermined')
  const unknown = async () => {
    throw new TypeError("'camera' is not a valid permission name")
  }
  assert.equal(await permissionFrom(unknown), 'notDetermined')
  assert.equal(await permissionFrom(undefined), 'notDetermined')
})

test('what is unknown of a camera is not told', () => {
  assert.equal(troubleOf(new Error('?')), 'silent')
  assert.equal(troubleOf('?'), 'silent')
})
