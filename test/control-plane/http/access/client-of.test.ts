// The client that a request counts for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OWNER } from '#control-plane/clients/client.ts'
import { createClientOf } from '#control-plane/http/access/client-of.ts'
import { createOrigins } from '#control-plane/http/access/origins.ts'
import type { Headers, Principal } from '#control-plane/http/contract/caller.ts'
import type { Access } from '#control-plane/http/contract/contract.ts'
import { COMMANDS_AGENT } from '#shared/protocol/version.ts'

const origins = createOrigins({ host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] })
const HOST = { host: '127.0.0.1:3900' }

function open(user: number | null = null) {
  const clientOf = createClientOf({ origins, localUsers: { otherUser: async () => user } })
  return (sender: Partial<Principal> = {}, headers: Headers = {}, access: Access = 'consume') =>
    clientOf(
      {
        address: '127.0.0.1',
        credential: null,
        signIn: null,
        person: null,
        name: 'loopback',
        device: null,
        mayAdminister: async () => true,
        ...sender,
      },
      { connection: {}, headers: { ...HOST, ...headers }, access },
    )
}
const elsewhere = { address: '192.0.2.7', name: 'api_key', credential: 'key' } as const
const signIn = () => ({ transport: 'cookie', ended: new AbortController().signal, person: null }) as const

test('the page and the commands of the owner on this machine are the owner; its other programs are clients of their address', async () => {
  const of = open()
  const own: Headers[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://127.0.0.1:3900' }, { 'user-agent': COMMANDS_AGENT }]
  for (const headers of own) {
    assert.equal(await of({}, headers), OWNER)
    assert.notEqual(await of({ mayAdminister: async () => false }, headers), OWNER, 'another user of this machine')
    assert.notEqual(await of(elsewhere, headers), OWNER, 'another machine')
  }
  for (const headers of [
    {},
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:3901' },
    { 'user-agent': 'curl/8' },
  ] as Headers[])
    assert.deepEqual(await of({}, headers), { source: '127.0.0.1', name: '127.0.0.1', id: 'owner', isOwner: false })
})

test('the maker is the user of the connection, which is looked up only where something can be made', async () => {
  const makers = async (user: number | null) => {
    const of = open(user)
    return [
      (await of()).id,
      (await of({}, {}, 'open')).id,
      (await of(elsewhere)).id,
      (await of({ ...elsewhere, credential: 'pin', device: 'd' })).id,
    ]
  }
  assert.deepEqual(await makers(null), ['owner', 'address:127.0.0.1', 'owner', 'device:d'])
  assert.deepEqual(await makers(1001), ['user:1001', 'address:127.0.0.1', 'owner', 'device:d'])
})

test('sign-ins, the key and the PIN are clients of their own, which share the part of their address', async () => {
  const of = open()
  const [one, two] = [signIn(), signIn()]
  const clients = [
    await of(elsewhere),
    await of({ ...elsewhere, credential: 'pin', name: 'pin' }),
    await of({ ...elsewhere, credential: 'sign-in', signIn: one }),
    await of({ ...elsewhere, credential: 'sign-in', signIn: two }),
    await of({ ...elsewhere, credential: null, name: 'trusted_network' }),
  ]
  assert.deepEqual(new Set(clients.map(({ source }) => source)), new Set(['192.0.2.7']))
  assert.equal(new Set(clients.map(({ name }) => name)).size, clients.length)
  assert.deepEqual(await of({ ...elsewhere, credential: 'sign-in', signIn: one }), clients[2])
  assert.notEqual((await of({ ...elsewhere, address: '192.0.2.8' })).name, clients[0]!.name)
})

test('all addresses of an IPv6 network are one source', async () => {
  const of = open()
  const [one, two] = [await of({ ...elsewhere, address: '2001:db8::1' }), await of({ ...elsewhere, address: '2001:db8::ffff:2' })]
  assert.deepEqual(one, two)
})
