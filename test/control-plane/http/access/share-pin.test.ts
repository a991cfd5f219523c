import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSharePin, GUESSES } from '#control-plane/http/access/share-pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createLog } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

function open() {
  const clock = createFakeClock()
  const pins = createSharePin({ clock, random, log: createLog('silent', 'test') })
  const pin = pins.begin()
  /** The n-th of the wrong PINs. */
  const wrong = (index: number) => String((Number(pin) + 1 + index) % 1_000_000).padStart(6, '0')
  const answer = (text: string, address = '192.0.2.1'): 'right' | 'wrong' | Failure => {
    try {
      return pins.redeem(text, address) === null ? 'wrong' : 'right'
    } catch (error) {
      return Failure.from(error)
    }
  }
  return { clock, pins, pin, wrong, answer }
}
const isRefused = (answer: unknown): answer is Failure => answer instanceof Failure && answer.code === 'TOO_MANY_WRONG_PINS'

test('a PIN has six random digits, and each turning on has its own PIN and token', () => {
  const { pins } = open()
  const drawn = new Set(Array.from({ length: 200 }, () => pins.begin()))
  for (const pin of drawn) assert.match(pin, /^\d{6}$/)
  assert.ok(drawn.size > 190)
  const pin = pins.pin()!
  const token = pins.redeem(pin, 'x')!
  const device = pins.deviceOf(token)
  assert.match(device!, /^[A-Za-z0-9_-]{22}$/)
  const next = pins.begin()
  assert.equal(pins.deviceOf(token), null)
  assert.equal(pins.deviceOf(pins.redeem(next, 'x', token)!), device, 'a device that sends the new PIN keeps its id')
  pins.end()
  assert.deepEqual([pins.pin(), pins.redeem(pin, 'x'), pins.deviceOf(token)], [null, null, null])
})

test('each device has an id of its own, which no other text of its form proves', () => {
  const { pins, pin } = open()
  const tokens = Array.from({ length: 50 }, () => pins.redeem(pin, 'x')!)
  assert.equal(new Set(tokens.map((token) => pins.deviceOf(token))).size, 50)
  const [one = '', other = ''] = tokens
  const half = 'svc_pin_'.length + 21
  for (const text of ['', 'svc_pin_', one.slice(0, -1), `${one}A`, one.slice(0, half) + other.slice(half), `svc_pin_${'A'.repeat(43)}`])
    assert.equal(pins.deviceOf(text), null, text)
})

test('after 10 different wrong PINs in 60 s a source is refused, with the right one as well; other sources are not', () => {
  const { clock, pin, wrong, answer } = open()
  for (let index = 0; index < 10; index++) assert.equal(answer(wrong(index)), 'wrong')
  const refused = answer(pin)
  assert.ok(isRefused(refused))
  assert.equal(refused.retryAfterSeconds, 60)
  assert.equal(answer(pin, '192.0.2.2'), 'right')
  clock.advance(60_000)
  assert.equal(answer(pin), 'right')
})

test('a device that repeats one wrong PIN does not use the guesses up', () => {
  const { pin, wrong, answer } = open()
  for (let count = 0; count < 1_000; count++) assert.equal(answer(wrong(0)), 'wrong')
  assert.equal(answer(pin), 'right')
})

test(`after ${GUESSES} different wrong PINs of all sources no new device is accepted, and those with a token are`, () => {
  const { clock, pins, pin, wrong, answer } = open()
  const token = pins.redeem(pin, '192.0.2.1')!
  let compared = 0
  for (let index = 0; index < 5_000; index++) if (answer(wrong(index), `10.0.${index >> 8}.${index & 255}`) === 'wrong') compared++
  assert.equal(compared, GUESSES)
  clock.advance(24 * 60 * 60_000)
  assert.ok(isRefused(answer(pin)))
  assert.notEqual(pins.deviceOf(token), null)
  assert.equal(answer(pins.begin()), 'right', 'a new PIN starts again')
})

test('texts that are no PINs are wrong and not counted', () => {
  const { pin, answer } = open()
  for (const text of ['', '12345', '1234567', ' 123456', 'abcdef', '１２３４５６', `${pin}\0`, 'x'.repeat(100_000)])
    for (let count = 0; count < 20; count++) assert.equal(answer(text), 'wrong')
  assert.equal(answer(pin), 'right')
})

test('the addresses of one IPv6 network are one source', () => {
  const { pin, wrong, answer } = open()
  for (let index = 0; index < 10; index++) assert.equal(answer(wrong(index), `2001:db8:1:2::${index}`), 'wrong')
  assert.ok(isRefused(answer(pin, '2001:db8:1:2:ffff::1')))
  assert.equal(answer(pin, '2001:db8:1:3::1'), 'right')
})

test('every PIN is equally likely: the values of an incomplete block are drawn again', () => {
  const drawn = [0xff_ff_ff_ff, 4_294_000_000, 4_293_999_999]
  const bytes = (count: number) => {
    const all = Buffer.alloc(count)
    if (count === 4) all.writeUInt32BE(drawn.shift()!)
    return all
  }
  const pins = createSharePin({ clock: createFakeClock(), random: { ...random, bytes }, log: createLog('silent', 'test') })
  assert.equal(pins.begin(), '999999')
})
