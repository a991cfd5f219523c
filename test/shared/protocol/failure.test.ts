import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FAILURES } from '#shared/protocol/failure.ts'

test('every hint consists of full sentences', () => {
  for (const [code, { hint }] of Object.entries(FAILURES)) assert.match(hint, /^[A-Z][^;]*\.$/, code)
})
