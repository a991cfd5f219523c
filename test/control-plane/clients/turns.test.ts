import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asClient, type Client, currentClient, OWNER, STUDIO_CLIENT } from '#control-plane/clients/client.ts'
import { createTurns } from '#control-plane/clients/turns.ts'

const never = new AbortController().signal
const clientOf = (source: string, name = source): Client => ({ source, name, id: `address:${source}`, isOwner: false })

/** Work of clients that ends when it is told to, and the order in which it began. */
function openWork(inTurn: ReturnType<typeof createTurns>) {
  const begun: string[] = []
  const running = new Map<string, () => void>()
  return {
    begun,
    running,
    add(client: Client, name: string, signal = never) {
      const work = async () => {
        begun.push(name)
        assert.equal(currentClient(), client)
        const { promise, resolve } = Promise.withResolvers<void>()
        running.set(name, resolve)
        await promise
        running.delete(name)
      }
      return asClient(client, () => inTurn(signal, work))
    },
    async end(name: string) {
      running.get(name)!()
      for (let turns = 0; turns < 10; turns++) await null
    },
  }
}

test('work waits for its turn, leaves the queue with its signal, and is refused when too much waits', async () => {
  const inTurn = createTurns({ atOnce: 1, what: 'tests', waitingPerClient: 2 })
  const order: string[] = []
  const first = Promise.withResolvers<void>()
  const running = inTurn(never, () => first.promise)
  const abort = new AbortController()
  const left = inTurn(abort.signal, async () => order.push('left'))
  const second = inTurn(never, async () => order.push('second'))
  await assert.rejects(
    inTurn(never, async () => order.push('refused')),
    { code: 'QUEUE_FULL', message: /at most 2 places for waiting tests, and this one has 2/ },
  )
  abort.abort(new Error('left'))
  await assert.rejects(left, /left/)
  first.resolve()
  await Promise.all([running, second])
  await assert.rejects(
    inTurn(never, () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  await inTurn(never, async () => order.push('third'))
  assert.deepEqual(order, ['second', 'third'])
})

test('with one turn, a client with many waiting requests gets every second one', async () => {
  const work = openWork(createTurns({ atOnce: 1, what: 'tests' }))
  const [a, b] = [clientOf('a'), clientOf('b')]
  for (let at = 1; at <= 5; at++) void work.add(a, `a${at}`)
  void work.add(b, 'b1')
  void work.add(b, 'b2')
  for (let at = 0; at < 7; at++) await work.end(work.begun.at(-1)!)
  assert.deepEqual(work.begun, ['a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'a5'])
})

test('clients of one source share its turns, however many they are', async () => {
  const work = openWork(createTurns({ atOnce: 1, what: 'tests' }))
  for (let at = 1; at <= 4; at++) void work.add(clientOf('a', `a sign-in ${at}`), `a${at}`)
  void work.add(clientOf('b'), 'b1')
  void work.add(clientOf('b'), 'b2')
  for (let at = 0; at < 6; at++) await work.end(work.begun.at(-1)!)
  assert.deepEqual(work.begun, ['a1', 'b1', 'a2', 'b2', 'a3', 'a4'])
})

test('a client never runs more than its part, and the owner begins at once', async () => {
  const work = openWork(createTurns({ perClient: 1, what: 'tests' }))
  for (const source of ['a', 'a', 'b', 'c', 'd']) void work.add(clientOf(source), `${source}${work.begun.length}`)
  assert.deepEqual(work.begun, ['a0', 'b1', 'c2'], 'the second of a and that of d wait')
  void work.add(OWNER, 'owner')
  assert.equal(work.begun.at(-1), 'owner')
  await work.end('b1')
  assert.equal(work.begun.at(-1), 'd3', 'a has a turn already')
  await work.end('a0')
  assert.equal(work.begun.length, 6)
})

test('of those that wait, the owner goes first', async () => {
  const work = openWork(createTurns({ atOnce: 1, what: 'tests' }))
  void work.add(clientOf('a'), 'a1')
  void work.add(clientOf('b'), 'b1')
  void work.add(OWNER, 'owner')
  await work.end('a1')
  assert.deepEqual(work.begun, ['a1', 'owner'])
})

test('without a request, work counts as that of the studio', () => assert.equal(currentClient(), STUDIO_CLIENT))
