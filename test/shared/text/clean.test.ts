// The words of texts with marks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { withoutMarkup } from '#shared/text/clean/markup.ts'

const CASES: readonly [written: string, words: string][] = [
  ['This is **bold** and *italic*.', 'This is bold and italic.'],
  ['***Both***, __bold__ and _italic_', 'Both, bold and italic'],
  ['~~Gone~~ and `code`', 'Gone and code'],
  ['2 * 3 * 4 = 24 and 2**31 and 2**16', '2 * 3 * 4 = 24 and 2**31 and 2**16'],
  ['snake_case_name and __init__.py', 'snake_case_name and init.py'],
  ['# Title #', 'Title'],
  ['#1 is ours', '#1 is ours'],
  ['To buy:\n- Apples\n* Pears\n+ Plums\n- [x] Milk', 'To buy:\nApples\nPears\nPlums\nMilk'],
  ['1. First\n2. Second', '1. First\n2. Second'],
  ['-5 degrees\n- 5 degrees', '-5 degrees\n5 degrees'],
  ['> He said\n>> no', 'He said\nno'],
  ['One\n\n---\n\n* * *\n\nTwo', 'One\n\n\n\n\n\nTwo'],
  ['```ts\nlet a = 1\n```\nDone', '\nlet a = 1\n\nDone'],
  ['| Name | Age |\n|---|:-:|\n| Ana | 5 |', 'Name, Age\n\nAna, 5'],
  ['See [the page](https://example.org/a_b_c) or <https://example.org>.', 'See the page or https://example.org.'],
  ['![A cat](cat.png)', 'A cat'],
  ['It froze.[1] Then[2][3] it thawed[^note].', 'It froze. Then it thawed.'],
  ['[pause 500ms] a [[word|said]] [laughter] [2]', '[pause 500ms] a [[word|said]] [laughter] [2]'],
  ['x[1] + list[0] and row[2] = 5, arr[10](x)', 'x[1] + list[0] and row[2] = 5, arr[10](x)'],
  ['|x| + |y|', '|x| + |y|'],
  ['|a|b|\n|---|---|\n|c|d|', 'a, b\n\nc, d'],
  ['| Ana | 5 |', 'Ana, 5'],
  ['C:\\_temp_\\x and @_someone_', 'C:\\_temp_\\x and @_someone_'],
  ['**kwargs and **options, *.txt and *.md', '**kwargs and **options, *.txt and *.md'],
  ['Soft\u00adhyphen\u200b', 'Softhyphen'],
  ['**open and *never closed', '**open and *never closed'],
  ["don't `quote' this", "don't `quote' this"],
]

for (const [written, words] of CASES) test(`marks: ${JSON.stringify(written)}`, () => assert.equal(withoutMarkup(written), words))

test('no letter or figure of a text without notes and links is lost', () => {
  const piece = fc.constantFrom('**', '*', '_', '__', '`', '~~', '# ', '- ', '> ', '|', '\n', ' ', 'word', 'Wort2', '3', '.', '(', ')', '!')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      // The name of a language behind a fence is not for the listener.
      fc.pre(!/```|~~~/.test(text))
      const letters = (of: string) => of.replace(/[^\p{L}\p{N}]/gu, '')
      assert.equal(letters(withoutMarkup(text)), letters(text))
    }),
    { numRuns: 2000 },
  )
})

test('the time is linear for hostile marks', () => {
  for (const mark of ['*', '**', '_', '`', '~~', '[', '![a](', '|', '> ', '- ', '[1]', '**a', '*a ', '`a', '<https://'])
    for (const text of [mark.repeat(100_000), `${mark.repeat(50_000)}\n`.repeat(2), `${mark}x `.repeat(40_000)]) {
      const began = performance.now()
      withoutMarkup(text)
      assert.ok(performance.now() - began < 5_000, `${mark}: ${performance.now() - began} ms`)
    }
})
