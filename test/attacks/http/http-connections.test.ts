// 300 requests that are never completed, from three addresses. They must take neither the connections of other addresses nor the file
// descriptors of the agent port and of the disk.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { request } from '#test/support/world/http.ts'
import { openWorld } from '#test/support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const OPEN_FILES = 256
const ATTACKERS = ['127.0.0.11', '127.0.0.12', '127.0.0.13']
const HALF_HEADERS = 'GET /health HTTP/1.1\r\nHost: localhost\r\nX-Never: '
const HALF_BODY =
  'POST /v1/audio/speech HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"input": '
const HALF_UPLOAD =
  'POST /v1/audio/transcriptions HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n' +
  'Transfer-Encoding: chunked\r\n\r\n48\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF\r\n'

test('300 half-sent requests do not keep other addresses or the agent port from being answered', async (t) => {
  const world = await openWorld(t, { remote: true, openFiles: OPEN_FILES, env: { STUDIO_HOST: '0.0.0.0', STUDIO_API_KEY: KEY } })
  const port = Number(new URL(world.url).port)
  const agentPort = Number(new URL(`https://${(await world.get('/workers')).json().endpoint}`).port)
  // The start of an engine host is not what is measured below.
  assert.equal((await world.post('/v1/audio/speech', { input: 'Hello.', response_format: 'pcm' })).status, 200)
  const sockets: Socket[] = []
  t.after(() => {
    for (const socket of sockets) socket.destroy()
  })
  const attack = (localAddress: string, text: string) =>
    new Promise<void>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(text, () => resolve()))
      socket.on('error', () => resolve())
      sockets.push(socket)
    })
  for (const text of [HALF_HEADERS, HALF_BODY, HALF_UPLOAD, HALF_HEADERS])
    await Promise.all(ATTACKERS.flatMap((address) => Array.from({ length: 25 }, () => attack(address, text))))

  const descriptors = readdirSync(`/proc/${world.studio.pid}/fd`).length
  assert.ok(descriptors <= OPEN_FILES * 0.75, `${descriptors} of ${OPEN_FILES} descriptors are in use`)
  const startedAt = performance.now()
  for (let turn = 0; turn < 5; turn++) assert.equal((await request(`${world.url}/health`)).status, 200)
  const spoken = await world.post('/v1/audio/speech', { input: 'Still here.', response_format: 'pcm' })
  assert.equal(spoken.status, 200, spoken.body.toString().slice(0, 300))
  assert.ok(performance.now() - startedAt < 9_000, 'other addresses are answered without waiting for a timeout')
  await new Promise<void>((resolve, reject) => {
    const link = connectTls({ port: agentPort, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
      link.destroy()
      resolve()
    })
    link.on('error', reject)
  })
})
