/** What operates the product, as files: each is read by the tool that it is for, and they agree with each other. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'yaml'
import { BINARY, operation, read, root } from './world.mjs'

const scratch = mkdtempSync(path.join(tmpdir(), 'dastarkhan-files-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

const run = (command, ...args) => {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: operation, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? ''}\n${stdout}\n${stderr}`)
  return stdout + stderr
}
const yaml = (file) => parse(read(file), { merge: true })
const compose = yaml('compose.yaml')
const alerts = yaml('server/operation/alerts.yml').groups.flatMap(({ rules }) => rules)
const dashboard = JSON.parse(read('server/operation/grafana/dashboard.json'))

/** Settings of a command, with their defaults, as it says itself. */
function settings(command) {
  const help = execFileSync(BINARY, [command, '--help'], { encoding: 'utf8' })
  const found = {}
  for (const [, name, rest] of help.matchAll(/\[env: (\w+)[^\]]*\]([\s\S]*?)(?=\n +--|$)/g))
    found[name] = /\[default: ([^\]]*)\]/.exec(rest)?.[1]
  return found
}
const serve = settings('serve')

test('promtool takes the configuration and the rules, and alerts fire when they should', () => {
  run('promtool', 'check', 'config', 'prometheus.yml')
  run('promtool', 'check', 'rules', 'rules.yml', 'alerts.yml')
  run('promtool', 'test', 'rules', 'rules.test.yml')
})

test('each alert is shown to fire and not to fire', () => {
  const shown = yaml('server/operation/rules.test.yml').tests.flatMap(
    ({ alert_rule_test }) => alert_rule_test,
  )
  for (const name of new Set(alerts.map(({ alert }) => alert))) {
    const own = shown.filter(({ alertname }) => alertname === name)
    assert.ok(
      own.some(({ exp_alerts }) => exp_alerts.length > 0),
      `${name} fires nowhere`,
    )
    assert.ok(
      own.some(({ exp_alerts }) => exp_alerts.length === 0),
      `${name} rests nowhere`,
    )
  }
  for (const { alert, labels, annotations } of alerts) {
    assert.match(labels.severity, /^(page|ticket)$/, alert)
    const [file, anchor] = annotations.see.split('#')
    const headings = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
      title.toLowerCase().replaceAll(' ', '-'),
    )
    assert.ok(headings.includes(anchor), `${alert}: ${annotations.see}`)
  }
})

test('the expressions of the dashboard are PromQL, and its panels do not lie on each other', () => {
  const panels = dashboard.panels.filter(({ type }) => type !== 'row')
  assert.ok(panels.length > 20)
  const rules = panels
    .flatMap(({ targets }) => targets)
    .map(({ expr }, index) => ({ record: `panel:expr:${index}`, expr }))
  const file = path.join(scratch, 'dashboard.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  run('promtool', 'check', 'rules', file)
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
  const taken = new Set()
  for (const { title, gridPos } of dashboard.panels)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(x < 24 && !taken.has(`${x} ${y}`), title)
        taken.add(`${x} ${y}`)
      }
})

test('systemd takes the unit, and finds it hardened', () => {
  const name = 'dastarkhan@.service'
  const file = path.join(scratch, name)
  // Only the binary must be where the unit says.
  writeFileSync(
    file,
    readFileSync(path.join(operation, name), 'utf8').replaceAll('/usr/local/bin/dastarkhan', BINARY),
  )
  assert.equal(run('systemd-analyze', 'verify', '--man=no', file).trim(), '')
  run('systemd-analyze', 'security', '--offline=yes', '--no-pager', '--threshold=15', file)
  const unit = readFileSync(file, 'utf8')
  for (const [, line] of unit.matchAll(/^Environment=(.+)$/gm))
    for (const pair of line.split(' ')) assert.ok(pair.split('=')[0] in serve, pair)
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)[1]) >= stopping())
})

/** Seconds that a stop may take: two settings, and what spans need. */
const stopping = () => Number(serve.LINGER_SECONDS) + Number(serve.DRAIN_SECONDS) + 3

test('compose.yaml sets what the commands know, and everything that it mounts is there', () => {
  const known = { one: serve, two: serve, three: serve, sandbox: settings('sandbox') }
  assert.deepEqual(
    Object.keys(compose.services).sort(),
    [...Object.keys(known), 'grafana', 'prometheus', 'proxy', 'valkey'].sort(),
  )
  for (const [name, service] of Object.entries(compose.services)) {
    for (const setting of Object.keys(known[name] ? service.environment : {}))
      assert.ok(setting in known[name], `${name}: ${setting}`)
    for (const mount of service.volumes) {
      const [source] = mount.split(':')
      if (source === './var/certs') continue // the operator's
      assert.ok(
        source.startsWith('.') ? existsSync(path.join(root, source)) : source in compose.volumes,
        mount,
      )
    }
    assert.equal(service.read_only, true, name)
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.doesNotMatch(service.image, /^[^/]*[.:][^/]*\//, `${name}: an image without a host`)
  }
  const { one } = compose.services
  assert.ok(Number.parseInt(one.stop_grace_period, 10) >= stopping())
  assert.equal(one.environment.TRUSTED_PROXIES, compose.networks.inside.ipam.config[0].subnet)
})

test('proxy, Prometheus and image speak of the same instances and ports', () => {
  const proxy = read('server/operation/haproxy.cfg')
  const servers = [...proxy.matchAll(/^ {4}server (\w+) "\$\{\w+-([\w:]+)\}" port "\$\{\w+-(\d+)\}"$/gm)]
  const [product, front] = yaml('server/operation/prometheus.yml').scrape_configs
  const image = Object.fromEntries(
    /^ENV (LISTEN.+)$/m
      .exec(read('Dockerfile'))[1]
      .split(' ')
      .map((pair) => pair.split('=')),
  )
  for (const name of Object.keys(image)) assert.ok(name in serve, name)
  const port = (address) => address.split(':').at(-1)
  assert.deepEqual(
    servers.map(([, name, web, admin]) => [name, web, admin]),
    ['one', 'two', 'three'].map((name) => [name, `${name}:${port(image.LISTEN)}`, port(image.ADMIN_LISTEN)]),
  )
  assert.deepEqual(
    product.static_configs[0].targets,
    servers.map(([, name, , admin]) => `${name}:${admin}`),
  )
  assert.deepEqual(front.static_configs[0].targets, [
    `proxy:${port(compose.services.proxy.environment.PROXY_ADMIN)}`,
  ])
  // Turned away from before a server that stops takes nothing more.
  const [, inter, fall] = /inter (\d+)s fall (\d+)/.exec(proxy)
  assert.ok(inter * fall + 1 < Number(serve.LINGER_SECONDS))
})

test('the image is built by the commands of a build here, and is one binary, not root', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1)
  assert.equal(stages.length, 2)
  const [build, result] = stages
  for (const [script] of build.matchAll(/tests\/setup\/\w+\.sh/g))
    assert.ok(existsSync(path.join(root, script)), script)
  const profile = /--profile (\w+)/.exec(build)[1]
  assert.match(read('Cargo.toml'), new RegExp(`^\\[profile\\.${profile}\\]$`, 'm'))
  assert.match(result, /^debian:\w+-slim$/m)
  assert.match(result, /^USER [1-9]\d*:[1-9]\d*$/m)
  assert.deepEqual(
    [...result.matchAll(/^COPY .* (\S+)$/gm)].map(([, place]) => path.basename(place)),
    ['ca-certificates.crt', 'dastarkhan'],
  )
})
