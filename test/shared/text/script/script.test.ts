import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tableRowOf } from '#shared/text/script/line.ts'
import { escapeScript, parseScript, scriptSteps } from '#shared/text/script/script.ts'
import type { ScriptSpan } from '#shared/text/script/span.ts'
import { titleLine } from '#shared/text/script/title-line.ts'
import { cpuMs } from '#test/fuzz/texts/text-entrances.ts'

const brief = ({ voice, text, pauseMsAfter, speed, endsParagraph }: ScriptSpan) =>
  [voice ?? '-', text, pauseMsAfter || '', speed ?? '', endsParagraph ? '¶' : ''].join('|')
const parsed = (text: string) => parseScript(text).map(({ title, spans }) => [title, ...spans.map(brief)])

test('one mark and a blank begin a chapter; deeper headings are paragraphs', () => {
  assert.deepEqual(parsed('Before.\n# One\nText.\n## Part\nMore.\n#Two\n# \n'), [
    ['', '-|Before.|||¶'],
    ['One', '-|Text.\n\nPart\n\nMore.\n#Two|||¶'],
  ])
  assert.deepEqual(parsed('# Only a title'), [['Only a title']])
  assert.deepEqual(parsed(''), [])
  assert.deepEqual(parsed(' \n\n\r\n'), [])
})

test('a voice holds to the next switch or chapter', () => {
  assert.deepEqual(parsed('A [voice:Ann ] b\n\nc [voice:] d [voice:BOB]e [voice:Default]f\n# T\ng'), [
    ['', '-|A|||', 'Ann|b\n\nc|||', '-|d|||', 'BOB|e|||', '-|f|||¶'],
    ['T', '-|g|||¶'],
  ])
})

test('pauses follow what precedes them and add up', () => {
  assert.deepEqual(parsed('[pause]A [pause 1s][pause 250ms] b\n\n[pause 2s]\nc [pause 90s][pause x]'), [
    ['', '-|A|1250||', '-|b|2000||¶', '-|c|60000||', '-|[pause x]|||¶'],
  ])
})

test('styles nest, change the speed and end with their paragraph', () => {
  assert.deepEqual(parsed('a [slow]b [emphasis]c[/emphasis] d[/slow] e [fast]f\n\ng[/fast] h'), [
    ['', '-|a|||', '-|b||0.85|', '-|c||0.791|', '-|d||0.85|', '-|e|||', '-|f||1.15|¶', '-|g h|||¶'],
  ])
  assert.deepEqual(parsed('[spell]NASA 42, é[/spell]!'), [['', '-|N A S A 4 2, é|||', '-|!|||¶']])
})

test('escapes, inline pronunciations and other tags are text', () => {
  assert.deepEqual(parsed('\\# no \\[pause] [[read|red]] [laughter] [a\\\\ [/slow] ['), [
    ['', '-|# no [pause] [[read|red]] [laughter] [a\\  [|||¶'],
  ])
})

test('lines end as in any text', () => {
  const piece = fc.constantFrom(
    ...['# ', '## ', '[pause]', '[voice:x]', '[slow]', '\\', '\n', '\r\n', '\r', '\u2028', '\u0085', 'word', ' ', 'e', '\u0301'],
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      const plain = text
        .normalize('NFC')
        .split(/\r\n|[\n\r\u2028\u2029]/)
        .join('\n')
      assert.deepEqual(parseScript(text), parseScript(plain))
    }),
  )
})

test('a large script is parsed in many steps, with lines and without', () => {
  const part = (at: number) => `${at % 40 === 39 ? `# Part ${at}\n` : ''}One [slow]two[/slow]. ${'three '.repeat(40)}[pause]`
  const book = Array.from({ length: 2_000 }, (_, at) => part(at)).join('\n\n')
  for (const text of [book, book.replaceAll('\n', ' ')]) {
    const steps = scriptSteps(text)
    let count = 1
    while (!steps.next().done) count++
    assert.ok(count >= text.length / 16_384, `${count} steps for ${text.length} characters`)
  }
})

