// The addresses of a studio, and which machines have not received them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEndpoints } from '#control-plane/trust/endpoints.ts'
import type { Worker } from '#control-plane/workers/worker.store.ts'
import { ENDPOINT_LIMITS } from '#shared/protocol/messages.ts'

function open(ids: readonly string[], rotate: (id: string) => Promise<boolean>) {
  let named: readonly string[] = []
  const endpoints = createEndpoints({
    chosen: {
      read: () => named,
      write: async (addresses) => {
        named = addresses
      },
    },
    host: 'studio.lan',
    port: () => 41_501,
    workers: { enrolled: () => ids.map((id) => ({ id, name: id }) as Worker) },
    isDialled: () => false,
    sessions: () => ids.map((workerId) => ({ workerId, rotate: () => rotate(workerId) })),
  })
  return { ...endpoints, behind: () => endpoints.view().behind.map(({ id }) => id) }
}

test('a machine is behind until it has stored the addresses: an answer that was only sent may be lost', async () => {
  const sent = { attic: true, barn: false, cellar: 'lost' as const }
  const ended = Promise.withResolvers<void>()
  let asked = 0
  const endpoints = open(Object.keys(sent), async (id) => {
    endpoints.announcedTo(id)
    if (++asked === 3) ended.resolve()
    const outcome = sent[id as keyof typeof sent]
    if (outcome === 'lost') throw new Error('the link was lost')
    return outcome
  })
  await endpoints.name(['new.example.org'])
  await ended.promise
  await Promise.resolve()
  assert.deepEqual(endpoints.list(), ['new.example.org:41501'])
  assert.deepEqual(endpoints.behind(), ['barn', 'cellar'])
  let again = 0
  const rotate = async () => {
    again++
    return true
  }
  for (const workerId of ['attic', 'barn']) endpoints.onConnected({ workerId, rotate })
  assert.equal(again, 1, 'the one that is behind')
  assert.deepEqual(endpoints.announcedTo('local'), [], 'the studio needs no address of itself')
})

test('every address that is accepted fits into the message to a machine', async () => {
  const endpoints = open([], async () => true)
  for (const text of ['a'.repeat(ENDPOINT_LIMITS.chars), 'a'.repeat(254), `${'a'.repeat(254)}:1`])
    await assert.rejects(endpoints.name([text]), { code: 'BAD_REQUEST' })
  await endpoints.name(['a'.repeat(253), '::1', 'studio.lan:1', 'studio.lan:1'])
  const announced = endpoints.announcedTo('attic')
  assert.deepEqual(announced.slice(1), ['[::1]:41501', 'studio.lan:1'])
  for (const one of announced) assert.ok(one.length <= ENDPOINT_LIMITS.chars, one)
})
