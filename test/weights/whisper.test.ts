// Whisper base with its real weights, on recordings that are put together from clips with known words. STUDIO_TEST_WEIGHTS is a folder with
// `whisper-base/` (the files of onnx-community/whisper-base_timestamped, q8) and `speech/` (`jfk.flac`, and `clips/` with `meta.json`).
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join as path } from 'node:path'
import { test } from 'node:test'
import { join } from '../agent/engine/audio/recording.ts'
import { openListener, withoutWeights } from '../support/weights/folder.ts'

const RATE = 16_000
const WEIGHTS = process.env['STUDIO_TEST_WEIGHTS']
const skip = withoutWeights('whisper-base') || (spawnSync('ffmpeg', ['-version']).error ? 'ffmpeg is not installed.' : false)
const listener = skip ? null : openListener()
/** Mono at RATE. */
function sound(name: string): Float32Array {
  const bytes = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-i', path(WEIGHTS!, 'speech', name), '-ar', String(RATE), '-ac', '1', '-f', 'f32le', '-'],
    { maxBuffer: 2 ** 28 },
  )
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
const clip = (name: string) => sound(`clips/${name}.flac`)
const silence = (seconds: number) => new Float32Array(RATE * seconds)
const recognised = (samples: Float32Array, params: object = {}) => listener!.hear(samples, params)

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []
/** Share of the words of `expected` that `text` has. */
function understood(text: string, expected: string): number {
  const found = new Set(wordsOf(text))
  const words = wordsOf(expected)
  return words.filter((word) => found.has(word)).length / words.length
}
const near = (seconds: number, expected: number, tolerance = 0.6) =>
  assert.ok(Math.abs(seconds - expected) <= tolerance, `${seconds} s, not ${expected} s`)
const textOf = (id: string): string => JSON.parse(readFileSync(path(WEIGHTS!, 'speech/clips/meta.json'), 'utf8'))[id].text

test.after(() => listener?.close())

test('a public speech has its words and their times', { skip }, async () => {
  const { text, segments, language } = await recognised(sound('jfk.flac'), { words: true })
  assert.equal(wordsOf(text).join(' '), wordsOf('And so my fellow Americans ask not what your country can do for you, ask what you can do for your country.').join(' ')) // biome-ignore format: one line
  assert.equal(language, 'en')
  const words = segments.flatMap((segment) => segment.words ?? [])
  assert.equal(words.length, 22)
  // Of the reference program: the end of "Americans", and "country" at the end.
  near(words[4]!.end, 2.1, 0.1)
  near(words.at(-1)!.start, 9.94, 0.1)
  near(words.at(-1)!.end, 10.36, 0.1)
  near(segments.at(-1)!.end, 10.4, 0.2)
})

test('an English opening does not hide the French after it, nor French the English after it', { skip }, async () => {
  const [english, french] = [['en000', 'en001'], ['fr0', 'fr1', 'fr2']] // biome-ignore format: one line
  const said = (ids: readonly string[]) => ids.flatMap((id) => [clip(id), silence(0.4)])
  const opening = await recognised(join([...said(english.slice(0, 1)), ...said(french)]))
  assert.deepEqual([opening.speech_without_words, opening.segments.length >= 4], [undefined, true])
  assert.equal(opening.segments.at(-1)!.language, 'fr')
  const ending = await recognised(join([...said(french), ...said(english)]))
  assert.equal(ending.speech_without_words, undefined)
  assert.ok(understood(ending.text, english.map(textOf).join(' ')) > 0.9, ending.text)
  assert.deepEqual([ending.segments[0]!.language, ending.segments.at(-1)!.language, ending.language], ['fr', 'en', 'fr'])
})

test('a first word before a long silence ends where it is spoken', { skip }, async () => {
  const first = clip('word_apple')
  const { segments } = await recognised(join([first, silence(75), clip('en000')]))
  assert.equal(segments.length, 2)
  near(segments[0]!.end, first.length / RATE, 0.5)
  near(segments[1]!.start, 75 + first.length / RATE, 0.5)
})

test('words with 20 s between them have a segment each', { skip }, async () => {
  const words = ['apple', 'garden', 'telephone']
  const parts = words.flatMap((word) => [clip(`word_${word}`), silence(20)])
  const { segments } = await recognised(join(parts))
  assert.deepEqual(segments.map(({ text }) => wordsOf(text).join(' ')), words) // biome-ignore format: one line
  for (const [at, { start, end }] of segments.entries()) {
    const from = parts.slice(0, 2 * at).reduce((sum, part) => sum + part.length, 0) / RATE
    near(start, from)
    near(end, from + parts[2 * at]!.length / RATE)
  }
})

test('very quiet speech has all of its words', { skip }, async () => {
  const ids = ['en000', 'en001']
  const { text } = await recognised(join(ids.map(clip)).map((sample) => sample * 0.004))
  assert.ok(understood(text, ids.map(textOf).join(' ')) > 0.9, text)
})

test('twenty sentences have few wrong words, and the times of their voices', { skip }, async () => {
  const ids = Array.from({ length: 20 }, (_, at) => `en0${String(at + 10)}`)
  const parts = ids.flatMap((id) => [clip(id), silence(0.5)])
  const { text, segments } = await recognised(join(parts))
  assert.ok(understood(text, ids.map(textOf).join(' ')) > 0.93, text)
  for (const [at, id] of ids.entries()) {
    const from = parts.slice(0, 2 * at).reduce((sum, part) => sum + part.length, 0) / RATE
    const own = segments.find(({ text: said }) => understood(said, textOf(id)) > 0.7)
    if (!own) continue
    near(own.start, from)
    near(own.end, from + parts[2 * at]!.length / RATE)
  }
})
