// Sign-ins that have begun, and the limits of those that fail: by a clock of the test.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailedSignIns } from '#control-plane/features/operate/people/oidc/attempts.ts'
import { isEndpoint } from '#control-plane/features/operate/people/oidc/bounded-fetch.ts'
import { createLogins, LOGIN_MS, MOST_LOGINS } from '#control-plane/features/operate/people/oidc/logins.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'

function open() {
  const times = { wall: 1_000_000, mono: 0 }
  const clock = { now: () => times.wall, mono: () => times.mono }
  return { times, clock, logins: createLogins({ clock, random }) }
}
const begun = { browser: 'b', source: '192.0.2.1', page: '#/jobs' }

test('a sign-in is for one use, its browser and ten minutes', () => {
  const { times, logins } = open()
  const { state, nonce, verifier, page } = logins.begin(begun)
  assert.equal(new Set([state, nonce, verifier]).size, 3)
  assert.equal(logins.take(state, []), null)
  assert.equal(logins.take(state, ['another']), null, 'which does not use it up')
  const login = logins.take(state, ['another', 'b'])
  assert.deepEqual([login?.nonce, login?.verifier, login?.page], [nonce, verifier, page])
  assert.equal(logins.take(state, ['b']), null)
  for (const pass of [() => (times.mono += LOGIN_MS), () => (times.wall += LOGIN_MS)]) {
    const { state: late } = logins.begin(begun)
    pass()
    assert.equal(logins.take(late, ['b']), null)
  }
  const { state: cleared } = logins.begin(begun)
  logins.clear()
  assert.equal(logins.take(cleared, ['b']), null)
})

test('many sign-ins of one address end its own oldest', () => {
  const { logins } = open()
  const mine = logins.begin({ ...begun, source: '192.0.2.9' })
  const all = Array.from({ length: MOST_LOGINS + 50 }, () => logins.begin(begun))
  assert.equal(logins.take(all[0]!.state, ['b']), null)
  assert.notEqual(logins.take(all.at(-1)!.state, ['b']), null)
  assert.notEqual(logins.take(mine.state, ['b']), null)
})

test('failures count for their address and for a minute, and an identity is news once an hour', () => {
  const { times, clock } = open()
  const attempts = createFailedSignIns(clock)
  for (let count = 0; count < 30; count++) {
    assert.equal(attempts.areMany('a'), false)
    attempts.count('a')
  }
  assert.deepEqual([attempts.areMany('a'), attempts.areMany('b')], [true, false])
  times.mono += 60_001
  assert.equal(attempts.areMany('a'), false)
  assert.deepEqual([attempts.isNews('x'), attempts.isNews('x')], [true, false])
  const others = Array.from({ length: 30 }, (_, at) => attempts.isNews(`y${at}`))
  assert.equal(others.filter(Boolean).length, 19)
  times.mono += 3600_001
  assert.equal(attempts.isNews('x'), true)
})

test('endpoints have TLS, or are on this machine with their issuer', () => {
  const local = 'http://127.0.0.1:8080'
  for (const [address, issuer, isAllowed] of [
    ['https://id.example/auth', 'https://id.example', true],
    ['https://other.example/auth', 'https://id.example', true],
    ['http://id.example/auth', 'https://id.example', false],
    ['http://127.0.0.1/auth', 'https://id.example', false],
    ['http://localhost:9/auth', local, true],
    ['http://[::1]:9/auth', local, true],
    ['http://127.0.0.1.evil.example/auth', local, false],
    ['file:///etc/passwd', local, false],
    ['', local, false],
  ] as const)
    assert.equal(isEndpoint(address, issuer), isAllowed, `${address} of ${issuer}`)
})
