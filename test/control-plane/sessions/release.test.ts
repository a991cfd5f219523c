import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetWithout } from '#control-plane/sessions/registry.ts'
import { openLedger, specOf } from '#test/support/doubles/ledger.ts'

test('a recording goes to no other machine when the chosen one is taken from it; other work does', (t) => {
  const { ledger } = openLedger(t)
  const targets = [
    ['asr', 'box'],
    ['vad', 'box'],
    ['asr', 'auto'],
    ['asr', 'local'],
    ['tts', 'box'],
  ].map(([operation, target]) =>
    targetWithout(ledger.submit(`${operation} ${target}`, specOf({ operation: operation!, target: target! }), '')),
  )
  assert.deepEqual(targets, ['local', 'local', 'auto', 'local', 'auto'])
})
