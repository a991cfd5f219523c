import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asClient } from '#control-plane/clients/client.ts'
import { createSignIns, LIFETIME_MS, TICKET_MS } from '#control-plane/http/access/sign-ins.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const HOUR = 60 * 60_000
const open = () => {
  const clock = createFakeClock()
  return { clock, signIns: createSignIns({ clock, random }) }
}

test('a sign-in ends after 8 hours, also when it is used, and its streams end with it', () => {
  const { clock, signIns } = open()
  const { token, expiresAt } = signIns.begin('bearer')
  assert.match(token, /^svc_admin_session_[A-Za-z0-9_-]{43}$/)
  assert.equal(expiresAt, clock.now() + LIFETIME_MS)
  const found = signIns.find(token, 'bearer')!
  clock.advance(LIFETIME_MS - 1)
  assert.equal(signIns.find(token, 'bearer'), found)
  assert.equal(found.ended.aborted, false)
  clock.advance(1)
  assert.equal(signIns.find(token, 'bearer'), null)
  assert.equal(found.ended.aborted, true)
  assert.equal(clock.waiting(), 0)
})

test('a browser is signed out after 2 hours without a request', () => {
  const { clock, signIns } = open()
  const { token } = signIns.begin('cookie')
  for (let hours = 0; hours < 3; hours++) {
    clock.advance(2 * HOUR - 1)
    assert.ok(signIns.find(token, 'cookie'))
  }
  const found = signIns.find(token, 'cookie')!
  clock.advance(2 * HOUR)
  assert.equal(signIns.find(token, 'cookie'), null)
  assert.equal(found.ended.aborted, true)
})

test('a machine that slept, or whose clock was set back, keeps no sign-in longer', () => {
  for (const wallMs of [LIFETIME_MS, -LIFETIME_MS]) {
    const { clock, signIns } = open()
    const { token } = signIns.begin('bearer')
    clock.jump(wallMs)
    if (wallMs < 0) clock.advance(LIFETIME_MS)
    assert.equal(signIns.find(token, 'bearer'), null)
  }
})

test('the 257th sign-in ends the first', () => {
  const { signIns } = open()
  const tokens = Array.from({ length: 257 }, () => signIns.begin('bearer').token)
  assert.equal(signIns.find(tokens[0]!, 'bearer'), null)
  assert.ok(signIns.find(tokens[1]!, 'bearer'))
})

test('a ticket works once, on its path, for 30 s, and only while its sign-in lasts', () => {
  const { clock, signIns } = open()
  const signIn = signIns.find(signIns.begin('bearer').token, 'bearer')!
  const ticket = () => signIns.ticket(signIn, '/ws/events').token
  const first = ticket()
  assert.match(first, /^svc_ws_ticket_[A-Za-z0-9_-]{43}$/)
  assert.equal(signIns.redeem(first, '/ws/events'), signIn)
  assert.equal(signIns.redeem(first, '/ws/events'), null)

  const elsewhere = ticket()
  assert.equal(signIns.redeem(elsewhere, '/ws/transcribe'), null)
  assert.equal(signIns.redeem(elsewhere, '/ws/events'), null, 'a refused ticket is used up')

  const late = ticket()
  clock.advance(TICKET_MS)
  assert.equal(signIns.redeem(late, '/ws/events'), null)

  const orphan = ticket()
  signIns.end(signIn)
  assert.equal(signIns.redeem(orphan, '/ws/events'), null)

  const other = signIns.find(signIns.begin('bearer').token, 'bearer')!
  const many = Array.from({ length: 33 }, () => signIns.ticket(other, '/ws/events').token)
  assert.equal(signIns.redeem(many[0]!, '/ws/events'), null, 'the 33rd ticket displaces the first')
  assert.ok(signIns.redeem(many[1]!, '/ws/events'))
})

test('a client that signs in without end signs out its own address, and its tickets end none of others', () => {
  const { signIns } = open()
  const as = (source: string) =>
    asClient({ source, name: source, id: `address:${source}`, isOwner: false }, () => signIns.begin('bearer').token)
  const own = as('192.0.2.1')
  const ticket = signIns.ticket(signIns.find(own, 'bearer')!, '/ws/events').token
  const others = Array.from({ length: 600 }, () => as('192.0.2.2'))
  const found = others.filter((token) => signIns.find(token, 'bearer') !== null)
  assert.deepEqual(found, others.slice(-255))
  const signIn = signIns.find(others.at(-1)!, 'bearer')!
  const tickets = Array.from({ length: 600 }, () => signIns.ticket(signIn, '/ws/events').token)
  assert.equal(signIns.redeem(ticket, '/ws/events'), signIns.find(own, 'bearer'))
  assert.deepEqual([signIns.redeem(tickets[0]!, '/ws/events'), signIns.redeem(tickets.at(-1)!, '/ws/events')], [null, signIn])
})
