// Requests under a Node that cannot use a proxy, which http.test.ts runs: this Node without the function that later ones have.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { get as secureGet } from 'node:https'
import type { AddressInfo } from 'node:net'

delete (process.getBuiltinModule('node:http') as { setGlobalProxyFromEnv?: unknown }).setGlobalProxyFromEnv
const { PROXY_OBJECTION, useProxies } = await import('#shared/runtime/builtin/http.ts')

const failure = (request: ReturnType<typeof get>): Promise<string> =>
  new Promise((resolve) => request.on('error', ({ message }) => resolve(message)).on('response', () => resolve('it was sent')))

let redirect = ''
const server = createServer((_request, response) =>
  redirect === '' ? response.end('here') : response.writeHead(302, { location: redirect }).end(),
).listen(0, '127.0.0.1')
await once(server, 'listening')
const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
// An address of this machine that is not among those that are never reached through a proxy.
const other = own.replace('127.0.0.1', '127.0.0.2')
const usual = globalThis.fetch
useProxies({})()
assert.equal(globalThis.fetch, usual, 'nothing changes without a proxy')
const undo = useProxies({ HTTP_PROXY: 'http://proxy.example:3128' })
assert.match(PROXY_OBJECTION ?? '', /^A proxy needs Node 24\.14 or newer, and this is Node .*\. Install a newer Node, or use no proxy\.$/)
assert.equal(await failure(get(other)), PROXY_OBJECTION)
assert.equal(await failure(secureGet('https://models.invalid/')), PROXY_OBJECTION)
for (const target of [other, new URL(other), new Request(other)])
  await assert.rejects(fetch(target), { name: 'TypeError', message: PROXY_OBJECTION })
assert.equal(await (await fetch(own)).text(), 'here')
assert.equal(await failure(get(own)), 'it was sent')
redirect = other
await assert.rejects(fetch(own), TypeError)
assert.equal((await fetch(own, { redirect: 'manual' })).status, 302)
undo()
assert.equal(globalThis.fetch, usual)
const connected = await failure(get(other))
assert.ok(connected !== PROXY_OBJECTION, connected)
server.close().closeAllConnections()
