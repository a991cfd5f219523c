// The way to addresses of strangers: the proxy and the download of one file, against servers of this machine that play the Internet.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fetchForeignFile } from '#control-plane/media/remote/foreign-file.ts'
import { createHostAddresses, type ForeignNetwork, INTERNET_AND_LOCAL_NETWORK } from '#control-plane/media/remote/foreign-network.ts'
import { openForeignProxy } from '#control-plane/media/remote/foreign-proxy.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const never = new AbortController().signal
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === 'DOWNLOAD_REFUSED' && message.test(error.message)
const THIS = { address: '127.0.0.1', family: 4 }

async function serve(t: TestContext, answer: (asked: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
/** Names below `outside.example` are this machine; `inside.example` has an address of the local network beside a public one. */
function world(): { network: ForeignNetwork; resolved: string[] } {
  const resolved: string[] = []
  return {
    resolved,
    network: {
      async resolve(host) {
        resolved.push(host)
        if (host.endsWith('outside.example')) return [THIS]
        if (host === 'inside.example') return [THIS, { address: '10.0.0.1', family: 4 }]
        throw new Error('ENOTFOUND')
      },
      isAllowed: (address) => address === THIS.address,
    },
  }
}

/** A request through the proxy, as a program sends it. */
async function through(proxy: string, url: string, password?: string) {
  const { hostname, port, username, password: own } = new URL(proxy)
  const authorization = `Basic ${Buffer.from(`${username}:${password ?? own}`).toString('base64')}`
  const headers = { 'proxy-authorization': authorization, host: new URL(url).host, cookie: 'a=b', connection: 'close' }
  const call = request({ host: hostname, port, path: url, headers, agent: false }).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  let body = ''
  for await (const piece of answer) body += String(piece)
  return { status: answer.statusCode, body }
}
async function tunnelTo(proxy: string, target: string, withPassword = true) {
  const { hostname, port, username, password } = new URL(proxy)
  const socket = connect(Number(port), hostname)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n${withPassword ? `proxy-authorization: ${authorization}\r\n` : ''}\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(head.toString())?.[1]) }
}

const OTHER_PROTOCOL = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: other\r\nconnection: upgrade\r\n\r\n'

