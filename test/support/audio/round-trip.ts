// The round trip of speech: the embedded voice reads sentences, and a recogniser transcribes them.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Engine } from '#agent/engine/seam/engine.ts'
import { flite } from '#agent/engine/tts/flite/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { plainWords, wordErrors } from './words.ts'

const never = new AbortController().signal
const voice = flite.create()

export const SENTENCES = [
  'The man went to the house.',
  'She bought some bread and milk at the store.',
  'We will meet again next Monday morning.',
  'Go forward ten meters.',
  'The children are playing in the garden.',
  'It was a very long night.',
  'My brother lives in the city.',
  'Please close the window.',
  'The train leaves in the afternoon.',
  'He has been working here for twenty years.',
  'The water in the river is cold.',
  'They want to sell the company.',
  'I will send you a letter tomorrow.',
  'The teacher asked a question.',
  'There is nothing left on the table.',
  'The president gave a speech on Friday.',
  'Many people came to the meeting.',
  'The old woman opened the door.',
  'Summer is the best time of the year.',
  'We need more money for the project.',
  'The doctor said that he was fine.',
  'The government will change the law.',
  'She was reading a book about history.',
  'The dog followed him to school.',
  'You should never give up.',
  'The market was closed on Sunday.',
  'His father was a famous actor.',
  'They decided to wait another week.',
  'The last question is the most difficult.',
  'Thank you for listening.',
]

export async function spoken(text: string): Promise<{ pcm: Buffer; seconds: number }> {
  const pieces: Uint8Array[] = []
  const params = { voice: 'rms', segments: [{ text, seed: 0, pause_after_ms: 0 }] }
  for await (const event of voice.run('tts', params, never)) if (event.kind === 'audio') pieces.push(toS16(event.samples))
  const pcm = Buffer.concat(pieces)
  return { pcm, seconds: pcm.length / 32_000 }
}
export const recording = (pcm: Uint8Array, sampleRate = 16_000) =>
  new Map([['audio', Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: pcm.length / 2 }), pcm])]])

/** The words of the sentences, and how many of them a transcript has wrong. */
function errorsIn(t: TestContext, sentences: readonly string[], transcript: string) {
  const words = plainWords(sentences.join(' '))
  const wrong = wordErrors(words, plainWords(transcript))
  if (wrong > 0) t.diagnostic(`${sentences.join(' ')} -> ${transcript}`)
  return { total: words.length, wrong }
}

/** Fails if more than 15 % of the words of the sentences are wrong in the transcript. */
export function assertErrorRate(t: TestContext, sentences: readonly string[], transcript: string): void {
  const { total, wrong } = errorsIn(t, sentences, transcript)
  assertFewWrong(t, total, wrong)
}

/** Transcribes the sentences, and fails if more than 15 % of their words are wrong. */
export async function errorRateAtMost(t: TestContext, engine: Engine, sentences: readonly string[]): Promise<void> {
  let total = 0
  let wrong = 0
  // Ten in one recording, one second apart, because each run of the program loads its model.
  for (let from = 0; from < sentences.length; from += 10) {
    const text = sentences.slice(from, from + 10)
    const sounds: Buffer[] = []
    for (const sentence of text) sounds.push((await spoken(sentence)).pcm, Buffer.alloc(32_000))
    const errors = errorsIn(t, text, await transcribe(engine, recording(Buffer.concat(sounds))))
    total += errors.total
    wrong += errors.wrong
  }
  assertFewWrong(t, total, wrong)
}

function assertFewWrong(t: TestContext, total: number, wrong: number): void {
  const rate = wrong / total
  t.diagnostic(`word error rate ${(100 * rate).toFixed(1)} % of ${total} words`)
  assert.ok(rate <= 0.15, `${wrong} of ${total} words are wrong`)
}

async function transcribe(engine: Engine, inputs: ReadonlyMap<string, Uint8Array>): Promise<string> {
  for await (const event of engine.run('asr', {}, never, inputs))
    if (event.kind === 'result') return (event.result as { readonly text: string }).text
  throw new Error('The recogniser ended without a result.')
}
