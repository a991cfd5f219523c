import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chaptersOfScript } from '#control-plane/features/books/book/manifest.rules.ts'
import { LayoutPauses, layoutPause } from '#control-plane/features/books/render/layout.ts'
import { BookManifest, type ManuscriptChapter } from '#control-plane/features/books/render/manifest.ts'
import { type BookVoice, createSegmenter } from '#control-plane/features/books/render/segments.rules.ts'

const voice = (id: string): BookVoice => ({
  id,
  engine: 'tone',
  implementation: 'tone',
  modelDigest: '',
  voiceDigest: id,
  language: 'en',
  seed: null,
})
const sampling = { num_step: null, guidance_scale: null, position_temperature: null, class_temperature: null, postprocess_output: null }
const segmenter = (varyRepeats = false, seed: number | null = null) => {
  const speakerOf = (span: { readonly voice: string | null }) => voice(span.voice ?? 'narrator')
  const cut = createSegmenter({ speakerOf, spoken: (text) => text, sampling, seed, varyRepeats, pauses: LayoutPauses.parse({}) })
  return (chapter: ManuscriptChapter) => [...cut(chapter)].filter((segment) => segment !== null)
}
const span = (text: string, more: object = {}) => ({
  ...{ voice: null, text, pauseMs: 0, speed: null, endsParagraph: true, endsLine: false, kinds: [] },
  ...more,
})
const chapter = (...spans: ManuscriptChapter['spans']): ManuscriptChapter => ({ title: 'One', pauseMsBefore: 0, spans })
const paragraph = (word: string) =>
  `The ${word} of this paragraph is long enough to stand for itself, because it has more than sixty letters.`

test('an edit changes the segments of its paragraph only', () => {
  const words = ['start', 'middle', 'end']
  const before = segmenter()(chapter(span(words.map(paragraph).join('\n\n'))))
  const after = segmenter()(chapter(span(['start', 'centre', 'end'].map(paragraph).join('\n\n'))))
  assert.deepEqual(
    before.map(({ key }, at) => key === after[at]!.key),
    [true, false, true],
  )
})

test('a key names voice, speed, seed and text, and neither gap nor place', () => {
  const keys = (...spans: ManuscriptChapter['spans']) => segmenter()(chapter(...spans)).map(({ key }) => key)
  const [plain] = keys(span('Hello there.'))
  const [first, second] = keys(span('Other.'), span('Hello there.', { pauseMs: 2000, endsParagraph: false }))
  assert.notEqual(first, plain)
  assert.equal(second, plain)
  for (const changed of [{ voice: 'Ann' }, { speed: 0.85 }]) assert.notEqual(keys(span('Hello there.', changed))[0], plain)
  assert.notEqual(segmenter(false, 7)(chapter(span('Hello there.')))[0]!.key, plain)
})

test('a take changes the seeds of its words, and of no others', async () => {
  const keysOf = async (text: string) => segmenter()((await chaptersOfScript(text))[0]!).map(({ key, text }) => [text, key] as const)
  const text = ['start', 'middle', 'end'].map(paragraph)
  const before = await keysOf(text.join('\n\n'))
  const takes = await Promise.all(
    [2, 3].map((take) => keysOf([text[0], `[voice:Ann] [voice:]`, `[take ${take}]${text[1]}[/take]`, text[2]].join('\n\n'))),
  )
  for (const after of takes) {
    assert.deepEqual(
      after.map(([words]) => words),
      before.map(([words]) => words),
    )
    assert.deepEqual(
      after.map(([, key], at) => key === before[at]![1]),
      [true, false, true],
    )
  }
  assert.notEqual(takes[0]![1]![1], takes[1]![1]![1])
  assert.deepEqual(await keysOf(`[take 2]${text[1]}\n\n${text[2]}`), [takes[0]![1], before[2]], 'ends with its paragraph')
})

