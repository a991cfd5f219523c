import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'

test('a text ends before the next one begins', () => {
  for (const [texts, joined] of [
    [
      ['text: Too small: expected string to have >=1 characters', 'Correct the field.'],
      'text: Too small: expected string to have >=1 characters. Correct the field.',
    ],
    [['It failed.', 'Try again.'], 'It failed. Try again.'],
    [['He said "no."', 'Ask (again?)', 'Wait…', 'Done'], 'He said "no." Ask (again?) Wait… Done'],
    [['再试一次。', 'Again'], '再试一次。 Again'],
    [[' One ', '', null, undefined, false, 'One', ' '], 'One'],
    [[], ''],
  ] as const)
    assert.equal(inSentences(...texts), joined)
})
