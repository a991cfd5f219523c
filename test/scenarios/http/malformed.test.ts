// Requests that are not valid HTTP, or too large for it: each has the status that its standard names, and a sentence.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { request } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const studio = sharedWorld({ withoutAgent: true })

async function raw(lines: readonly string[]): Promise<{ readonly status: number; readonly detail: string }> {
  const { port } = new URL((await studio()).url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.on('error', () => {})
  socket.end([...lines, '', ''].join('\r\n'))
  const answer = await text(socket)
  const body = answer.slice(answer.indexOf('\r\n\r\n') + 4)
  return { status: Number(answer.split(' ')[1]), detail: body.startsWith('{') ? JSON.parse(body).detail : '' }
}
const HANDSHAKE = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']

test('several Host headers are refused, whichever of them is ours', async () => {
  for (const hosts of [
    ['localhost', 'localhost'],
    ['localhost', 'attacker.example'],
    ['attacker.example', '127.0.0.1'],
  ])
    for (const path of ['/health', '/history', '/nothing', '/audio/x.wav']) {
      const { status, detail } = await raw([
        `GET ${path} HTTP/1.1`,
        ...hosts.map((host, at) => `${at ? 'hOST' : 'Host'}: ${host}`),
        'Connection: close',
      ])
      assert.deepEqual([status, detail], [400, 'The request has more than one Host header.'], `${path} ${hosts}`)
    }
  assert.equal((await raw(['GET /ws/events HTTP/1.1', 'Host: localhost', 'Host: localhost', ...HANDSHAKE])).status, 400)
  assert.equal((await raw(['GET /health HTTP/1.1', 'Connection: close'])).status, 400, 'none at all')
  assert.equal((await raw(['GET /health HTTP/1.1', 'Host: localhost', 'X-Host: x', 'Connection: close'])).status, 200)
})

test('headers that are too long are 431', async () => {
  for (const long of [
    `Cookie: a=${'b'.repeat(20_000)}`,
    ...[Array.from({ length: 400 }, (_, at) => `X-H${at}: ${'v'.repeat(60)}`).join('\r\n')],
  ]) {
    const { status, detail } = await raw(['GET /health HTTP/1.1', 'Host: localhost', long])
    assert.deepEqual([status, detail], [431, 'The headers of the request are longer than 16 KiB together.'])
  }
})

test('a body that is too large is 413, with its limit as a round number', async () => {
  const { url } = await studio()
  const send = async (path: string, bytes: number) => {
    const { status, json } = await request(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': String(bytes) },
    })
    return [status, json().detail]
  }
  assert.deepEqual(await send('/dub/parse-subtitle-text', 15_000_000), [413, 'The body is larger than 14 MB.'])
  assert.deepEqual(await send('/tools/rate-fit', 2_000_000), [413, 'The body is larger than 1 MiB.'])
  assert.deepEqual(await send('/projects', 30_000_000), [413, 'The body is larger than 17 MiB.'])
})

test('a link on another site shows the page', async () => {
  const { url } = await studio()
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' }
  for (const path of ['/', '/sign-in', '/docs']) {
    const { status, headers } = await request(url + path, { headers: link })
    assert.deepEqual([status, headers['content-type']?.split(';')[0]], [200, 'text/html'], path)
    assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
  }
  for (const path of ['/history', '/health', '/openapi.json', '/nothing', '/dub/transcribe-stream/x'])
    assert.equal((await request(url + path, { headers: link })).status, 403, path)
  for (const change of [{ 'sec-fetch-dest': 'iframe' }, { 'sec-fetch-mode': 'cors' }, { origin: 'https://attacker.example' }] as Record<
    string,
    string
  >[])
    assert.equal((await request(`${url}/`, { headers: { ...link, ...change } })).status, 403, JSON.stringify(change))
})