test('the proxy passes requests on, resolves each name once, and keeps its own headers', async (t) => {
  const seen: IncomingMessage['headers'][] = []
  const port = await serve(t, (asked, response) => {
    seen.push(asked.headers)
    if (asked.url === '/other') response.socket!.end(OTHER_PROTOCOL)
    else response.end(`at ${asked.url}`)
  })
  const { network, resolved } = world()
  const proxy = await openForeignProxy(network, clock, random)
  t.after(proxy.close)
  for (let time = 0; time < 2; time++)
    assert.deepEqual(await through(proxy.url, `http://outside.example:${port}/a?b=c`), { status: 200, body: 'at /a?b=c' })
  assert.deepEqual([resolved, seen[0]!['proxy-authorization'], seen[0]!.cookie], [['outside.example'], undefined, 'a=b'])
  assert.equal((await through(proxy.url, `http://outside.example:${port}/other`)).status, 502)

  const { socket, status } = await tunnelTo(proxy.url, `outside.example:${port}`)
  assert.equal(status, 200)
  socket.write('GET /tunnel HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  let text = ''
  for await (const piece of socket) text += String(piece)
  assert.match(text, /at \/tunnel/)
  assert.equal(proxy.refusal(), null)
})

test('the proxy refuses other addresses, other ports, and programs without its password', async (t) => {
  const port = await serve(t, (_, response) => void response.end('reached'))
  const { network } = world()
  const proxy = await openForeignProxy(network, clock, random)
  t.after(proxy.close)
  for (const host of ['inside.example', '10.0.0.1', '169.254.169.254', '[::1]', '[::ffff:10.0.0.1]', '0x0a000001', 'unknown.example']) {
    assert.equal((await through(proxy.url, `http://${host}:${port}/`)).status, 403, host)
    const { status, socket } = await tunnelTo(proxy.url, `${host}:${port}`)
    socket.destroy()
    assert.equal(status, 403, host)
  }
  assert.match(proxy.refusal()?.message ?? '', /unknown\.example was not found/)
  assert.equal((await through(proxy.url, 'http://outside.example:22/')).status, 403)
  assert.match(proxy.refusal()?.message ?? '', /Port 22/)
  assert.equal((await through(proxy.url, `http://outside.example:${port}/`, 'wrong')).status, 407)
  const { status, socket } = await tunnelTo(proxy.url, `outside.example:${port}`, false)
  socket.destroy()
  assert.equal(status, 407)
  assert.equal((await through(proxy.url, 'https://outside.example/')).status, 403)
})

test('closing the proxy ends its tunnels', async (t) => {
  const port = await serve(t, () => {})
  const proxy = await openForeignProxy(world().network, clock, random)
  const { socket } = await tunnelTo(proxy.url, `outside.example:${port}`)
  const closed = once(socket, 'close')
  await proxy.close()
  await closed
  await assert.rejects(through(proxy.url, `http://outside.example:${port}/`))
})

test('the local network can be allowed, and this machine never', async () => {
  const addressesOf = createHostAddresses(INTERNET_AND_LOCAL_NETWORK)
  for (const address of ['192.168.1.5', '10.1.2.3', '172.16.0.1', '[fd00::1]', '93.184.216.34'])
    assert.equal((await addressesOf(address)).length, 1, address)
  for (const address of ['127.0.0.1', '[::1]', '169.254.169.254', '[fe80::1]', '0.0.0.0', '[::ffff:192.168.1.5]', '224.0.0.1'])
    await assert.rejects(addressesOf(address), refused(/does not belong/), address)
})

test('a file arrives after redirects with its progress, and pages, loops and large files are refused', async (t) => {
  const folder = temporaryFolder(t)
  const { network } = world()
  const port = await serve(t, ({ url = '' }, response) => {
    const [, kind] = url.split('/')
    const to = { once: '/file', loop: '/loop', inside: `http://inside.example:${port}/file`, scheme: 'file:///etc/passwd' }[kind!]
    if (to) return void response.writeHead(302, { location: to }).end()
    if (kind === 'page') return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>')
    if (kind === 'other') return void response.socket!.end(OTHER_PROTOCOL)
    if (kind === 'gone') return void response.writeHead(404).end()
    if (kind === 'endless') return void response.writeHead(200).end(Buffer.alloc(5000))
    if (kind === 'broken') {
      response.writeHead(200, { 'content-length': 100 }).write('half')
      return void setImmediate(() => response.destroy())
    }
    response.writeHead(200, { 'content-length': 11 }).end('the content')
  })
  const to = join(folder, 'file')
  const states: (readonly [number, number | null])[] = []
  const fetchIt = (path: string) =>
    fetchForeignFile(
      {
        url: `http://outside.example:${port}/${path}`,
        to,
        network,
        mostBytes: 1000,
        limitMs: 600_000,
        progress: (...state) => void states.push(state),
      },
      clock,
      never,
    )
  assert.equal(await fetchIt('once'), `http://outside.example:${port}/file`)
  assert.equal(readFileSync(to, 'utf8'), 'the content')
  assert.deepEqual(states.at(-1), [11, 11])
  for (const [path, message] of [
    ['loop', /more than 5 times/],
    ['inside', /inside\.example has an address/],
    ['scheme', /unusable address/],
    ['page', /is a page/],
    ['gone', /status 404/],
    ['broken', /broke off/],
    ['other', /closed the connection/],
  ] as const)
    await assert.rejects(fetchIt(path), refused(message), path)
  await assert.rejects(fetchIt('endless'), (error: Failure) => error.code === 'STORAGE_FULL' && /larger than/.test(error.message))
})
