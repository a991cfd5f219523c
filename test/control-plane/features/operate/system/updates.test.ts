// The look for new versions: what is sent, how often, and answers of a registry that cannot be used.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { updateSettings } from '#control-plane/features/operate/system/environment/environment.settings.ts'
import { createUpdates } from '#control-plane/features/operate/system/updates/updates.ts'
import { createOwnerSettings } from '#control-plane/store/setting.ts'
import { PACKAGES, PUBLISHED } from '#shared/protocol/version.ts'

const DAY_MS = 86_400_000
const START = 1_800_000_000_000

async function open(t: TestContext, answer: (reply: ServerResponse, request: IncomingMessage) => void, more: object = {}) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, reply) => {
    requests.push(request)
    answer(reply, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const texts = new Map<string, string>()
  const choices = createOwnerSettings({ get: (key) => texts.get(key) ?? null, set: (key, value) => void texts.set(key, value) })
  const time = { ms: START }
  const lines: string[] = []
  const log = { info: (_: unknown, line?: string) => void lines.push(line ?? ''), warn: () => {} }
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const deps = { choices, clock: { now: () => time.ms }, log, version: '1.2.0', inImage: false, published: true, registry, ...more }
  const updates = createUpdates(deps as Parameters<typeof createUpdates>[0])
  const allow = (isAllowed: boolean) => choices.write(updateSettings.looksForUpdates, isAllowed)
  const look = () => updates.look(new AbortController().signal)
  return { requests, updates, allow, look, time, lines, state: () => updates.state().state }
}
const tags = (text: string) => (reply: ServerResponse) => reply.end(text)

test('nothing is requested before the owner allows it, nor before a version is published', async (t) => {
  const off = await open(t, tags('{"latest":"1.3.0"}'))
  await off.look()
  assert.deepEqual([off.requests.length, off.state()], [0, 'unchecked'])
  const early = await open(t, tags('{"latest":"1.3.0"}'), { published: undefined })
  await early.allow(true)
  await early.look()
  assert.deepEqual([early.requests.length, early.state()], PUBLISHED ? [1, 'newer'] : [0, 'unpublished'])
})

test('one request a day says nothing about the studio', async (t) => {
  const { requests, updates, allow, look, time, lines, state } = await open(t, (reply) => {
    reply.setHeader('set-cookie', 'id=1')
    reply.end('{"latest":"1.3.0","beta":"2.0.0-b"}')
  })
  await allow(true)
  await Promise.all([look(), look()])
  const [request] = requests
  assert.deepEqual([request?.method, request?.url], ['GET', `/-/package/${PACKAGES.studio}/dist-tags`])
  const { host: _host, connection: _connection, ...headers } = request!.headers
  assert.deepEqual(headers, {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate',
    'accept-language': '*',
    'sec-fetch-mode': 'cors',
    'user-agent': 'voice-studio',
  })
  assert.deepEqual(updates.state(), { state: 'newer', version: '1.2.0', newest: '1.3.0', checked_at: START / 1000, command: 'git pull' })
  assert.deepEqual(lines, ['a newer version is published'])
  time.ms += DAY_MS - 1
  await look()
  assert.equal(requests.length, 1)
  time.ms += 1
  await look()
  assert.equal(requests.length, 2)
  assert.equal(requests[1]?.headers.cookie, undefined)
  time.ms = 0
  await look()
  assert.equal(requests.length, 3, 'the clock was set back')
  assert.equal(state(), 'newer')
})

test('an answer that cannot be used changes nothing, and is not asked for again on the same day', async (t) => {
  const answers: Readonly<Record<string, (reply: ServerResponse, request: IncomingMessage) => void>> = {
    'not found': (reply) => reply.writeHead(404).end(),
    'no JSON': tags('<html>'),
    'no version': tags('{"latest":"newest"}'),
    'a long version': tags(JSON.stringify({ latest: `1.0.0-${'1'.repeat(100)}` })),
    'too large': tags(JSON.stringify({ latest: '9.0.0', more: 'x'.repeat(10_000) })),
    endless: (reply) => void reply.write('{"latest":"9.0.0"'),
    elsewhere: (reply, { url = '' }) =>
      url.startsWith('/other') ? reply.end('{"latest":"9.0.0"}') : reply.writeHead(302, { location: '/other' }).end(),
    closed: (reply) => void reply.destroy(),
  }
  for (const [name, answer] of Object.entries(answers)) {
    const { requests, updates, allow, look } = await open(t, answer, { patienceMs: name === 'endless' ? 50 : 10_000 })
    await allow(true)
    await look()
    await look()
    assert.equal(requests.length, 1, name)
    const { state, newest } = updates.state()
    assert.deepEqual([state, newest], ['failed', null], name)
  }
})

test('a studio that ends while it asks, or cannot store that it asks, does not ask twice a day', async (t) => {
  const ended = new AbortController()
  const { requests, updates, allow, look } = await open(t, () => ended.abort())
  await allow(true)
  await updates.look(ended.signal)
  await look()
  assert.equal(requests.length, 1)
  const write = () => Promise.reject(new Error('the disk is full'))
  const read = (setting: { readonly key: string; readonly fallback: unknown }) =>
    setting.key === updateSettings.looksForUpdates.key ? true : setting.fallback
  const full = await open(t, tags('{"latest":"1.3.0"}'), { choices: { read, write } })
  await assert.rejects(full.look(), /the disk is full/)
  assert.equal(full.requests.length, 0)
})

test('an older or equal version is no news, and a container is updated by its image', async (t) => {
  for (const latest of ['1.2.0', '1.1.9', '1.2.0-rc']) {
    const { allow, look, state, lines } = await open(t, tags(JSON.stringify({ latest })), { inImage: true })
    await allow(true)
    await look()
    assert.deepEqual([state(), lines.length], ['current', 0], latest)
  }
  const { allow, look, updates } = await open(t, tags('{"latest":"1.10.0"}'), { inImage: true })
  await allow(true)
  await look()
  assert.equal(updates.state().command, null)
})
