import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKeyGuard } from '#control-plane/http/access/key-guard.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createLog } from '#shared/runtime/log.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

const KEY = 'a-key-of-sixteen'
const ADDRESS = '192.0.2.1'

function open() {
  const clock = createFakeClock()
  let counted = 0
  const guard = createKeyGuard({ apiKey: KEY, clock, log: createLog('silent', 'test'), counted: () => void counted++ })
  /** Milliseconds until the refusal is sent, or the failure. */
  async function delayOf(address: string, isStrict = false): Promise<number | Failure> {
    const from = clock.mono()
    let answer: number | Failure | null = null
    guard.wrong(address, isStrict).then(
      () => (answer = clock.mono() - from),
      (error: unknown) => (answer = Failure.from(error)),
    )
    for (await turn(); answer === null; await turn()) clock.advance(50)
    return answer
  }
  return { clock, guard, delayOf, counted: () => counted }
}

test('each wrong key of an address is answered later, up to 3 s, and counted; other addresses are not affected', async () => {
  const { guard, delayOf, counted } = open()
  const delays: unknown[] = []
  for (let index = 0; index < 8; index++) delays.push(await delayOf(ADDRESS))
  assert.deepEqual(delays, [100, 200, 400, 800, 1600, 3000, 3000, 3000])
  assert.equal(await delayOf('192.0.2.2'), 100)
  assert.equal(counted(), 9)
  guard.forgive(ADDRESS)
  assert.equal(await delayOf(`::ffff:${ADDRESS}`), 100, 'a right key clears the record of the address')
})

test('requests at the same time are answered one after the other, and refused at once when too many wait', async () => {
  const { clock, guard } = open()
  const refused: Failure[] = []
  let answered = 0
  for (let index = 0; index < 50; index++)
    guard.wrong(ADDRESS).then(
      () => answered++,
      (error) => refused.push(Failure.from(error)),
    )
  await turn()
  assert.ok(clock.waiting() <= 8, `${clock.waiting()} wait`)
  assert.equal(refused.length, 50 - clock.waiting())
  assert.equal(refused[0]!.code, 'TOO_MANY_WRONG_KEYS')
  assert.ok(refused[0]!.retryAfterSeconds! >= 1)
  clock.advance(60_000)
  await turn()
  assert.equal(answered + refused.length, 50)
})

test('a sign-in is refused after 10 wrong keys in 60 s, with the time to wait', async () => {
  const { clock, delayOf } = open()
  for (let index = 0; index < 10; index++) assert.equal(typeof (await delayOf(ADDRESS, true)), 'number')
  const refused = await delayOf(ADDRESS, true)
  assert.ok(refused instanceof Failure)
  assert.ok(refused.retryAfterSeconds! <= 60)
  clock.advance(refused.retryAfterSeconds! * 1000)
  assert.equal(typeof (await delayOf(ADDRESS, true)), 'number')
})

test('all addresses of one IPv6 network are one source', async () => {
  const { delayOf } = open()
  assert.equal(await delayOf('2001:db8:1:2::1'), 100)
  assert.equal(await delayOf('2001:db8:1:2:ffff:ffff:ffff:fffe'), 200)
  assert.equal(await delayOf('2001:db8:1:2::'), 400)
  assert.equal(await delayOf('2001:db8:1:3::1'), 100)
  assert.equal(await delayOf('fe80::1%eth0'), 100)
  assert.equal(await delayOf('fe80::2%eth1'), 200)
})

test('records of at most 1024 addresses are kept', async () => {
  const { clock, guard, delayOf } = open()
  await delayOf(ADDRESS)
  for (let index = 0; index < 1024; index++) void guard.wrong(`10.0.${index >> 8}.${index & 255}`)
  clock.advance(1000)
  assert.equal(await delayOf(ADDRESS), 100)
})

test('keys are compared as a whole', () => {
  const { guard } = open()
  assert.equal(guard.isRight(KEY), true)
  for (const text of ['', KEY.slice(1), `${KEY}x`, KEY.toUpperCase()]) assert.equal(guard.isRight(text), false)
})
