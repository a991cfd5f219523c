import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ConnectionRefusal, formatConnectionString, parseConnectionString } from '#shared/protocol/codes/connection-string.ts'
import { Failure } from '#shared/protocol/failure.ts'

const secret = `svcnode_${'a'.repeat(43)}`
const fingerprint = 'ab'.repeat(32)
const good = formatConnectionString({ secret, host: '10.0.0.7', port: 7444, fingerprint })

test('a formatted connection string is parsed again, with IPv6 and surrounding blanks', () => {
  assert.deepEqual(parseConnectionString(` ${good}\n`), { secret, host: '10.0.0.7', port: 7444, fingerprint })
  const six = { secret, host: 'fe80::1', port: 1, fingerprint }
  assert.deepEqual(parseConnectionString(formatConnectionString(six)), six)
  assert.equal(parseConnectionString(good.replace('ab'.repeat(32), 'AB'.repeat(32))).fingerprint, fingerprint)
  assert.ok(good.length <= 512)
})

test('each refusal has its own reason and message', () => {
  const cases: readonly (readonly [string, ConnectionRefusal])[] = [
    ['   ', 'blank'],
    ['10.0.0.7:7444', 'no-scheme'],
    ['svcx_bad', 'not-one'],
    ['https://10.0.0.7:7444', 'other-scheme'],
    ['svcj_abcdef', 'join-code'],
    [`svcnode://svcj_abc@h:1?fingerprint=${fingerprint}`, 'join-code'],
    [`svcnode://10.0.0.7:7444?fingerprint=${fingerprint}`, 'no-secret'],
    [`svcnode://@h:1?fingerprint=${fingerprint}`, 'no-secret'],
    [`svcnode://svcnode_short@h:1?fingerprint=${fingerprint}`, 'bad-secret'],
    [`svcnode://${secret}@:1?fingerprint=${fingerprint}`, 'no-host'],
    [`svcnode://${secret}@?fingerprint=${fingerprint}`, 'no-host'],
    [`svcnode://${secret}@h?fingerprint=${fingerprint}`, 'no-port'],
    [`svcnode://${secret}@h:?fingerprint=${fingerprint}`, 'no-port'],
    [`svcnode://${secret}@h:0?fingerprint=${fingerprint}`, 'bad-port'],
    [`svcnode://${secret}@h:65536?fingerprint=${fingerprint}`, 'bad-port'],
    [`svcnode://${secret}@h:abc?fingerprint=${fingerprint}`, 'bad-port'],
    [`svcnode://${secret}@h:1`, 'bad-fingerprint'],
    [`svcnode://${secret}@h:1?fingerprint=12`, 'bad-fingerprint'],
    [`svcnode://${secret}@h:1?fingerprint=${fingerprint}&fingerprint=${fingerprint}`, 'bad-fingerprint'],
  ]
  const seen = new Map<string, string>()
  for (const [text, reason] of cases) {
    assert.throws(
      () => parseConnectionString(text),
      (error) => {
        assert.ok(error instanceof Failure)
        assert.equal((error.detail as { reason: string }).reason, reason, text)
        seen.set(reason, error.message)
        return true
      },
    )
  }
  assert.equal(new Set(seen.values()).size, seen.size)
})

test('any pasted text is parsed or refused, and a refusal never contains a secret', () => {
  fc.assert(
    fc.property(fc.nat(good.length), fc.nat(8), fc.string({ maxLength: 8 }), (at, cut, put) => {
      const text = good.slice(0, at) + put + good.slice(at + cut)
      try {
        parseConnectionString(text)
      } catch (error) {
        assert.ok(error instanceof Failure)
        assert.equal(error.code, 'BAD_REQUEST')
        assert.ok(!error.message.includes('aaaaaaaa'))
      }
    }),
    { numRuns: 2_000 },
  )
})