test('equal lines sound equal unless repeats vary; silent text is left out', () => {
  const twice = chapter(span('Hello there.'), span('…'), span('Hello there.'))
  const equal = segmenter()(twice)
  assert.deepEqual([equal.length, equal[0]!.key === equal[1]!.key], [2, true])
  const varied = segmenter(true)(twice)
  assert.notEqual(varied[0]!.seed, varied[1]!.seed)
})

test('a pause replaces the gap of a sentence or paragraph', () => {
  const gaps = segmenter()(chapter(span('One.', { endsParagraph: false }), span('Two.'), span('Three.', { pauseMs: 1500 }))).map(
    ({ gapMs }) => gapMs,
  )
  assert.deepEqual(gaps, [250, 600, 1500])
})

test('pauses at the edges of a chapter and after text that is not spoken are kept, and no other gap is at its end', () => {
  const cutOf = (pauseMsBefore: number, ...spans: ManuscriptChapter['spans']) => {
    const pauses = LayoutPauses.parse({})
    const cut = createSegmenter({
      speakerOf: () => voice('narrator'),
      spoken: (text) => text,
      sampling,
      seed: null,
      varyRepeats: false,
      pauses,
    })
    const parts = cut({ title: '', pauseMsBefore, spans })
    const gaps: number[] = []
    let next = parts.next()
    for (; !next.done; next = parts.next()) if (next.value) gaps.push(next.value.gapMs)
    return { leadMs: next.value, gaps }
  }
  assert.deepEqual(cutOf(0, span('One.'), span('Two.')), { leadMs: 0, gaps: [600, 0] })
  assert.deepEqual(cutOf(700, span('One.', { pauseMs: 300 })), { leadMs: 700, gaps: [300] })
  assert.deepEqual(cutOf(100, span('…', { pauseMs: 900 }), span('One.')), { leadMs: 1_000, gaps: [0] })
  assert.deepEqual(cutOf(0, span('One.'), span('***', { pauseMs: 2_000 }), span('Two.')), { leadMs: 0, gaps: [2_000, 0] })
  assert.deepEqual(cutOf(0, span('One.', { pauseMs: 200 }), span('—', { pauseMs: 1_100 })), { leadMs: 0, gaps: [1_300] })
})

/** Each segment with the silence after it. */
async function heard(text: string, pauses: object = {}): Promise<(string | number)[]> {
  const cut = createSegmenter({
    ...{ speakerOf: () => voice('narrator'), spoken: (raw: string) => raw, sampling, seed: null, varyRepeats: false },
    pauses: LayoutPauses.parse(pauses),
  })
  return (await chaptersOfScript(text)).flatMap((chapter) => [...cut(chapter)].flatMap((one) => (one ? [one.text, one.gapMs] : [])))
}

test('each part of the layout has its own silence after it, and its marks are not spoken', async () => {
  const end = ['The end.', 0]
  for (const [written, ...said] of [
    ['## Part one', 'Part one', 900],
    ['A paragraph.', 'A paragraph.', 600],
    ['A paragraph.\nOf two lines.', 'A paragraph.', 300, 'Of two lines.', 600],
    ['- one\n- two\n\n- three', 'one', 350, 'two', 350, 'three', 600],
    ['1. one\n2. two', '1. one', 350, '2. two', 600],
    [
      'Roses are red,\nViolets are blue.\n\nSugar is sweet,\nAnd so are you.',
      ...['Roses are red,', 300, 'Violets are blue.', 600],
      ...['Sugar is sweet,', 300, 'And so are you.', 600],
    ],
    ['“Yes,” she said.\n\n— No.', '“Yes,” she said.', 450, '— No.', 450],
    ['> Roses are red,\n> Violets are blue.', 'Roses are red,', 300, 'Violets are blue.', 600],
    [
      'The quick brown fox jumps over the lazy dog [voice:x]and runs away\nto the [voice:]river where it drinks.',
      ...['The quick brown fox jumps over the lazy dog', 250, 'and runs away to the', 250, 'river where it drinks.', 600],
    ],
    ['> Quoted words.\n>\n> More of them.', 'Quoted words.', 600, 'More of them.', 600],
    ['| a | b |\n|---|:-:|\n| c | [[d|e]] |', ...['a', 250, 'b', 400], ...['c', 250, '[[d|e]]', 600]],
    ['One.\n\n* * *\n\nTwo.', 'One.', 1_800, 'Two.', 600],
    ['One.[pause 2s]\n\n* * *\n\nTwo.', 'One.', 2_000, 'Two.', 600],
    ['- one[pause 1s]\n- two', 'one', 1_000, 'two', 600],
    ['- [slow]one[/slow]\n- [voice:x]two', 'one', 350, 'two', 600],
    ['\\- one\n\n\\> two\n\n\\| 3 |\n\n\\1. four', '- one', 600, '> two', 600, '| 3 |', 600, '1. four', 600],
  ] as const)
    assert.deepEqual(await heard(`${written}\n\nThe end.`), [...said, ...end], written)
})

