// The symbols of KittenTTS against phonemizer 3.4.0 with espeak-ng 1.51, and the table of kittentts 0.8.1.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { createPhonemizer, ESPEAK } from '#agent/engine/speech/phonemes.ts'
import { toKittenPieces } from '#agent/engine/tts/kittentts/pieces.ts'
import { toKittenRuns, withEndPunctuation } from '#agent/engine/tts/kittentts/symbols.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { golden } from './golden.ts'

const { stdout } = spawnSync(ESPEAK, ['--version'], { encoding: 'utf8' })
const skip = !stdout ? 'espeak-ng is not installed.' : / 1\.51\b/.test(stdout) ? false : 'espeak-ng is not version 1.51.'

type KittenCase = { readonly text: string; readonly phonemes: string; readonly ids: number[]; readonly style_row: number }

/** We say the dot of an address; for phonemizer it ends a clause. */
const ADDRESS = 'Visit example.com or e-mail me@x.com!'

test('a sentence has the ids of the reference, but for addresses', { skip }, async () => {
  const cases = golden<readonly KittenCase[]>('kitten-ids.json')
  assert.equal(cases.length, 36)
  const phonemize = createPhonemizer({ clock: systemClock })
  for (const { text, ids, style_row } of cases) {
    const runs = toKittenRuns(await phonemize(text, 'en-us'))
    if (text === ADDRESS) assert.notDeepEqual(runs, [ids])
    else assert.deepEqual(runs, [ids], text)
    assert.equal([...text].length, style_row)
  }
})

/** Our sentences do not end within a thought or after an abbreviation, and a long one is cut at a clause. */
const OTHER_ENDS = /^(?:Wait|Mrs|this is)/

test('a text is cut into sentences with their marks as by kittenml 0.9.6', () => {
  const cases = golden<readonly { readonly text: string; readonly chunks: string[] }[]>('kitten-chunks.json')
  assert.deepEqual([cases.length, cases.filter(({ text }) => OTHER_ENDS.test(text)).length], [22, 3])
  for (const { text, chunks } of cases) {
    const pieces = toKittenPieces(text).map(withEndPunctuation)
    if (OTHER_ENDS.test(text)) assert.equal(pieces.join(' ').replaceAll(', ', ' '), chunks.join(' ').replaceAll(', ', ' '))
    else assert.deepEqual(pieces, chunks, text)
  }
})
