// The text and the plans of OmniVoice against omnivoice 0.2.1.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillCounts } from '#agent/engine/tts/omnivoice/loop/schedule.ts'
import { toChunks } from '#agent/engine/tts/omnivoice/text/chunks.ts'
import { cleanText, withEnding } from '#agent/engine/tts/omnivoice/text/clean.ts'
import { estimateFrames, wholeFrames } from '#agent/engine/tts/omnivoice/text/duration.ts'
import { OMNIVOICE_LANGUAGES } from '#agent/engine/tts/omnivoice/text/languages.ts'
import { golden } from './golden.ts'

type Golden = {
  readonly durations: readonly {
    readonly text: string
    readonly ref: string | null
    readonly ref_frames: number | null
    readonly speed: number
    readonly frames: number
  }[]
  readonly schedules: readonly { readonly frames: number; readonly steps: number; readonly shift: number; readonly counts: number[] }[]
  readonly chunks: readonly { readonly text: string; readonly limit: number; readonly chunks: string[] }[]
  readonly combined: readonly { readonly text: string; readonly ref: string | null; readonly combined: string }[]
  readonly languages: readonly (readonly [id: string, name: string])[]
  readonly endings: readonly (readonly [text: string, ended: string])[]
}
const { durations, schedules, chunks, combined, languages, endings } = golden<Golden>('omnivoice.json')
/** Codebooks of a frame. */
const CODEBOOKS = 8

test('a text has the frames of the reference, with and without a recording of the voice', () => {
  assert.equal(durations.length, 300)
  for (const { text, ref, ref_frames, speed, frames } of durations) {
    const voice = ref === null ? null : { text: ref, frames: ref_frames! }
    assert.equal(wholeFrames(estimateFrames(text, voice), speed), frames, text)
  }
})

test('each step fills as many places as in the reference', () => {
  assert.equal(schedules.length, 144)
  for (const { frames, steps, shift, counts } of schedules)
    assert.deepEqual(fillCounts(frames * CODEBOOKS, steps, shift), counts, `${frames} frames, ${steps} steps`)
})

test('texts are cut, joined with the text of the voice, and ended as in the reference', () => {
  assert.deepEqual([chunks.length, combined.length, endings.length], [150, 150, 6])
  for (const { text, limit, chunks: expected } of chunks) assert.deepEqual(toChunks(text, limit), expected, text)
  for (const { text, ref, combined: expected } of combined) assert.equal(cleanText(ref === null ? text : `${ref} ${text}`), expected)
  for (const [text, ended] of endings) assert.equal(withEnding(text), ended)
})

test('the languages are those of the reference', () => {
  const ids = new Set(languages.map(([id]) => id))
  assert.deepEqual([...OMNIVOICE_LANGUAGES.keys()].sort(), [...ids].sort())
})
