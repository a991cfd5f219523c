// The pure parts of a transcription: parts of a film, sentences, ids and speakers, what was edited, reference clips, and cleaning.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanedLines } from '#control-plane/features/dubbing/lines/cleanup.rules.ts'
import {
  digestsOf,
  lineId,
  spokenLines,
  withIds,
  withoutOverwriting,
} from '#control-plane/features/dubbing/lines/transcribe/lines.rules.ts'
import { addLevels, filmSpansOf, LEVELS_PER_SECOND } from '#control-plane/features/dubbing/lines/transcribe/parts.rules.ts'
import {
  edgesInPauses,
  isClear,
  referenceCandidates,
  referencePart,
  referenceScore,
  referenceSound,
} from '#control-plane/features/dubbing/lines/transcribe/references.rules.ts'
import {
  cutInPauses,
  readable,
  type Utterance,
  type UtteranceWord,
  utterancesOf,
  withoutLeadingSilence,
} from '#control-plane/features/dubbing/lines/transcribe/utterances.rules.ts'
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import { withSpeakers } from '#control-plane/features/listening/recognition/transcript/speakers.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { seeded } from '#test/support/doubles/seeded.ts'

const line = (id: string, start: number, end: number, text = id, more: Partial<DubLine> = {}) =>
  dubLine({ id, startUs: start * 1e6, endUs: end * 1e6, text, ...more })

test('parts cover the film without overlaps, and are cut in pauses', () => {
  const random = seeded(3)
  for (let round = 0; round < 200; round++) {
    const seconds = 1 + random.unit() * 400
    const levels = Array.from({ length: Math.ceil(seconds * LEVELS_PER_SECOND) }, () => (random.unit() < 0.1 ? 0 : 1_000))
    const parts = filmSpansOf(levels, seconds)
    assert.equal(parts[0]!.from, 0)
    assert.equal(parts.at(-1)!.to, seconds)
    for (const [at, { from, to }] of parts.entries()) {
      assert.ok(to > from && to - from <= 37.01, `${from} ${to}`)
      if (at > 0) assert.equal(from, parts[at - 1]!.to)
    }
  }
  const levels = Array.from({ length: 70 * LEVELS_PER_SECOND }, (_, at) => (at >= 26 * 20 && at < 27 * 20 ? 1 : 1_000))
  const [first] = filmSpansOf(levels, 70)
  assert.ok(first!.to > 26 && first!.to < 27, `${first!.to}`)
})

test('the level of each twentieth of a second is its mean square', () => {
  const levels: number[] = []
  const samples = Int16Array.from({ length: 1_000 }, (_, at) => (at < 800 ? 100 : -200))
  addLevels(levels, Buffer.from(samples.buffer), 16_000)
  assert.deepEqual(levels, [10_000, 40_000])
})

const words = (text: string, from = 0, each = 0.4, gap = 0.1): UtteranceWord[] =>
  text.split(' ').map((word, at) => ({ word, start: from + at * (each + gap), end: from + at * (each + gap) + each }))

test('words become lines at the ends of sentences, at pauses, and before they are too long', () => {
  const [first, second] = [words('Hello there. How are'), words('you today', 5)]
  const lines = utterancesOf([{ start: 0, end: 6, text: '', words: [...first, ...second] }], 30, 60, 'en')
  assert.deepEqual(
    lines.map(({ start, text }) => [start, text]),
    [
      [30, 'Hello there.'],
      [31, 'How are'],
      [35, 'you today'],
    ],
  )
  assert.equal(lines[0]!.words![0]!.start, 30)
  const long = utterancesOf(
    [{ start: 0, end: 29, text: '', words: words(Array.from({ length: 56 }, (_, at) => `w${at}`).join(' ')) }],
    0,
    30,
    'en',
  )
  assert.ok(
    long.length >= 3 && long.every(({ start, end }) => end - start <= 12 && end - start > 1),
    JSON.stringify(long.map(({ end }) => end)),
  )
  assert.equal(long.map(({ text }) => text).join(' '), Array.from({ length: 56 }, (_, at) => `w${at}`).join(' '))
})