test('a step is short for lines without words, for titles and for lines without end', () => {
  const book = 2 ** 17
  for (const unit of [
    '\n',
    '\r',
    '\u2028',
    '\t\n',
    '# t\n',
    '# \n',
    '## \n',
    '#\t\r',
    'x',
    'word ',
    '[slow]',
    '[take 2]',
    '[/take]',
    '\\\\',
    '\u0323\u0307',
    '[[',
    '# x\n[pause]\n',
  ]) {
    const steps = scriptSteps(unit.repeat(Math.ceil(book / unit.length)), 10_000)
    const times: number[] = []
    for (let isOver = false; !isOver; )
      times.push(
        cpuMs(() => {
          isOver = steps.next().done === true
        }),
      )
    // The first steps are compiled while they run, and a collection of garbage is part of any step.
    const longest = times.toSorted((a, b) => b - a)[2] ?? 0
    assert.ok(longest < 100, `${JSON.stringify(unit)}: a step of ${Math.round(longest)} ms, of ${times.length}`)
    const refused = times.reduce((sum, ms) => sum + ms, 0)
    assert.ok(refused < 3_000, `${JSON.stringify(unit)}: ${Math.round(refused)} ms`)
  }
})

test('it ends early with more chapters than are allowed, and counts only those with a title or words', () => {
  const chaptersOf = (text: string, most: number) => {
    const steps = scriptSteps(text, most)
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
    }
  }
  assert.equal(chaptersOf('# a\n'.repeat(500_000), 10).length, 11)
  assert.equal(chaptersOf(`${'# a\n'.repeat(10)}${'# \n'.repeat(1_000)}`, 10).length, 10)
  assert.equal(chaptersOf(`One.\n${'# \n'.repeat(50)}# b\n# \n`, 2).length, 2)
  assert.ok(chaptersOf('# \nWords.\n'.repeat(500_000), 10).length <= 12)
})

