import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ManuscriptChapter } from '#control-plane/features/books/render/manifest.ts'
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
  const cut = createSegmenter({ speakerOf, spoken: (text) => text, sampling, seed, varyRepeats })
  return (chapter: ManuscriptChapter) => [...cut(chapter)].filter((segment) => segment !== null)
}
const span = (text: string, more: object = {}) => ({ voice: null, text, pauseMs: 0, speed: null, endsParagraph: true, ...more })
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
  assert.deepEqual(gaps, [250, 450, 1500])
})

test('pauses at the edges of a chapter and after text that is not spoken are kept, and no other gap is at its end', () => {
  const cutOf = (pauseMsBefore: number, ...spans: ManuscriptChapter['spans']) => {
    const cut = createSegmenter({ speakerOf: () => voice('narrator'), spoken: (text) => text, sampling, seed: null, varyRepeats: false })
    const parts = cut({ title: '', pauseMsBefore, spans })
    const gaps: number[] = []
    let next = parts.next()
    for (; !next.done; next = parts.next()) if (next.value) gaps.push(next.value.gapMs)
    return { leadMs: next.value, gaps }
  }
  assert.deepEqual(cutOf(0, span('One.'), span('Two.')), { leadMs: 0, gaps: [450, 0] })
  assert.deepEqual(cutOf(700, span('One.', { pauseMs: 300 })), { leadMs: 700, gaps: [300] })
  assert.deepEqual(cutOf(100, span('…', { pauseMs: 900 }), span('One.')), { leadMs: 1_000, gaps: [0] })
  assert.deepEqual(cutOf(0, span('One.'), span('***', { pauseMs: 2_000 }), span('Two.')), { leadMs: 0, gaps: [2_000, 0] })
  assert.deepEqual(cutOf(0, span('One.', { pauseMs: 200 }), span('—', { pauseMs: 1_100 })), { leadMs: 0, gaps: [1_300] })
})
