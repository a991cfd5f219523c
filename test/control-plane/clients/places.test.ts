// Places are taken at once or refused, with a message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asClient, type Client, OWNER } from '#control-plane/clients/client.ts'
import { createPlaces } from '#control-plane/clients/places.ts'
import type { Failure } from '#shared/protocol/failure.ts'

const clientOf = (source: string, name = source): Client => ({ source, name, id: `address:${source}`, isOwner: false })

test('a refusal says what is full, and whose share it is', () => {
  const places = createPlaces({ perClient: 4, what: 'open windows' })
  const fill = (client: Client): string => {
    for (;;) {
      const refused = places.refusal(client)
      if (refused) return refused.message
      places.take(1, client)
    }
  }
  assert.match(
    fill(clientOf('a', 'a key')),
    /^One client has at most 4 places for open windows, and this one has 4\. Try again when its own work has ended\.$/,
  )
  assert.match(
    fill(clientOf('a', 'a pin')),
    /^The clients of this address have 6 places for open windows, and the rest is kept for others\./,
  )
  assert.match(fill(clientOf('b')), /^This client has \d places? for open windows, and the rest is kept for others\./)
  for (const source of ['c', 'd', 'e', 'f']) fill(clientOf(source))
  assert.match(
    fill(clientOf('g')),
    /^Other clients have 12 of 12 places for open windows, and this one can have none now\. Try again in a moment\.$/,
  )
  assert.match(fill(OWNER), /^One client has at most 4 places/)
})

test('bytes are named in MiB', () => {
  const places = createPlaces({ perClient: 4 * 1024 ** 2, what: 'live audio', areBytes: true })
  const holding = places.open(clientOf('a'))
  holding.take(3 * 1024 ** 2)
  assert.throws(() => holding.take(2 * 1024 ** 2), { message: /^One client has at most 4 MiB for live audio, and this one has 3\./ })
  holding.take(1024 ** 2)
  holding.giveBack()
  holding.giveBack()
  assert.equal(places.taken(), 0)
})

test('a stream keeps its place until it ends, its reader leaves, or its signal aborts before it is read', async () => {
  const places = createPlaces({ perClient: 1, what: 'streams' })
  const values = async function* () {
    yield 1
    yield 2
  }
  const follow = (signal = new AbortController().signal) => asClient(clientOf('a'), () => places.during(signal, values))
  const whole = follow()
  assert.throws(() => follow(), { code: 'QUEUE_FULL' } satisfies Partial<Failure>)
  for await (const _ of whole);
  const left = follow()
  for await (const _ of left) break
  const abort = new AbortController()
  follow(abort.signal)
  abort.abort()
  follow()
  assert.equal(places.taken(), 1)
})
