/** The repository's proxy in front of a server that says what it hears. */
import assert from 'node:assert/strict'
import http from 'node:http'
import { after, test } from 'node:test'
import tls from 'node:tls'
import { guest, until, world } from './world.mjs'

const here = world()
after(() => here.close())

test('what a client claims does not pass the proxy, and one that sends by drops is cut', async () => {
  const echo = http.createServer((request, response) => response.end(JSON.stringify(request.headers)))
  await new Promise((resolve) => echo.listen(0, '127.0.0.1', resolve))
  const { port } = echo.address()
  const front = await here.proxy([{ web: `127.0.0.1:${port}`, admin: String(port) }])
  front.begin()
  await until(() => front.isUp('one'), 'the echo is ready')

  const slow = tls.connect({
    port: front.tls,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  })
  let answer = ''
  slow.on('error', () => {})
  slow.on('data', (chunk) => {
    answer += chunk
  })
  const cut = new Promise((resolve) => slow.once('close', resolve))
  slow.write('GET / HTTP/1.1\r\nHost: local')

  const liar = guest(front.origin)
  const { body } = await liar.get('/', {
    headers: {
      'x-forwarded-for': '198.51.100.1',
      forwarded: 'for=198.51.100.1',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      'x-kept': 'yes',
    },
  })
  const heard = JSON.parse(body)
  assert.equal(heard['x-forwarded-for'], '127.0.0.1')
  assert.equal(heard['x-kept'], 'yes')
  for (const name of ['forwarded', 'traceparent']) assert.equal(heard[name], undefined, name)
  liar.close()

  await cut
  assert.match(answer, /^HTTP\/1\.1 408 /)
  echo.close()
})
