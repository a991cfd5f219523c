// Token and mirror of the model hub, against real local servers: which server receives the token, and which one wins the race.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { followDownloadSource } from '#control-plane/features/base/settings/hub/download-source.ts'
import { COMMUNITY_MIRROR, createMirror } from '#control-plane/features/base/settings/hub/mirror.service.ts'
import { createRace } from '#control-plane/features/base/settings/hub/race.ts'
import { createHubToken, OFFICIAL_HUB } from '#control-plane/features/base/settings/hub/token.service.ts'
import { createTokenFile } from '#control-plane/features/base/settings/hub/token-file.ts'
import { createWhoAmI, type WhoAmI } from '#control-plane/features/base/settings/hub/whoami.ts'
import { loadSeal } from '#control-plane/store/seal.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import type { DownloadSource } from '#shared/protocol/agent-control.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { createFakeSettings } from '#test/support/doubles/settings.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const TOKEN = 'hf_canary_of_the_hub'
const settingsIn = async (folder: string) => createOwnerSettings(createFakeSettings(), {}, await loadSeal(createFolderKeys(folder), 'key'))

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the hub says whose a token is, and its answer is kept for 300 s', async (t) => {
  const seen: (string | undefined)[] = []
  let reply: [number, string] = [200, JSON.stringify({ name: 'ada', type: 'user' })]
  const server = await serve(t, (request, response) => {
    seen.push(`${request.url} ${request.headers.authorization}`)
    response.writeHead(reply[0], { location: '/elsewhere' }).end(reply[1])
  })
  const clock = createFakeClock()
  const whoAmI = createWhoAmI({ clock })
  assert.deepEqual(await whoAmI(TOKEN, server, false), { ok: true, user: 'ada' })
  assert.deepEqual(await whoAmI(TOKEN, server, false), { ok: true, user: 'ada' })
  assert.deepEqual(seen, [`/api/whoami-v2 Bearer ${TOKEN}`])
  for (const bad of [
    [401, '{}'],
    [302, ''],
    [200, 'no JSON'],
    [200, `{"name":"${'x'.repeat(300_000)}"}`],
    [200, '{"name":5}'],
  ] as [number, string][]) {
    reply = bad
    assert.deepEqual(await whoAmI(TOKEN, server, true), { ok: false, user: null })
  }
  await clock.advance(301_000)
  reply = [200, JSON.stringify({ name: 'bob' })]
  assert.equal((await whoAmI(TOKEN, server, false)).user, 'bob')
  assert.deepEqual(await whoAmI(TOKEN, 'http://127.0.0.1:9', true), { ok: false, user: null })
})

test('the token of the application wins, is masked, and is written for the programs of the official hub only', async (t) => {
  const folder = temporaryFolder(t)
  const asked: string[] = []
  const whoAmI: WhoAmI = async (token, server) => {
    asked.push(`${token} ${server}`)
    return { ok: true, user: 'ada' }
  }
  const open = async (server: string, environmentToken: string | null = null) =>
    createHubToken({ settings: await settingsIn(folder), file: createTokenFile({ HF_HOME: folder }), whoAmI, server, environmentToken })
  const path = join(folder, 'token')

  const other = await open('https://models.example')
  const state = await other.set(` ${TOKEN}\n`)
  assert.deepEqual(state.sources, [
    { source: 'app', set: true, masked: 'hf_…hub', whoami_user: 'ada', whoami_ok: true },
    { source: 'env', set: false, masked: null, whoami_user: null, whoami_ok: false },
    { source: 'hf-cli', set: false, masked: null, whoami_user: null, whoami_ok: false },
  ])
  assert.equal(existsSync(path), false, 'the token of another server is not written for the hub')

  writeFileSync(path, 'hf_token_of_the_cli\n')
  const mixed = await (await open('https://models.example', 'hf_token_of_the_environment')).state(false)
  assert.equal(mixed.active, 'env')
  assert.deepEqual(mixed.sources[2], { source: 'hf-cli', set: true, masked: 'hf_…cli', whoami_user: null, whoami_ok: false })
  assert.ok(!asked.some((call) => call.includes('cli')), 'the token of the hub is not sent to another server')

  const official = await open(OFFICIAL_HUB)
  assert.equal(official.active()?.source, 'hf-cli')
  await official.set(TOKEN)
  assert.equal(readFileSync(path, 'utf8'), TOKEN)
  assert.equal(official.active()?.source, 'app')
  assert.equal((await official.clear(false)).active, 'hf-cli')
  assert.equal((await official.clear(true)).active, null)
  for (const wrong of ['', '  ', 'two words', 'x\ny', 'ü', 'x'.repeat(513)])
    await assert.rejects(official.set(wrong), { code: 'BAD_REQUEST' })
})