test('a line of a dub does not end at an abbreviation or an ordinal of its language', () => {
  const linesOf = (text: string, language: string) =>
    utterancesOf([{ start: 0, end: 9, text, words: words(text) }], 0, 30, language).map((line) => line.text)
  assert.deepEqual(linesOf('Am 3. Mai kam Dr. Klein. Er blieb.', 'de'), ['Am 3. Mai kam Dr. Klein.', 'Er blieb.'])
  assert.deepEqual(linesOf('Mr. Gray left the U.S. Army. They knew.', 'en'), ['Mr. Gray left the U.S. Army.', 'They knew.'])
  const long = 'Sie kam am 3. Mai mit Dr. med. Klein und z. B. Obst. Er blieb.'
  assert.deepEqual(
    utterancesOf([{ start: 0, end: 12, text: long }], 0, 30, 'de').map(({ text }) => text),
    ['Sie kam am 3. Mai mit Dr. med. Klein und z. B. Obst.', 'Er blieb.'],
  )
})

test('text without times of words is divided by its sentences, and stays within its part', () => {
  const lines = utterancesOf(
    [
      { start: 0, end: 12, text: 'One two three. Four five.' },
      { start: -1, end: 99, text: ' … ' },
      { start: 29, end: 99, text: 'End' },
    ],
    100,
    130,
    'en',
  )
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['One two three.', 'Four five.', 'End'],
  )
  assert.ok(lines.every(({ start, end }) => start >= 100 && end > start && end <= 130))
  assert.deepEqual([readable('so it goes'), readable('OK fine'), readable('is it?')], ['So it goes.', 'OK fine', 'is it?'])
})

test('a line begins where its sound begins, unless that is far away', () => {
  const levels = Array.from({ length: 200 }, (_, at) => ((at >= 28 && at < 60) || at >= 150 ? 1_000_000 : 10))
  const lines = [
    { start: 31, end: 33, text: 'early' },
    { start: 31.6, end: 33, text: 'right' },
    { start: 35, end: 39, text: 'far' },
  ]
  assert.deepEqual(
    withoutLeadingSilence(lines, levels, 30, 20).map(({ start }) => start),
    [31.4, 31.6, 35],
  )
})

test('a line is divided where the speaker changes, and its id stays', () => {
  const heard = utterancesOf([{ start: 0, end: 6, text: 'a b c d', words: words('a b c d') }], 0, 30, 'en')
  const parts = [withIds(heard, 0), withIds([{ start: 31, end: 32, text: 'e' }], 1)]
  const turns = [
    { start: 0, end: 0.95, speaker: 1 },
    { start: 0.95, end: 40, speaker: 0 },
  ]
  const spoken = spokenLines(parts, (lines) => withSpeakers(lines, turns))
  assert.deepEqual(
    spoken.map(({ id, text, speaker }) => [id, text, speaker]),
    [
      ['s00000', 'a b', 'Speaker 2'],
      ['s00080', 'c d', 'Speaker 1'],
      ['s00100', 'e', 'Speaker 1'],
    ],
  )
  const crowded = Array.from({ length: 200 }, (_, at) => ({ start: at, end: at + 1, text: 'a b' }))
  const pieces = spokenLines([withIds(crowded, 0)], ([one]) => [one!, one!])
  assert.equal(new Set(pieces.map(({ id }) => id)).size, 400)
  assert.equal(lineId(4_000, 0), 'sfa000')
})

