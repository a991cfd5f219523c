import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createJoinTokens } from '#control-plane/trust/join-token.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

const WISH = { label: 'attic', endpoint: 'h:1', ttlSeconds: 60, workerId: null }
const refusal = (words: RegExp) => (error: unknown) => error instanceof Failure && error.code === 'AUTH_FAILED' && words.test(error.message)
type Open = ReturnType<typeof openLedger>
const tokensOf = ({ db, clock, audit }: Open) => createJoinTokens({ db, clock, random, audit })
const enrol = () => ({ workerId: 'w0', value: 'enrolled' })
const nobody = () => null

test('a code works once, and the worker it stands for is told its label', (t) => {
  const tokens = tokensOf(openLedger(t))
  const { id, secret } = tokens.create(WISH)
  assert.equal(
    tokens.redeem(
      id,
      secret,
      (token) => {
        assert.deepEqual(token, { label: 'attic', endpoint: 'h:1', workerId: null })
        return enrol()
      },
      nobody,
    ),
    'enrolled',
  )
  assert.throws(() => tokens.redeem(id, secret, enrol, nobody), refusal(/used already/))
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

test('an expired code says so, to whoever knows its secret', (t) => {
  const open = openLedger(t)
  const tokens = tokensOf(open)
  const { id, secret, expiresAt } = tokens.create(WISH)
  assert.equal(expiresAt, open.clock.now() + 60_000)
  open.clock.advance(60_000)
  assert.throws(() => tokens.redeem(id, secret, enrol, nobody), refusal(/has expired/))
  assert.throws(() => tokens.redeem(id, 'guess', enrol, nobody), refusal(/not known here/))
})

test('whoever does not know the secret learns nothing: not even that the code exists', (t) => {
  const tokens = tokensOf(openLedger(t))
  const { id, secret } = tokens.create(WISH)
  const said = (act: () => unknown) => {
    let message = ''
    assert.throws(act, (error: Error) => {
      message = error.message
      return true
    })
    return message
  }
  const wrong = said(() => tokens.redeem(id, `${secret}x`, enrol, nobody))
  assert.equal(
    said(() => tokens.redeem('0'.repeat(16), secret, enrol, nobody)),
    wrong,
  )
  tokens.redeem(id, secret, enrol, nobody)
  assert.equal(
    said(() => tokens.redeem(id, 'guess', enrol, nobody)),
    wrong,
    'also of a used one',
  )
})

test('an enrolment that fails leaves the code as it was, and nothing of what it wrote', (t) => {
  const open = openLedger(t)
  const tokens = tokensOf(open)
  const { id, secret } = tokens.create(WISH)
  const broken = () => {
    open.db.exec(`insert into setting (key, value) values ('half', 'done')`)
    throw new Error('no such luck')
  }
  assert.throws(() => tokens.redeem(id, secret, broken, nobody), /no such luck/)
  assert.equal(open.db.prepare(`select count(*) from setting where key = 'half'`).pluck().get(), 0)
  assert.equal(tokens.redeem(id, secret, enrol, nobody), 'enrolled')
})

test('the database knows no secret, and forgets codes nobody used', (t) => {
  const open = openLedger(t)
  const tokens = tokensOf(open)
  const { id, secret } = tokens.create(WISH)
  const rows = () => open.db.prepare('select * from join_token').all() as Record<string, unknown>[]
  assert.equal(JSON.stringify(rows()).includes(secret), false)
  open.clock.advance(25 * 3600_000)
  tokens.create(WISH)
  assert.deepEqual(
    rows().filter((row) => row['id'] === id),
    [],
  )
})

test('codes outlive a restart', (t) => {
  const open = openLedger(t)
  const { id, secret } = tokensOf(open).create(WISH)
  open.reopen()
  assert.equal(tokensOf(open).redeem(id, secret, enrol, nobody), 'enrolled')
})
