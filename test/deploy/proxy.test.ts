// The files of deploy/proxy with their programs in front of a real studio: what passes, and who is let in.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { isLongRun } from '../support/long-run.ts'
import { eventually, openWorld, type World } from '../support/world/world.ts'
import { caddy, NAME, nginx, openCaddy, openNginx, type RunningProxy, siteOf } from './proxy-programs.ts'

const KEY = randomBytes(24).toString('hex')
/** Bytes of an upload. */
const BYTES = (isLongRun ? 2_000 : 200) * 1_000_000
const settings = { STUDIO_SERVER_MODE: '1', STUDIO_API_KEY: KEY, STUDIO_ALLOWED_HOSTS: NAME }
const bearer = { authorization: `Bearer ${KEY}` }

type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string; readonly host?: string }
const call = ({ port, ca }: RunningProxy, path: string, { method = 'GET', headers = {}, host = `${NAME}:${port}` }: Sent = {}) =>
  request({ port, ca, path, method, host: '127.0.0.1', servername: NAME, headers: { host, ...headers }, agent: false })

async function ask(proxy: RunningProxy, path: string, sent: Sent = {}) {
  const sending = call(proxy, path, {
    ...sent,
    headers: { ...(sent.body !== undefined && { 'content-type': 'application/json' }), ...sent.headers },
  })
  sending.end(sent.body)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

async function letsInOnlyWithKey(proxy: RunningProxy): Promise<void> {
  const speech = { method: 'POST', body: JSON.stringify({ input: 'Good morning.' }) }
  const claims: Record<string, string>[] = [{}, { 'x-forwarded-for': '127.0.0.1' }, { 'x-real-ip': '::1' }, { forwarded: 'for=127.0.0.1' }]
  for (const headers of claims)
    for (const [path, sent] of [
      ['/history', {}],
      ['/workers', {}],
      ['/v1/audio/speech', speech],
    ] as const)
      assert.equal((await ask(proxy, path, { ...sent, headers })).status, 401, `${path} ${JSON.stringify(headers)}`)
  for (const host of ['127.0.0.1', 'localhost']) {
    const { status, body } = await ask(proxy, '/history', { host })
    // Caddy itself answers the request for another host, without a body.
    assert.ok(status !== 200 || body === '', host)
  }
  for (const path of ['/history', '/workers']) assert.equal((await ask(proxy, path, { headers: bearer })).status, 200, path)
}

async function signsIn(proxy: RunningProxy): Promise<void> {
  const page = await ask(proxy, '/')
  assert.deepEqual([page.status, /sign in/i.test(page.body)], [200, true])
  const origin = `https://${NAME}:${proxy.port}`
  const form = JSON.stringify({ transport: 'cookie' })
  const { status, headers } = await ask(proxy, '/api/auth/session', { method: 'POST', headers: { ...bearer, origin }, body: form })
  const [cookie = ''] = headers['set-cookie'] ?? []
  assert.deepEqual([status, /; Secure/.test(cookie)], [204, true])
  const signedIn = { cookie: cookie.split(';')[0]!, origin, 'x-svc-csrf': '1' }
  const project = { method: 'POST', body: JSON.stringify({ name: 'Behind a proxy', state: { text: 'y'.repeat(2 * MIB) } }) }
  assert.equal(
    (await ask(proxy, '/projects', { ...project, headers: signedIn })).status,
    200,
    'more than the 1 MB that nginx allows by itself',
  )
  assert.equal((await ask(proxy, '/projects', { ...project, headers: { ...signedIn, origin: 'https://evil.example' } })).status, 403)
}

async function carriesSockets(proxy: RunningProxy, world: World, path = '/ws/events'): Promise<void> {
  const address = `wss://127.0.0.1:${proxy.port}${path}`
  const open = (headers: Record<string, string>) =>
    new WebSocket(address, { ca: proxy.ca, servername: NAME, headers: { host: NAME, ...headers } })
  const [code] = (await once(open({}), 'close')) as [number]
  assert.equal(code, 1008, 'a socket without the key')
  const socket = open(bearer)
  await once(socket, 'open')
  const published = new Promise<void>((resolve) => {
    socket.on('message', (bytes) => {
      if (JSON.parse(String(bytes)).kind === 'projects') resolve()
    })
  })
  await world.post('/projects', { name: 'An event', state: {} })
  await published
  socket.close(1000, '')
}

/** The first event arrives while the stream is open. */
async function streamsEvents(proxy: RunningProxy): Promise<void> {
  const sending = call(proxy, '/workers/events', { headers: bearer })
  sending.end()
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  const [first] = (await once(answer, 'data')) as [Buffer]
  assert.deepEqual([answer.statusCode, answer.headers['content-type']?.split(';')[0], first.length > 0], [200, 'text/event-stream', true])
  sending.destroy()
}

/** The file arrives byte by byte as it was sent. */
async function takesUploads(proxy: RunningProxy, world: World): Promise<void> {
  const piece = randomBytes(MIB)
  const sent = createHash('sha256')
  const head = '--x\r\nContent-Disposition: form-data; name="video"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n'
  const sending = call(proxy, '/dub/upload', { method: 'POST', headers: { ...bearer, 'content-type': 'multipart/form-data; boundary=x' } })
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>
  sending.write(head)
  for (let left = BYTES; left > 0; left -= piece.length) {
    const part = left < piece.length ? piece.subarray(0, left) : piece
    sent.update(part)
    if (!sending.write(part)) await once(sending, 'drain')
  }
  sending.end('\r\n--x--\r\n')
  const [answer] = await answered
  assert.equal(answer.statusCode, 202, await text(answer))
  const folder = join(world.dataDir, 'dub_store')
  const stored = await eventually(() =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .find((path) => statSync(path, { throwIfNoEntry: false })?.size === BYTES),
  )
  const received = createHash('sha256')
  for await (const part of createReadStream(stored)) received.update(part)
  assert.equal(received.digest('hex'), sent.digest('hex'))
}

async function passesAll(t: TestContext, open: typeof openNginx, file: string): Promise<void> {
  const world = await openWorld(t, { env: settings, withoutAgent: true })
  const proxy = await open(t, world.url, siteOf(file))
  await letsInOnlyWithKey(proxy)
  await signsIn(proxy)
  await carriesSockets(proxy, world)
  await streamsEvents(proxy)
  await takesUploads(proxy, world)
}

const noNginx = nginx === null && 'nginx is not installed'
test('nginx passes pages, events, sockets and uploads on, and refuses requests without the key', { skip: noNginx }, (t) =>
  passesAll(t, openNginx, 'nginx.conf'),
)
test(
  'caddy passes pages, events, sockets and uploads on, and refuses requests without the key',
  { skip: caddy === null && 'caddy is not installed' },
  (t) => passesAll(t, openCaddy, 'Caddyfile'),
)

/** nginx then sends the address of the studio as Host and no header of a proxy: to the studio it looks like a program of this machine. */
const SHORTEST = `
server {
    listen 443 ssl;
    ssl_certificate     /etc/ssl/certs/studio.example.org.pem;
    ssl_certificate_key /etc/ssl/private/studio.example.org.key;
    location / {
        proxy_pass http://127.0.0.1:3900;
    }
}
`
test('behind the shortest proxy every request needs the key in server mode', { skip: noNginx }, async (t) => {
  const world = await openWorld(t, { env: settings, withoutAgent: true })
  const proxy = await openNginx(t, world.url, SHORTEST)
  for (const path of ['/history', '/workers', '/projects'])
    assert.deepEqual([path, (await ask(proxy, path)).status, (await ask(proxy, path, { headers: bearer })).status], [path, 401, 200])
})

test('behind a proxy that says that it is one every request needs the key, also without server mode', { skip: noNginx }, async (t) => {
  const { STUDIO_SERVER_MODE: _, ...withKey } = settings
  const world = await openWorld(t, { env: withKey, withoutAgent: true })
  await world.studio.says(/Behind a reverse proxy set STUDIO_SERVER_MODE=1/)
  const named = SHORTEST.replace('proxy_pass', 'proxy_set_header Host $http_host;\n        proxy_pass')
  const marked = SHORTEST.replace('proxy_pass', 'proxy_set_header X-Real-IP $remote_addr;\n        proxy_pass')
  for (const site of [named, marked, siteOf('nginx.conf')]) {
    const proxy = await openNginx(t, world.url, site)
    assert.equal((await ask(proxy, '/history')).status, 401)
    assert.notEqual((await ask(proxy, '/workers')).status, 200)
  }
})

for (const [what, upstream] of [
  ['removes', 'http://voice_studio/;'],
  ['passes on', 'http://voice_studio;'],
] as const)
  test(`a studio works under a path that the proxy ${what}`, { skip: noNginx }, async (t) => {
    const world = await openWorld(t, { env: { ...settings, STUDIO_BASE_PATH: '/voice' }, withoutAgent: true })
    const site = siteOf('nginx.conf').replace('location / {', 'location /voice/ {').replace('http://voice_studio;', upstream)
    const proxy = await openNginx(t, world.url, site)
    for (const path of ['/voice/history', '/voice/workers'])
      assert.deepEqual([(await ask(proxy, path)).status, (await ask(proxy, path, { headers: bearer })).status], [401, 200], path)
    for (const path of ['/history', '/', '/panel/1/app.js']) assert.equal((await ask(proxy, path, { headers: bearer })).status, 404, path)
    const bare = await ask(proxy, '/voice')
    assert.match(String(bare.headers.location), /\/voice\/$/)
    const origin = `https://${NAME}:${proxy.port}`
    const form = JSON.stringify({ transport: 'cookie' })
    const signIn = await ask(proxy, '/voice/api/auth/session', { method: 'POST', headers: { ...bearer, origin }, body: form })
    const [cookie = ''] = signIn.headers['set-cookie'] ?? []
    assert.match(cookie, /Path=\/voice;/)
    const page = await ask(proxy, '/voice/', { headers: { cookie: cookie.split(';')[0]! } })
    const [script] = /\.\/panel\/[^"]+\/app\.js/.exec(page.body)!
    const app = await ask(proxy, `/voice/${script.slice(2)}`, { headers: { cookie: cookie.split(';')[0]! } })
    assert.deepEqual([app.status, app.headers['content-type']], [200, 'text/javascript; charset=utf-8'])
    await carriesSockets(proxy, world, '/voice/ws/events')
  })
