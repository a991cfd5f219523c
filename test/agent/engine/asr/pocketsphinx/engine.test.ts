// A round trip without downloads: the embedded voice speaks, and pocketsphinx transcribes.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { pocketsphinx } from '#agent/engine/asr/pocketsphinx/engine.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { assertErrorRate, recording, SENTENCES, spoken } from '#test/support/audio/round-trip.ts'
import { plainWords } from '#test/support/audio/words.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const engine = pocketsphinx.create({ path: process.env['PATH'] ?? '' })
const isHere = engine.describe().every(({ installed }) => installed)
const skip = isHere ? false : 'pocketsphinx is not on this machine; ./studio setup installs it'
const never = new AbortController().signal
const isFailure = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code

async function ask(operation: string, params: object, inputs: ReadonlyMap<string, Uint8Array>, signal = never) {
  const progress: number[] = []
  let result: any = null
  for await (const event of engine.run(operation, params, signal, inputs)) {
    if (event.kind === 'progress') progress.push(event.progress)
    if (event.kind === 'result') result = event.result
  }
  return { result, progress }
}

/** Three seconds after the second sentence, and one after the others. */
const PAUSES = [1, 3, 1]
/** Four sentences, recognised once for all tests: that takes about as long as they last. All thirty: test/long/recognition.test.ts. */
let made: ReturnType<typeof recognise> | undefined
const recognised = () => {
  made ??= recognise()
  return made
}
async function recognise() {
  const starts: number[] = []
  const sounds: Buffer[] = []
  let seconds = 0
  for (const [index, text] of SENTENCES.slice(0, 4).entries()) {
    const sentence = await spoken(text)
    const pause = PAUSES[index] ?? 1
    starts.push(seconds)
    sounds.push(sentence.pcm, Buffer.alloc(pause * 32_000))
    seconds += sentence.seconds + pause
  }
  return { starts, seconds, ...(await ask('asr', { words: true }, recording(Buffer.concat(sounds)))) }
}

test('transcribes the embedded voice with a word error rate of at most 15 %', { skip }, async (t) => {
  assertErrorRate(t, SENTENCES.slice(0, 4), (await recognised()).result.text)
})

test('words have ordered times within the recording, and pauses separate segments', { skip }, async () => {
  const { result, progress, starts, seconds } = await recognised()
  assert.equal(result.segments.length, 4)
  assert.ok(Math.abs(result.duration - seconds) < 1e-6)
  for (const [index, { start, end }] of result.segments.entries())
    assert.ok(
      start >= starts[index]! && end <= (starts[index + 1] ?? seconds) - (PAUSES[index] ?? 1),
      `segment ${index}: ${start} to ${end}`,
    )
  const words = result.segments.flatMap((segment: { words: { start: number; end: number }[] }) => segment.words)
  assert.ok(words.every(({ start, end }: { start: number; end: number }) => start >= 0 && start < end && end <= result.duration))
  assert.deepEqual(
    progress,
    progress.toSorted((left, right) => left - right),
  )
  assert.ok(progress.length > 10 && progress.at(-1)! <= 1)
  const plain = await ask('asr', {}, recording((await spoken(SENTENCES[3]!)).pcm))
  assert.equal(plain.result.segments[0].words, undefined, 'words only when they are wanted')
})

test('a known text is aligned word by word', { skip }, async () => {
  const [text] = SENTENCES
  const { pcm, seconds } = await spoken(text!)
  const { result } = await ask('align', { text }, recording(pcm))
  assert.deepEqual(
    result.words.map(({ word }: { word: string }) => word),
    plainWords(text!),
  )
  const heard = (await recognised()).result.segments[0].words
  for (const [index, { start, end }] of result.words.entries()) {
    assert.ok(Math.abs(start - heard[index].start) < 0.1 && end <= seconds)
  }
})

test('silence and an empty recording give no text', { skip }, async () => {
  for (const pcm of [Buffer.alloc(32_000), Buffer.alloc(20), Buffer.alloc(0)]) {
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
  process.env['TMPDIR'] = temporaryFolder(t)
  const { pcm } = await spoken(SENTENCES[0]!)
  const abort = new AbortController()
  const run = engine.run('asr', {}, abort.signal, recording(Buffer.concat(Array.from({ length: 6 }, () => pcm))))[Symbol.asyncIterator]()
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