test('lines that were edited during the transcription stay', () => {
  const before = [line('s00000', 0, 1, 'old'), line('s00001', 2, 3, 'old')]
  const now = [before[0]!, line('s00001', 2, 3, 'edited'), line('new', 6, 7, 'added')]
  const fresh = [
    line('s00000', 0, 1, 'fresh'),
    line('s00001', 2, 3, 'fresh'),
    line('s00002', 6.1, 6.9, 'fresh'),
    line('s00003', 8, 9, 'fresh'),
  ]
  const merged = withoutOverwriting(fresh, now, digestsOf(before))
  assert.deepEqual(
    merged.map(({ id, text }) => [id, text]),
    [
      ['s00000', 'fresh'],
      ['s00001', 'edited'],
      ['new', 'added'],
      ['s00003', 'fresh'],
    ],
  )
  assert.deepEqual(
    withoutOverwriting(fresh, merged, digestsOf(before)),
    merged
      .filter(({ id }) => id !== 's00000')
      .concat(merged[0]!)
      .toSorted((a, b) => a.startUs - b.startUs),
  )
})

test('reference clips are stretches of one speaker away from all other speech', () => {
  const other = { speakerId: 'Speaker 2' }
  const lines = [
    line('a', 0, 2),
    line('b', 2.3, 5), // joined with a: 5 s
    line('c', 5.1, 9, 'c', other), // too near to a and b
    line('d', 20, 28),
    line('e', 28.2, 40), // joined it would be too long
    line('f', 60, 62, 'f', other), // too short
    line('g', 70, 76, 'g', other),
  ]
  const found = referenceCandidates(lines)
  assert.deepEqual(
    found.get('Speaker 1')!.map(({ lines: own }) => own.map(({ id }) => id)),
    [['d'], ['e']],
  )
  assert.deepEqual(
    found.get('Speaker 2')!.map(({ lines: own }) => own.map(({ id }) => id)),
    [['g']],
  )
  assert.equal(isClear({ startUs: 9.3e6, endUs: 13e6, speakerId: 'Speaker 1' }, lines), true)
  const rate = 24_000
  const tone = (noise: number, peak: number) =>
    Float32Array.from({ length: rate }, (_, at) => {
      const voiced = Math.floor((at / rate) * 4) % 2 === 0 ? peak * Math.sin(at / 10) : 0
      return Math.max(-1, Math.min(1, voiced + noise * Math.sin(at * 1.7)))
    })
  const span = { startUs: 0, endUs: 8e6 }
  const score = (samples: Float32Array) => referenceScore(span, referenceSound([referencePart(samples, rate)]))
  const long = Float32Array.from({ length: 2.51 * rate }, (_, at) => 1.1 * Math.sin(at / 10) * Math.sin(at / 9_000))
  const parts = [0, 1, 2].map((second) => referencePart(long.subarray(second * rate, (second + 1) * rate), rate))
  assert.deepEqual(referenceSound(parts), referenceSound([referencePart(long, rate)]), 'in parts as in one piece')
  assert.ok(referenceSound(parts).clipped > 0)
  assert.ok(score(tone(0.001, 0.5)) > score(tone(0.1, 0.5)), 'less noise is better')
  assert.ok(score(tone(0.001, 0.5)) > score(tone(0.001, 3)), 'clipping is worse')
  assert.ok(referenceScore(span, { range: 20, clipped: 0 }) > referenceScore({ startUs: 0, endUs: 4e6 }, { range: 20, clipped: 0 }))
})

test('cleaning joins fragments of one speaker, and removes empty and repeated lines', () => {
  const other = { speakerId: 'Speaker 2' }
  const cleaned = cleanedLines([
    line('1', 3, 4, 'you there.'),
    line('0', 1, 2.8, 'Hello'),
    line('2', 4.1, 5, 'Next'),
    line('3', 5.1, 6, 'answer', other),
    line('4', 6.1, 6.2, '  ', other),
    line('5', 8, 10, 'Same words'),
    line('6', 9.5, 11, 'same words!'),
    line('7', 11.2, 30, 'a very long one'),
  ])
  assert.deepEqual(
    cleaned.map(({ id, text, startUs, endUs }) => [id, text, startUs / 1e6, endUs / 1e6]),
    [
      ['0', 'Hello you there.', 1, 4],
      ['2', 'Next', 4.1, 5],
      ['3', 'answer', 5.1, 6],
      ['5', 'Same words', 8, 11],
      ['7', 'a very long one', 11.2, 30],
    ],
  )
  assert.deepEqual(cleanedLines(cleaned), cleaned, 'cleaning again changes nothing')
})

