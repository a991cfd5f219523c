// Fetching files of strangers from a real https server: hosts, redirects, addresses, sizes and times.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { onHosts } from '#control-plane/features/voices/community/fetching/address.ts'
import { createPublicFetch, type Network } from '#control-plane/features/voices/community/fetching/public-fetch.ts'
import { isPublicAddress } from '#control-plane/media/remote/public-address.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { HOST, openFiles } from './local-files.ts'

const never = new AbortController().signal
const LIMITS = { bytes: 100_000, ms: 60_000, signal: never }
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === 'DOWNLOAD_REFUSED' && message.test(error.message)

async function open(t: TestContext, answer: (request: IncomingMessage, response: ServerResponse) => void, other: Partial<Network> = {}) {
  const { network, resolved } = await openFiles(t, answer)
  return { fetch: createPublicFetch({ hosts: [HOST], version: '1', clock, network: { ...network, ...other } }), resolved }
}

test('a file arrives with its validators; the request has no cookie, and asks for no compression', async (t) => {
  const seen: IncomingMessage['headers'][] = []
  const { fetch } = await open(t, ({ headers }, response) => {
    seen.push(headers)
    if (headers['if-none-match'] === '"e1"') return void response.writeHead(304).end()
    response.writeHead(200, { etag: '"e1"', 'last-modified': 'Tue', 'set-cookie': 'a=b' }).end('content')
  })
  const first = await fetch(`https://${HOST}/a?b=c`, LIMITS)
  assert.deepEqual([first.status, first.body.toString(), first.etag, first.lastModified], [200, 'content', '"e1"', 'Tue'])
  const again = await fetch(`https://${HOST}/a`, { ...LIMITS, etag: '"e1"' })
  assert.equal(again.status, 304)
  for (const headers of seen) assert.deepEqual([headers.cookie, headers['accept-encoding'], headers.host], [undefined, 'identity', HOST])
  // 304 without a copy is no file.
  const { fetch: odd } = await open(t, (_request, response) => void response.writeHead(304).end())
  await assert.rejects(odd(`https://${HOST}/a`, LIMITS), refused(/status 304/))
})

test('redirects are followed three times, to listed hosts only', async (t) => {
  const { fetch, resolved } = await open(t, ({ url = '' }, response) => {
    const [, kind, left] = url.split('/')
    const to =
      { steps: Number(left) > 0 ? `/steps/${Number(left) - 1}` : '', cdn: `https://cdn.${HOST}/end` }[kind!] ??
      decodeURIComponent(left ?? '')
    if (to === '') response.end('arrived')
    else response.writeHead(302, { location: to }).end()
  })
  assert.equal((await fetch(`https://${HOST}/steps/3`, LIMITS)).body.toString(), 'arrived')
  await assert.rejects(fetch(`https://${HOST}/steps/4`, LIMITS), refused(/more than 3 times/))
  assert.equal((await fetch(`https://${HOST}/cdn`, LIMITS)).body.toString(), 'arrived')
  const before = resolved.filter((host) => !host.endsWith(HOST)).length
  for (const target of [
    'https://evil.example/',
    'http://files.example/',
    'https://127.0.0.1/',
    'https://files.example:22/',
    'https://a@files.example/',
    'file:///etc/passwd',
    '//evil.example/x',
  ])
    await assert.rejects(fetch(`https://${HOST}/to/${encodeURIComponent(target)}`, LIMITS), refused(/only/), target)
  assert.equal(before, 0)
  assert.ok(
    resolved.every((host) => host.endsWith(HOST)),
    'no other name was looked up',
  )
  for (const address of ['https://evil.example/', 'http://files.example/', 'https://[::1]/', 'not a url'])
    await assert.rejects(fetch(address, LIMITS), refused(/only/), address)
})

test('a name with any private address is refused, and the checked address is the one that is used', async (t) => {
  let calls = 0
  const answered = () => {
    calls++
  }
  const answer = (_request: IncomingMessage, response: ServerResponse) => {
    answered()
    response.end('x')
  }
  const strict = { isAllowed: isPublicAddress }
  for (const addresses of [
    ['127.0.0.1'],
    ['93.184.215.14', '10.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['fd00::1'],
    [],
  ]) {
    const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    const { fetch } = await open(t, answer, { ...strict, resolve })
    await assert.rejects(fetch(`https://${HOST}/`, LIMITS), refused(/does not belong to the Internet/), addresses.join())
  }
  assert.equal(calls, 0)
  // The second answer of the name server would be another one: it is asked once for each connection.
  let lookups = 0
  const resolve = async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '192.0.2.1', family: 4 }]
  const { fetch } = await open(t, answer, { resolve })
  assert.equal((await fetch(`https://${HOST}/`, LIMITS)).body.toString(), 'x')
  assert.equal(lookups, 1)
})

test('a file that is too large, compressed, cut off or late is refused, and the certificate is checked', async (t) => {
  const { fetch } = await open(t, ({ url }, response) => {
    if (url === '/large') return void response.end(Buffer.alloc(200_000))
    if (url === '/packed') return void response.writeHead(200, { 'content-encoding': 'gzip' }).end('x')
    if (url === '/cut') {
      response.writeHead(200, { 'content-length': 100 }).write('part', () => response.destroy())
      return
    }
    if (url === '/late') return void response.writeHead(200).write('a first byte')
    response.writeHead(404).end()
  })
  await assert.rejects(fetch(`https://${HOST}/large`, LIMITS), refused(/larger than 100000 bytes/))
  await assert.rejects(fetch(`https://${HOST}/packed`, LIMITS), refused(/compressed/))
  await assert.rejects(fetch(`https://${HOST}/cut`, LIMITS), refused(/could not be fetched/))
  await assert.rejects(fetch(`https://${HOST}/late`, { ...LIMITS, ms: 300 }), refused(/did not arrive within/))
  await assert.rejects(fetch(`https://${HOST}/other`, LIMITS), refused(/status 404/))
  const gone = AbortSignal.abort(new Error('gone'))
  await assert.rejects(fetch(`https://${HOST}/late`, { ...LIMITS, signal: gone }), /gone/)
  const { network } = await openFiles(t, (_request, response) => void response.end('x'))
  const { ca: _ca, ...untrusted } = network
  const distrusting = createPublicFetch({ hosts: [HOST], version: '1', clock, network: untrusted })
  await assert.rejects(distrusting(`https://${HOST}/`, LIMITS), refused(/did not answer/))
})

test('which addresses belong to the Internet', () => {
  for (const address of [
    '1.1.1.1',
    '93.184.215.14',
    '172.15.0.1',
    '172.32.0.1',
    '192.167.1.1',
    '100.63.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])
    assert.ok(isPublicAddress(address), address)
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.2.1',
    '192.168.0.1',
    '198.18.0.1',
    '203.0.113.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '64:ff9b::7f00:1',
    '2001:db8::1',
    '2001::1',
    '2002:7f00:1::',
    'localhost',
    '',
    '1.1.1.1/8',
    '0x7f.1',
  ])
    assert.ok(!isPublicAddress(address), address)
  assert.equal(onHosts('https://FILES.example/x', [HOST])?.hostname, HOST)
})
