// A studio under a path of another site, behind a proxy that removes the path and behind one that does not. The pages are tested in test/e2e.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { INVALID_SETTINGS } from '#shared/protocol/settings.ts'
import { startProgram } from '#test/support/world/process.ts'
import { openWorld, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const BASE = '/voice'
const open = sharedWorld({ withoutAgent: true, env: { STUDIO_BASE_PATH: BASE } })

test('every address answers under the path and without it', async () => {
  const world = await open()
  for (const path of ['/', '/health', '/history', '/sign-in', '/docs', '/openapi.json', '/workers', '/jobs/none']) {
    const [with_, without] = [await world.get(BASE + path), await world.get(path)]
    assert.deepEqual([path, with_.status, with_.body.length], [path, without.status, without.body.length])
  }
  assert.equal((await world.post(`${BASE}/projects`, { name: 'Under a path', state: {} })).status, 200)
  for (const path of ['/voicemail/history', `${BASE}${BASE}/history`, '/voice%2Fhistory', `//voice/history`])
    assert.equal((await world.get(path)).status, 404, path)
})

test('no file of the pages has an absolute address', async () => {
  const world = await open()
  for (const path of ['/', '/sign-in', '/docs']) {
    const text = String((await world.get(BASE + path)).body)
    assert.deepEqual(text.match(/(?:href|src|content)="\/[^"]*"|"\/[a-z][^"]*\.js"/g), null, path)
  }
})

test('a client is led to addresses under the path', async () => {
  const { url, get } = await open()
  for (const [path, location] of [
    [BASE, '/voice/'],
    [`${BASE}?x=1`, '/voice/?x=1'],
    [`${BASE}/history/`, '/voice/history'],
    [`${BASE}/history/?limit=1`, '/voice/history?limit=1'],
  ] as const) {
    const answer = await fetch(url + path, { redirect: 'manual' })
    assert.deepEqual([path, answer.status, answer.headers.get('location')], [path, 307, location])
  }
  assert.deepEqual((await get(`${BASE}/openapi.json`)).json().servers[0].url, BASE)
})

test('a socket opens under the path', async () => {
  const { url } = await open()
  const socket = new WebSocket(`${url.replace('http', 'ws')}${BASE}/ws/events`)
  await once(socket, 'open')
  socket.close(1000, '')
  await once(socket, 'close')
})

test('the cookie of a sign-in is sent to the path only', async (t) => {
  const key = randomBytes(24).toString('hex')
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_BASE_PATH: BASE, STUDIO_API_KEY: key } })
  const signIn = { authorization: `Bearer ${key}` }
  const { headers } = await world.send('POST', `${BASE}/api/auth/session`, { transport: 'cookie' }, signIn)
  assert.match(headers.get('set-cookie') ?? '', /; Path=\/voice;/)
})

async function refusalOf(t: TestContext, path: string): Promise<string> {
  const program = startProgram(t, ['control-plane/main.ts'], {
    STUDIO_DATA_DIR: temporaryFolder(t),
    STUDIO_PORT: '0',
    STUDIO_BASE_PATH: path,
  })
  assert.equal(await program.ended, INVALID_SETTINGS, path)
  return program.output()
}

test('a path that is none, or that hides addresses of the API, is refused at the start', async (t) => {
  for (const path of ['voice', '/voice/', '//voice', '/a/../b', '/a b', '/%61'])
    assert.match(await refusalOf(t, path), /STUDIO_BASE_PATH: must be a path such as \/voice/)
  assert.match(await refusalOf(t, '/audio/studio'), /STUDIO_BASE_PATH: \/audio\/studio begins like the address \/audio/)
})