test('the silences of a book are settings with limits, and no key depends on them', async () => {
  const text = '## Head\n\nOne. Two.\n\n- a\n- b\n\nThe\nend.\n\n"Yes."\n\n> No.\n\n| a | b |\n| c |\n\n* * *\n\nEnd.'
  const pauses = Object.fromEntries(Object.keys(LayoutPauses.shape).map((name, at) => [name, 10 * at + 1]))
  const gaps = (await heard(text, pauses)).filter((one) => typeof one === 'number')
  const { heading, list_item, paragraph, verse_line, dialogue, quotation, table_cell, table_row, scene_break } = LayoutPauses.parse(pauses)
  const list = Math.max(list_item, paragraph)
  assert.deepEqual(gaps, [
    heading,
    paragraph,
    list_item,
    list,
    verse_line,
    paragraph,
    dialogue,
    quotation,
    table_cell,
    table_row,
    scene_break,
    0,
  ])
  for (const name of Object.keys(LayoutPauses.shape)) {
    for (const wrong of [-1, 10_001, 0.5, '1', null])
      assert.equal(LayoutPauses.safeParse({ [name]: wrong }).success, false, `${name} ${wrong}`)
    for (const right of [0, 10_000]) assert.equal(LayoutPauses.safeParse({ [name]: right }).success, true)
  }
  assert.equal(LayoutPauses.safeParse({ page: 1 }).success, false)
  const keys = (given: object) => {
    const cut = createSegmenter({
      ...{ speakerOf: () => voice('a'), spoken: (raw: string) => raw, sampling, seed: null },
      varyRepeats: false,
      pauses: LayoutPauses.parse(given),
    })
    return [...cut(chapter(span('One.\n\nTwo.\n\nThree.')))].map((one) => one?.key)
  }
  assert.deepEqual(keys(pauses), keys({}))
  assert.equal(layoutPause({ kind: 'paragraph', end: 'sentence' }, LayoutPauses.parse({ sentence: 7 })), 7)
})

test('a line, a cell and a paragraph are never joined with the next one', async () => {
  const words = await heard(Array.from({ length: 30 }, (_, at) => `No ${at}.`).join('\n\n'))
  assert.equal(words.length, 60)
})

test('a manifest of an earlier version is read, with the usual silences', () => {
  const span = { voice: null, text: 'One.\n\nTwo.', pauseMs: 0, speed: null, endsParagraph: true }
  const output = { format: 'mp3', bitrateKbps: 128, loudness: null, cover: null, metadata: {} }
  const about = { version: 1, kind: 'audiobook', title: 'A', model: 'tts-1', language: null, defaultVoice: null, voiceMap: {}, lexicon: {} }
  const manifest = BookManifest.parse({
    ...about,
    chapters: [{ title: 'A', spans: [span] }],
    sampling,
    seed: null,
    varyRepeats: false,
    unused: [],
    output,
  })
  assert.deepEqual(manifest.pauses, LayoutPauses.parse({}))
  assert.deepEqual(
    segmenter()(manifest.chapters[0]!).map(({ text, gapMs }) => [text, gapMs]),
    [
      ['One.', 600],
      ['Two.', 0],
    ],
  )
})
