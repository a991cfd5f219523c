import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shouldRenew } from '#shared/pki/rotation.ts'

const validity = { notBefore: 1_000, notAfter: 2_000 }

test('a certificate is renewed around half of its lifetime', () => {
  assert.equal(shouldRenew(1_499, validity, 0.5), false)
  assert.equal(shouldRenew(1_500, validity, 0.5), true)
  assert.equal(shouldRenew(1_399, validity, 0), false)
  assert.equal(shouldRenew(1_400, validity, 0), true)
  assert.equal(shouldRenew(1_599, validity, 1), false)
  assert.equal(shouldRenew(1_600, validity, 1), true)
})

test('an expired certificate or a clock jump follows the same rule', () => {
  assert.equal(shouldRenew(9_999, validity, 1), true)
  assert.equal(shouldRenew(0, validity, 0), false)
})
