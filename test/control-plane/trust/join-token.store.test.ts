import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJoinTokens } from '#control-plane/trust/join-token.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

const REQUEST = { label: 'attic', endpoint: 'h:1', ttlSeconds: 60, workerId: null }
const refusal = (words: RegExp) => (error: unknown) => error instanceof Failure && error.code === 'AUTH_FAILED' && words.test(error.message)
type Open = ReturnType<typeof openLedger>
const tokensOf = (open: Open) => createJoinTokens({ ...open, random })
const enrol = () => ({ workerId: 'w0', value: 'enrolled' })
const neverAgain = () => null

test('a code works once, and the worker gets its label', async (t) => {
  const tokens = tokensOf(openLedger(t))
  const { id, secret } = await tokens.create(REQUEST)
  assert.equal(
    tokens.redeem(
      id,
      secret,
      (token) => {
        assert.deepEqual(token, { label: 'attic', endpoint: 'h:1', workerId: null })
        return enrol()
      },
      neverAgain,
    ),
    'enrolled',
  )
  assert.throws(() => tokens.redeem(id, secret, enrol, neverAgain), refusal(/used already/))
  assert.equal(
    tokens.redeem(
      id,
      secret,
      () => assert.fail('spent'),
      (workerId) => `again ${workerId}`,
    ),
    'again w0',
  )
})

test('an expired code is reported to a caller with its secret', async (t) => {
  const open = openLedger(t)
  const tokens = tokensOf(open)
  const { id, secret, expiresAt } = await tokens.create(REQUEST)
  assert.equal(expiresAt, open.clock.now() + 60_000)
  open.clock.advance(60_000)
  assert.throws(() => tokens.redeem(id, secret, enrol, neverAgain), refusal(/has expired/))
  assert.throws(() => tokens.redeem(id, 'guess', enrol, neverAgain), refusal(/not known here/))
})

test('a clock that is set back prolongs no code, neither in this run nor in the next', async (t) => {
  const DAY_MS = 24 * 3600_000
  const open = openLedger(t)
  const tokens = tokensOf(open)
  const first = await tokens.create(REQUEST)
  const second = await tokens.create(REQUEST)
  open.clock.jump(-DAY_MS)
  open.clock.advance(59_000)
  assert.equal(tokens.redeem(first.id, first.secret, enrol, neverAgain), 'enrolled')
  open.clock.advance(1_000)
  assert.throws(() => tokens.redeem(second.id, second.secret, enrol, neverAgain), refusal(/has expired/))
  open.reopen()
  assert.throws(() => tokensOf(open).redeem(second.id, second.secret, enrol, neverAgain), refusal(/has expired/))
})

test('a caller without the secret does not even learn that the code exists', async (t) => {
  const tokens = tokensOf(openLedger(t))
  const { id, secret } = await tokens.create(REQUEST)
  const said = (act: () => unknown) => {
    let message = ''
    assert.throws(act, (error: Error) => {
      message = error.message
      return true
    })
    return message
  }
  const wrong = said(() => tokens.redeem(id, `${secret}x`, enrol, neverAgain))
  assert.equal(
    said(() => tokens.redeem('0'.repeat(16), secret, enrol, neverAgain)),
    wrong,
  )
  tokens.redeem(id, secret, enrol, neverAgain)
  assert.equal(
    said(() => tokens.redeem(id, 'guess', enrol, neverAgain)),
    wrong,
    'also of a used one',
  )
})

test('an enrolment that fails leaves the code as it was', async (t) => {
  const tokens = tokensOf(openLedger(t))
  const { id, secret } = await tokens.create(REQUEST)
  const broken = () => {
    throw new Error('no such luck')
  }
  assert.throws(() => tokens.redeem(id, secret, broken, neverAgain), /no such luck/)
  assert.equal(tokens.redeem(id, secret, enrol, neverAgain), 'enrolled')
})

test('a spent code that could not be written can be spent again', async (t) => {
  const open = openLedger(t)
  const tokens = tokensOf(open)
  const { id, secret } = await tokens.create(REQUEST)
  open.db.pragma('query_only = on')
  tokens.redeem(id, secret, enrol, neverAgain)
  await assert.rejects(open.commits.settled(), { code: 'STORAGE_FULL' })
  await assert.rejects(tokens.create(REQUEST), { code: 'STORAGE_FULL' })
  open.db.pragma('query_only = off')
  assert.equal(tokens.redeem(id, secret, enrol, neverAgain), 'enrolled')
  await open.commits.settled()
  open.reopen()
  assert.throws(() => tokensOf(open).redeem(id, secret, enrol, neverAgain), refusal(/used already/))
})

test('the database holds no secret, and unused codes are removed', async (t) => {
  const open = openLedger(t)
  const tokens = tokensOf(open)
  const { id, secret } = await tokens.create(REQUEST)
  const rows = () => open.db.prepare('select * from join_token').all() as Record<string, unknown>[]
  assert.equal(JSON.stringify(rows()).includes(secret), false)
  open.clock.advance(25 * 3600_000)
  await tokens.create(REQUEST)
  assert.deepEqual(
    rows().filter((row) => row['id'] === id),
    [],
  )
})

test('codes survive a restart', async (t) => {
  const open = openLedger(t)
  const { id, secret } = await tokensOf(open).create(REQUEST)
  open.reopen()
  assert.equal(tokensOf(open).redeem(id, secret, enrol, neverAgain), 'enrolled')
})