test('escaped text is read as it is, and no text fails', () => {
  const piece = fc.oneof(
    fc.constantFrom('# ', '## ', '[pause]', '[voice:x]', '[slow]', '[[a|b]]', '\\', '\n', '\n\n', 'word', ' '),
    fc.constantFrom('- ', '12. ', '> ', '>', '|', '* * *', '***', '\t', '  ', '\u2028', '\r\n', '[skip] '),
    fc.string(),
  )
  const any = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(''))
  const bare = (text: string) => text.normalize('NFC').replaceAll(/\s+/g, '')
  fc.assert(
    fc.property(any, (text) => {
      parseScript(text)
      const chapters = parseScript(escapeScript(text))
      assert.ok(chapters.length <= 1)
      const words = (chapters[0]?.spans ?? []).map((span) => span.text).join('')
      assert.equal(bare(words), bare(text.replaceAll(/^#{2,}[ \t]+/gm, (mark) => mark)))
    }),
    { numRuns: 2_000, seed: 3 },
  )
})

const kindsOf = (text: string) =>
  parseScript(text).flatMap(({ spans }) =>
    spans.flatMap(({ text, kinds }) => text.split('\n\n').map((part, at) => [kinds[at] ?? 'paragraph', part] as const)),
  )

test('the marks of a line say of what kind it is, and are not in its text', () => {
  for (const [written, ...expected] of [
    ['## Head', ['heading', 'Head']],
    ['#### Head', ['heading', 'Head']],
    ['- one\n - two', ['listItem', 'one\ntwo']],
    ['- one\n  that goes on', ['listItem', 'one   that goes on']],
    ['1984. one\n-two', ['listItem', '1984. one'], ['paragraph', '-two']],
    ['- one\n\n- two\n\nThree.', ['listItem', 'one\ntwo'], ['paragraph', 'Three.']],
    ['To buy:\n- eggs\nThat is all.', ['paragraph', 'To buy:'], ['listItem', 'eggs'], ['paragraph', 'That is all.']],
    ['> one\n> > two\n>\n> - three', ['quotation', 'one\ntwo'], ['quotation', 'three']],
    ['| a | \\| |\n|---|\n|[[b|c]]||', ['tableRow', 'a\t|\n[[b|c]]']],
    ['| a', ['paragraph', '| a']],
    ['One\ntwo', ['verse', 'One\ntwo']],
    ['“One\ntwo”', ['verse', '“One\ntwo”']],
    ['one\n\n  * * *\n***\n\n**', ['paragraph', 'one'], ['sceneBreak', '* * *'], ['sceneBreak', '***'], ['paragraph', '**']],
    [
      '"Yes."\n\n„Ja.“\n\n»Ja.«\n\n«Oui.»\n\n— Sí.\n\n「はい。」',
      ...['"Yes."', '„Ja.“', '»Ja.«', '«Oui.»', '— Sí.', '「はい。」'].map((text) => ['dialogue', text]),
    ],
    [
      "'Yes,' he said.\n\n'Tis late.\n\n’Tis late.",
      ['dialogue', "'Yes,' he said."],
      ['paragraph', "'Tis late."],
      ['paragraph', '’Tis late.'],
    ],
    ['[voice:Ann] "Yes."', ['dialogue', '"Yes."']],
    ['- \\- one\n> \\# two', ['listItem', '- one'], ['quotation', '# two']],
    ['5 > 3\n\na - b\n\n1.5 m\n\n-5 °C\n\na | b |', ...['5 > 3', 'a - b', '1.5 m', '-5 °C', 'a | b |'].map((text) => ['paragraph', text])],
  ] as readonly (readonly [string, ...(readonly string[])[]])[])
    assert.deepEqual(kindsOf(written), expected, written)
})

test('wrapped prose is no verse, and lines that are longer than verse are paragraphs', () => {
  const prose =
    'It was the best of times, it was the worst of times, it was the\nage of wisdom, it was the age of foolishness, it was the epoch\nof belief.'
  const long = `${'word '.repeat(40)}\n${'word '.repeat(30)}`.trim()
  const verse =
    'Rough was the road and long the way to go?\nThou art more lovely and more temperate:\nRough winds do shake the darling buds of May,'
  for (const [text, kind] of [
    [prose, 'paragraph'],
    [long, 'paragraph'],
    [verse, 'verse'],
    ['春眠暁を覚えず\n処処啼鳥を聞く', 'verse'],
    [
      '吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつ\nかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だ\nけは記憶している。',
      'paragraph',
    ],
  ] as const)
    assert.deepEqual(
      kindsOf(text).map(([kind]) => kind),
      [kind],
      text,
    )
})

test('a line that ends where a voice or a style changes ends its line', () => {
  assert.deepEqual(
    parseScript('- [slow]a[/slow]\n- b [voice:x]\n- c\n\nd').flatMap(({ spans }) =>
      spans.map(({ text, endsLine, endsParagraph, kinds }) => [text, endsLine, endsParagraph, kinds[0]]),
    ),
    [
      ['a', true, false, 'listItem'],
      ['b', true, false, 'listItem'],
      ['c\n\nd', true, true, 'listItem'],
    ],
  )
})

test('there is a kind for each paragraph of a span', () => {
  const piece = fc.constantFrom(
    '- ',
    '1. ',
    '> ',
    '| a |',
    '* * *',
    '## ',
    '"',
    '\n',
    '\n',
    '\n\n',
    'word',
    ' ',
    '\t',
    '[slow]',
    '[/slow]',
    '[voice:x]',
    '[pause]',
    '[/fast]',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      for (const { spans } of parseScript(pieces.join('')))
        for (const { text, kinds } of spans) {
          assert.notEqual(text.trim(), '')
          if (kinds.length > 0) assert.equal(kinds.length, text.split(/\n[^\S\n]*\n\s*/).length, JSON.stringify(text))
        }
    }),
    { numRuns: 3_000, seed: 5 },
  )
})