test('a reference clip begins and ends in the pauses around its words', () => {
  const rate = 16_000
  // Words at 0.3 s to 0.9 s and 1.0 s to 1.9 s of noise, and the next one at 2.3 s.
  const isWord = (time: number) => (time > 0.3 && time < 0.9) || (time > 1 && time < 1.9) || time > 2.3
  const samples = Float32Array.from({ length: 2.5 * rate }, (_, at) =>
    isWord(at / rate) ? Math.sin(at * 0.7) * 0.5 : Math.sin(at * 0.7) * 1e-4,
  )
  for (const [from, to] of [
    [0.4, 1.75],
    [0.32, 1.88],
    [0.25, 2],
  ] as const) {
    const edges = edgesInPauses(samples, rate, from * rate, to * rate)
    assert.ok(edges.from <= 0.3 * rate && edges.from >= (from - 0.25) * rate, `${edges.from / rate}`)
    assert.ok(edges.to >= 1.9 * rate && edges.to <= 2.3 * rate, `${edges.to / rate}`)
  }
  assert.deepEqual(edgesInPauses(new Float32Array(0), rate, 0, 0), { from: 0, to: 0 })
})

test('lines that touch each other are cut in the pause between them', () => {
  // Twenty levels a second: a pause from 2.0 s to 2.2 s.
  const levels = Array.from({ length: 100 }, (_, at) => (at >= 40 && at < 44 ? 0 : 1))
  const line = (start: number, end: number, words?: boolean) => ({
    start,
    end,
    text: 'x',
    ...(words && { words: [{ start, end, word: 'x' }] }),
  })
  const cut = (lines: Utterance[]) => cutInPauses(lines, levels, 0, 20).map(({ start, end }) => [start, end])
  const [first, second] = cut([line(0, 1.7), line(1.7, 5)])
  assert.equal(first![1], second![0])
  assert.ok(first![1]! > 2 && first![1]! < 2.2)
  assert.deepEqual(
    cut([line(0, 1, true), line(1, 5, true)]),
    [
      [0, 1],
      [1, 5],
    ],
    'words have times, so a far pause is none between them',
  )
  assert.deepEqual(
    cut([line(0, 1.7), line(1.9, 5)]),
    [
      [0, 1.7],
      [1.9, 5],
    ],
    'a pause that is there stays',
  )
  assert.deepEqual(cut([]), [])
})

test('times of a recogniser outside its part and out of order stay within the part, and cost little', () => {
  const count = 100_000
  // Each pause is a little shorter than the one before it: without limits every division takes off two words and goes one call deeper.
  const words = Array.from({ length: count }, (_, at): UtteranceWord => {
    const start = at * 0.86
    return { start, end: start + 0.16 + (0.69 * at) / count, word: ' a' }
  })
  const lines = utterancesOf([{ start: 0, end: 86_000, text: 'a', words }], 60, 90, 'en')
  assert.ok(lines.length < 40, `${lines.length} lines`)
  const reversed = utterancesOf([{ start: 9, end: 3, text: 'b', words: words.slice(0, 50).toReversed() }], 60, 90, 'en')
  for (const { start, end } of [...lines, ...reversed]) assert.ok(start >= 60 && end > start && end <= 90.2, `${start} to ${end}`)
  const many = Array.from({ length: 257 }, (): Utterance => ({ start: 0, end: 1, text: 'a' }))
  assert.throws(() => withIds(many, 0), { code: 'INVALID_RESULT' }, 'ids of the next part are not used')
})