test('a token file that is a folder, too long or foreign is no token', (t) => {
  const folder = temporaryFolder(t)
  const file = createTokenFile({ HF_HOME: folder })
  for (const text of ['', 'a b', 'x'.repeat(600), '\0'.repeat(10)]) {
    writeFileSync(join(folder, 'token'), text)
    assert.equal(file.read(), null)
  }
  assert.equal(createTokenFile({}).read(), null)
  assert.equal(createTokenFile({ HOME: '/nowhere' }).read(), null)
})

test('the race names the fastest server and the reason for each that failed', async (t) => {
  const fast = await serve(t, (_, response) => response.writeHead(404).end())
  const slow = await serve(t, (_, response) => void setTimeout(() => response.end(), 120))
  const silent = await serve(t, () => {})
  const plain = createTcpServer((socket) => socket.on('error', () => {}).end('no HTTP\r\n\r\n')).listen(0, '127.0.0.1')
  await once(plain, 'listening')
  t.after(() => plain.close())
  const noHttp = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
  const race = createRace({ clock: systemClock, probeMs: 1_500 })
  const { endpoint, reachable, results } = await race([
    silent,
    slow,
    fast,
    'http://127.0.0.1:9',
    noHttp,
    'ftp://x',
    noHttp.replace('http', 'https'),
  ])
  assert.deepEqual([endpoint, reachable], [fast, true])
  assert.deepEqual(
    results.map(({ error }) => error),
    ['timeout', null, null, 'refused', 'unreachable', 'invalid_endpoint', 'tls'],
  )
  const none = await race(['http://127.0.0.1:9', silent])
  assert.deepEqual([none.endpoint, none.reachable, none.latency_ms], ['http://127.0.0.1:9', false, null])
})

test('a race decides for seven days, and an address always means manual', async (t) => {
  const clock = createFakeClock()
  const settings = await settingsIn(temporaryFolder(t))
  const official = 'https://models.example'
  let winner = COMMUNITY_MIRROR
  const race = async (endpoints: readonly string[]) => {
    assert.deepEqual(endpoints, [official, COMMUNITY_MIRROR])
    return { endpoint: winner, reachable: true, latency_ms: 5, checked_at: clock.now() / 1000, results: [] }
  }
  const mirror = createMirror({ settings, official, race, clock })
  assert.deepEqual(mirror.state(), {
    configured: '',
    effective: official,
    presets: [
      { label: 'Official', url: '' },
      { label: 'Community mirror', url: COMMUNITY_MIRROR },
    ],
    mode: 'manual',
    auto: null,
    auto_opt_out: false,
  })
  await mirror.test()
  assert.equal(mirror.state().auto, null, 'nothing is called in manual mode')
  const chosen = await mirror.change({ url: '', mode: 'auto' })
  assert.deepEqual([chosen.effective, chosen.mode, chosen.changed, chosen.restart_required], [COMMUNITY_MIRROR, 'auto', true, false])
  winner = official
  assert.equal((await mirror.test()).effective, official)
  winner = COMMUNITY_MIRROR
  await mirror.test()
  await clock.advance(7 * 24 * 3600 * 1000 + 1)
  assert.equal(mirror.effective(), official, 'the decision is too old')

  const manual = await mirror.change({ url: 'https://copy.example/hub//', mode: 'auto' })
  assert.deepEqual([manual.effective, manual.mode, manual.auto_opt_out], ['https://copy.example/hub', 'manual', true])
  for (const url of ['ftp://x', 'http://copy.example', 'http://127.evil.example', 'https://a:canary@x', 'https://x/?a', 'no address'])
    await assert.rejects(mirror.change({ url, mode: 'manual' }), (error: Error) => !error.message.includes('canary'), url)
  await assert.rejects(mirror.change({ url: '', mode: 'fast' }), { code: 'BAD_REQUEST' })
  assert.equal((await mirror.change({ url: 'http://127.0.0.1:8080', mode: 'manual' })).effective, 'http://127.0.0.1:8080')
})

test('every change reaches the agent, and the token stays with its server', async (t) => {
  const folder = temporaryFolder(t)
  const settings = await settingsIn(folder)
  const server = 'https://models.example'
  const whoAmI: WhoAmI = async () => ({ ok: true, user: null })
  const token = createHubToken({ settings, file: createTokenFile({}), whoAmI, server, environmentToken: null })
  const race = async () => assert.fail('no race was requested')
  const mirror = createMirror({ settings, official: server, race, clock: createFakeClock() })
  const sent: DownloadSource[] = []
  followDownloadSource({ settings, token, mirror, server, setDownloadSource: (source) => sent.push(source) })
  await token.set(TOKEN)
  await mirror.change({ url: 'https://copy.example', mode: 'manual' })
  await token.clear(false)
  assert.deepEqual(sent, [
    { url: server, token: null, tokenUrl: server },
    { url: server, token: TOKEN, tokenUrl: server },
    { url: 'https://copy.example', token: TOKEN, tokenUrl: server },
    { url: 'https://copy.example', token: null, tokenUrl: server },
  ])
})
