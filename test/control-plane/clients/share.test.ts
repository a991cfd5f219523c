// The share of one client, for any history of taking and giving back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Client, OWNER } from '#control-plane/clients/client.ts'
import { createCounts } from '#control-plane/clients/counts.ts'
import { mayTake, mostOf } from '#control-plane/clients/share.ts'

const clientOf = (source: number, name = 0): Client => ({
  source: `s${source}`,
  name: `s${source} ${name}`,
  id: `address:s${source}`,
  isOwner: false,
})
function openShare(perClient: number) {
  const counts = createCounts()
  return {
    counts,
    take: (client: Client, amount = 1) => {
      const may = mayTake(client, counts.of(client), perClient, amount)
      if (may) counts.add(client, amount)
      return may
    },
    /** Number of places that the client gets. */
    fill(client: Client): number {
      let taken = 0
      while (this.take(client)) taken++
      return taken
    },
  }
}

test('a client that is alone gets what one client may have, and the next ones get less and less, but something', () => {
  for (const [perClient, expected] of [
    [1, [1, 1, 1, 0]],
    [2, [2, 2, 1, 1, 0]],
    [4, [4, 3, 2, 1, 1, 1, 0]],
    [16, [16, 11, 7, 5, 3, 2, 2, 1, 1, 0]],
  ] as const) {
    const share = openShare(perClient)
    assert.deepEqual(
      expected.map((_, source) => share.fill(clientOf(source))),
      expected,
    )
  }
})

test('many clients of one source get a half together', () => {
  for (const perClient of [1, 2, 4, 16, 32]) {
    const share = openShare(perClient)
    for (let name = 0; name < 100; name++) share.fill(clientOf(0, name))
    assert.ok(share.counts.of(clientOf(0)).source <= Math.ceil(mostOf(perClient) / 2))
    assert.ok(share.take(clientOf(1)), 'another source finds something free')
  }
})

test('the owner has its own when others have taken everything, and takes nothing from them', () => {
  const share = openShare(3)
  assert.equal(share.fill(OWNER), 3)
  assert.equal(share.fill(clientOf(0)), 3)
  for (let source = 1; source < 20; source++) share.fill(clientOf(source))
  share.counts.add(OWNER, -3)
  assert.equal(share.fill(OWNER), 3)
})

test('no history makes anybody hold more than its share, or leaves nothing for a new source while one holds two or more', () => {
  const step = fc.record({ source: fc.nat(4), name: fc.nat(2), amount: fc.integer({ min: 1, max: 5 }), gives: fc.boolean() })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(step, { maxLength: 200 }), (perClient, steps) => {
      const share = openShare(perClient)
      for (const { source, name, amount, gives } of steps) {
        const client = clientOf(source, name)
        const before = share.counts.of(client)
        if (gives) share.counts.add(client, -Math.min(amount, before.own))
        else if (share.take(client, amount)) {
          const { own, source: ofSource, all } = share.counts.of(client)
          assert.ok(own <= perClient && all <= mostOf(perClient))
          assert.ok(mostOf(perClient) - all >= before.source, 'it leaves as much as its source held')
          assert.ok(ofSource >= own)
        }
      }
    }),
    { seed: 42 },
  )
})
