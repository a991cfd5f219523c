import assert from 'node:assert/strict'
import { test } from 'node:test'
import { polished } from '#shared/text/polished.ts'

test('a missing full stop is that of the writing', () => {
  assert.deepEqual(['hello', 'hello.', '你好', '你好。', 'はい」'].map(polished), ['Hello.', 'Hello.', '你好。', '你好。', 'はい」。'])
  assert.deepEqual(['', ' \n', ' two\n words? ', 'ünder "it!"'].map(polished), ['', '', 'Two words?', 'Ünder "it!"'])
})