test('a chapter is switched off by [skip], and a title that begins so is escaped', () => {
  const chapters = (text: string) => parseScript(text).map(({ title, included, spans }) => [title, included, spans.length])
  assert.deepEqual(chapters('# [skip] Contents\nOne\n# [SKIP]\nTwo\n# [skipped] Three\n# \\[skip] Four'), [
    ['Contents', false, 1],
    ['', false, 1],
    ['[skipped] Three', true, 0],
    ['[skip] Four', true, 0],
  ])
  fc.assert(
    fc.property(fc.array(fc.constantFrom('[skip]', '\\', ' ', 'a', '#'), { maxLength: 6 }), fc.boolean(), (pieces, included) => {
      const title = pieces.join('').trim()
      assert.deepEqual(chapters(`${titleLine({ title, included })}\nText`), [[title, included, 1]])
    }),
  )
})

test('escaped text after the mark of a line is read as it is', () => {
  const piece = fc.constantFrom('# ', '- ', '12. ', '> ', '|', '***', '\\', '[pause]', 'word', ' ', '"')
  const any = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `x${pieces.join('')}`.slice(1))
  fc.assert(
    fc.property(any, fc.constantFrom('## ', '- ', '7. ', '> '), (text, mark) => {
      const spans = parseScript(`${mark}${escapeScript(text)}`).flatMap((chapter) => chapter.spans)
      const expected = mark === '7. ' ? `7. ${text}` : text
      assert.equal(
        spans
          .map((span) => span.text)
          .join('')
          .replaceAll(/\s+/g, ''),
        expected.replaceAll(/\s+/g, ''),
      )
    }),
    { numRuns: 1_000, seed: 7 },
  )
})

test('a row of cells is read as these cells', () => {
  const cell = fc.array(fc.constantFrom('|', '\\', '[', 'a', '- ', '> ', '---'), { maxLength: 6 }).map((pieces) => pieces.join(''))
  const bare = (text: string) => text.replaceAll(/\s+/g, '')
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), (cells) => {
      const [span] = parseScript(`${tableRowOf(['Word', ...cells.map(escapeScript)])}`)[0]!.spans
      assert.equal(bare(span!.text), bare(['Word', ...cells].join('')))
    }),
    { numRuns: 1_000, seed: 2 },
  )
  assert.equal(parseScript(tableRowOf(['a', '[[b|c]]']))[0]!.spans[0]!.text, 'a\t[[b|c]]')
})

test('a manuscript of nothing but marks is read in linear time', () => {
  for (const unit of [
    '- ',
    '> ',
    '| ',
    '|a',
    '* ',
    '1. ',
    '\t',
    '- a\n',
    '> a\n',
    '|a|\n',
    '|a|\n\n',
    '* * *\n',
    "'a",
    '"\n',
    'a\n',
    '\\|',
    '[a]',
    ' \\- ',
  ]) {
    const msOf = (size: number) => cpuMs(() => parseScript(unit.repeat(size / unit.length)))
    msOf(2 ** 15)
    const [small, large] = [msOf(2 ** 15), msOf(2 ** 18)]
    assert.ok(large < 40 * (small + 10), `${JSON.stringify(unit)}: ${Math.round(small)} and ${Math.round(large)} ms`)
  }
})

test('a pause before the first words of a chapter is kept, also that of a heading without text', () => {
  const leads = (text: string) => parseScript(text).map(({ title, pauseMsBefore, spans }) => [title, pauseMsBefore, spans.length])
  assert.deepEqual(leads('[pause 2s]\nHello.'), [['', 2_000, 1]])
  assert.deepEqual(leads('# A\n\n[pause 1s] [pause:0.5s]\nHello.[pause 3s]\n# B\nThere.'), [
    ['A', 1_500, 1],
    ['B', 0, 1],
  ])
  assert.deepEqual(leads('[pause 1s]\n# Part\n[pause 2s]\n# One\n[pause 4s]Words.'), [
    ['Part', 0, 0],
    ['One', 7_000, 1],
  ])
  assert.deepEqual(leads(`${'[pause 50s]'.repeat(3)}Hello.`), [['', 60_000, 1]])
})
