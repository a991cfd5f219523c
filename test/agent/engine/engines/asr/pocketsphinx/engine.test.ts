// A round trip without downloads: the embedded voice speaks, and pocketsphinx transcribes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { pocketsphinx } from '#agent/engine/engines/asr/pocketsphinx/engine.ts'
import { flite } from '#agent/engine/engines/tts/flite/engine.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { plainWords, wordErrors } from '#test/support/audio/words.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const engine = pocketsphinx.create({ path: process.env.PATH ?? '' })
const isHere = engine.describe().every(({ installed }) => installed)
const skip = isHere ? false : 'pocketsphinx is not on this machine; ./studio setup installs it'
const never = new AbortController().signal
const isFailure = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code

const SENTENCES = [
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

async function spoken(text: string): Promise<{ pcm: Buffer; seconds: number }> {
  const pieces: Uint8Array[] = []
  const params = { voice: 'rms', segments: [{ text, seed: 0, pause_after_ms: 0 }] }
  for await (const event of flite.create().run('tts', params, never)) if (event.kind === 'audio') pieces.push(toS16(event.samples))
  const pcm = Buffer.concat(pieces)
  return { pcm, seconds: pcm.length / 32_000 }
}
const recording = (pcm: Uint8Array, sampleRate = 16_000) =>
  new Map([['audio', Buffer.concat([wavHeader({ sampleRate, channels: 1, samples: pcm.length / 2 }), pcm])]])

async function ask(operation: string, params: object, inputs: ReadonlyMap<string, Uint8Array>, signal = never) {
  const progress: number[] = []
  let result: any = null
  for await (const event of engine.run(operation, params, signal, inputs)) {
    if (event.kind === 'progress') progress.push(event.progress)
    if (event.kind === 'result') result = event.result
  }
  return { result, progress }
}

test('transcribes the embedded voice with a word error rate of at most 15 %', { skip }, async (t) => {
  let said = 0
  let wrong = 0
  // Ten in one recording, one second apart, because each run of the program loads its model.
  for (let from = 0; from < SENTENCES.length; from += 10) {
    const text = SENTENCES.slice(from, from + 10)
    const sounds: Buffer[] = []
    for (const sentence of text) sounds.push((await spoken(sentence)).pcm, Buffer.alloc(32_000))
    const { result } = await ask('asr', {}, recording(Buffer.concat(sounds)))
    const words = plainWords(text.join(' '))
    const errors = wordErrors(words, plainWords(result.text))
    said += words.length
    wrong += errors
    if (errors > 0) t.diagnostic(`${text.join(' ')} -> ${result.text}`)
  }
  const rate = wrong / said
  t.diagnostic(`word error rate ${(100 * rate).toFixed(1)} % of ${said} words in ${SENTENCES.length} sentences`)
  assert.ok(rate <= 0.15, `${wrong} of ${said} words are wrong`)
})

test('words have ordered times within the recording, and pauses separate segments', { skip }, async () => {
  const [first, second] = [await spoken(SENTENCES[1]!), await spoken(SENTENCES[2]!)]
  const whole = Buffer.concat([first.pcm, Buffer.alloc(3 * 32_000), second.pcm])
  const { result, progress } = await ask('asr', { words: true }, recording(whole))
  assert.equal(result.segments.length, 2)
  assert.equal(result.duration, whole.length / 32_000)
  assert.ok(result.segments[0].end <= first.seconds && result.segments[1].start >= first.seconds + 2)
  const words = result.segments.flatMap((segment: { words: { start: number; end: number }[] }) => segment.words)
  assert.ok(words.every(({ start, end }: { start: number; end: number }) => start >= 0 && start < end && end <= result.duration))
  assert.deepEqual(
    progress,
    progress.toSorted((left, right) => left - right),
  )
  assert.ok(progress.length > 10 && progress.at(-1)! <= 1)
  assert.equal((await ask('asr', {}, recording(whole))).result.segments[0].words, undefined, 'words only when they are wanted')
})

test('a known text is aligned word by word', { skip }, async () => {
  const [text] = SENTENCES
  const { pcm, seconds } = await spoken(text!)
  const { result } = await ask('align', { text }, recording(pcm))
  assert.deepEqual(
    result.words.map(({ word }: { word: string }) => word),
    plainWords(text!),
  )
  const heard = (await ask('asr', { words: true }, recording(pcm))).result.segments[0].words
  for (const [index, { start, end }] of result.words.entries()) {
    assert.ok(Math.abs(start - heard[index].start) < 0.1 && end <= seconds)
  }
})

test('silence and an empty recording give no text', { skip }, async () => {
  for (const pcm of [Buffer.alloc(96_000), Buffer.alloc(20), Buffer.alloc(0)]) {
    const { result } = await ask('asr', {}, recording(pcm))
    assert.deepEqual([result.text, result.segments], ['', []])
  }
})

test('invalid parameters are rejected by name', { skip }, async () => {
  const { pcm } = await spoken('Hello.')
  const refuses = isFailure('INVALID_TASK_PARAMS')
  await assert.rejects(ask('asr', {}, new Map()), refuses)
  await assert.rejects(ask('asr', {}, new Map([['audio', Buffer.from('no sound')]])), refuses)
  await assert.rejects(ask('asr', {}, recording(pcm, 44_100)), refuses)
  await assert.rejects(ask('asr', { language: 'de' }, recording(pcm)), refuses)
  await assert.rejects(ask('asr', { model_path: '/etc/passwd' }, recording(pcm)), refuses)
  await assert.rejects(
    ask('align', { text: 'xqzzy frobnicate' }, recording(pcm)),
    (error) => refuses(error) && /2 of its words/.test(String(error)),
  )
  await assert.rejects(ask('align', { text: '...' }, recording(pcm)), refuses)
  await assert.rejects(ask('align', { text: 'hello' }, recording(Buffer.alloc(32_000 * 121))), refuses)
})

test('a cancelled run stops and leaves no file', { skip }, async (t) => {
  process.env.TMPDIR = temporaryFolder(t)
  const { pcm } = await spoken(SENTENCES.join(' '))
  const abort = new AbortController()
  const run = engine.run('asr', {}, abort.signal, recording(pcm))[Symbol.asyncIterator]()
  const first = run.next()
  abort.abort(new Failure('CANCELLED', 'enough'))
  await assert.rejects(first, isFailure('CANCELLED'))
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith('.voice-')),
    [],
  )
})

test('missing programs are reported', () => {
  const rows = pocketsphinx.create({ path: '/nowhere' }).describe()
  assert.deepEqual(
    rows.map(({ operation, installed, downloaded }) => [operation, installed, downloaded]),
    [
      ['asr', false, false],
      ['align', false, false],
    ],
  )
})
