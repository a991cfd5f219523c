import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { addressOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()
const apertium = findProgram('apertium', process.env['PATH'])
const hasSpanish = apertium !== null && execFileSync(apertium, ['-l'], { encoding: 'utf8' }).includes('eng-spa')
const skip = hasSpanish ? false : 'apertium-eng-spa is not installed'
const translate = async (words: readonly string[], input?: string) =>
  studio(['translate', ...words], { env: addressOf(await open()), ...(input !== undefined && { input }) })

test('a text is translated line by line, and blank lines stay', { skip }, async () => {
  const one = await translate(['I', 'have a cat.', '--from', 'en', '--to', 'Spanish', '--quiet'])
  assert.deepEqual([one.code, one.output, one.errors], [0, 'Tengo un gato.\n', ''])
  const piped = await translate(['-', '--to', 'es', '--from', 'English'], 'I have a cat.\r\n\r\n  \nThe house is big.')
  assert.deepEqual([piped.code, piped.output], [0, 'Tengo un gato.\n\n  \nLa casa es grande.\n'], piped.errors)
  const json = await translate(['I have a cat.', '--to', 'es', '--from', 'en', '--json'])
  assert.deepEqual(jsonIn(json.output), {
    text: 'Tengo un gato.',
    source_lang: 'en',
    target_lang: 'es',
    lines: [{ text: 'Tengo un gato.' }],
    notices: [],
  })
})

test('more lines than one request takes keep their order', { skip }, async () => {
  const { code, output, errors } = await translate(['-', '--to', 'es', '--from', 'en', '--quiet'], 'I have a cat.\n'.repeat(1_001))
  assert.equal(code, 0, errors)
  assert.equal(output, 'Tengo un gato.\n'.repeat(1_001))
})

test('what cannot be translated is refused with the way out', async () => {
  for (const [words, code, message] of [
    [['--to', 'es'], 2, /The text is missing: translate "Good morning\." --to es/],
    [['Hello.'], 2, /Name a language to translate to/],
    [['Hello.', '--to', 'Spansh'], 2, /Did you mean 'Spanish' \(es\)/],
    [[' ', '--to', 'es'], 2, /The text is empty/],
    [[`x\n${'x'.repeat(5_001)}`, '--to', 'es'], 2, /Line 2 has more than 5000 characters\. Break it/],
    [['Hello.', '--to', 'ja', '--from', 'en'], 1, /has the pair en-ja\. Install a model/],
  ] as const) {
    const refused = await translate(words)
    assert.deepEqual([refused.code, refused.output], [code, ''], words.join(' ').slice(0, 60))
    assert.match(refused.errors, message)
  }
})
