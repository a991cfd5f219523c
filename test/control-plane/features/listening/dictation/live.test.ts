// Live dictation without processes: no word is lost or repeated, the choice of the recogniser, and the audio that waits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPcmQueue } from '#control-plane/features/listening/dictation/live/audio/pcm-queue.ts'
import { LIVE_RATE, liveAudio } from '#control-plane/features/listening/dictation/live/audio/source.ts'
import type { FinalMessage, LiveMessage } from '#control-plane/features/listening/dictation/live/messages.ts'
import { parseLiveQuery } from '#control-plane/features/listening/dictation/live/query.ts'
import { chooseLive } from '#control-plane/features/listening/dictation/live/recogniser.ts'
import { dictate } from '#control-plane/features/listening/dictation/live/session.ts'
import type { DictationTasks } from '#control-plane/features/listening/dictation/live/tasks.ts'
import { needFor } from '#control-plane/inference/needs/needs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { offer } from '#test/support/doubles/offers.ts'
import { seeded } from '#test/support/doubles/seeded.ts'

const { signal } = new AbortController()
/** A word is a run of samples of its number. */
type Run = { readonly word: number; readonly start: number; readonly end: number }

function runsIn(pcm: Buffer): Run[] {
  const samples = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2)
  const runs: Run[] = []
  for (let at = 0; at < samples.length; ) {
    const word = samples[at]!
    let end = at
    while (end < samples.length && samples[end] === word) end++
    if (word !== 0) runs.push({ word, start: at / LIVE_RATE, end: end / LIVE_RATE })
    at = end
  }
  return runs
}
const samplesOf = (value: number, seconds: number): Buffer =>
  Buffer.from(new Int16Array(Math.round(seconds * LIVE_RATE)).fill(value).buffer)
const aligned = (pcm: Buffer): Buffer => Buffer.from(pcm)

function plantedTasks(fail: () => boolean = () => false, continues = false) {
  const recogniser = offer({ operation: 'asr', engine: 'planted', continues })
  const stats = { longest: 0, partials: 0, newSeconds: 0 }
  const tasks: DictationTasks = {
    place: () => ({ recogniser, detector: recogniser, notice: null }),
    async speechIn(pcm) {
      return runsIn(aligned(pcm)).map(({ start, end }) => ({ start, end }))
    },
    async recognise(pcm, isPartial, _until, { newSeconds = 0 } = {}) {
      stats.longest = Math.max(stats.longest, pcm.length / 2 / LIVE_RATE)
      if (isPartial) stats.partials++
      if (isPartial && fail()) throw new Failure('ENGINE_CRASHED', 'The engine died.')
      assert.ok(newSeconds < pcm.length / 2 / LIVE_RATE + 1e-6)
      stats.newSeconds += newSeconds
      const segments = runsIn(aligned(pcm)).map(({ word, start, end }) => ({ start, end, text: `w${word}` }))
      return { segments, language: 'en', notices: [], recogniser, tookSeconds: 0.5 }
    },
  }
  return { tasks, stats }
}
async function dictated(pcm: Buffer, piece: number, { tasks }: { readonly tasks: DictationTasks }): Promise<LiveMessage[]> {
  async function* audio() {
    for (let at = 0; at < pcm.length; at += piece) {
      yield pcm.subarray(at, at + piece)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const messages: LiveMessage[] = []
  const parts = { tasks, audio: audio(), clock: createFakeClock(), refine: async () => null, signal }
  for await (const message of dictate(parts)) messages.push(message)
  return messages
}
/** Without the capitals and full stops of its utterances. */
const plain = (text: string): string => text.toLowerCase().replaceAll('.', '')
const finalsOf = (messages: readonly LiveMessage[]) => messages.filter((message): message is FinalMessage => message.type === 'final')

test('no word is lost or repeated, for random pauses and pieces of audio', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const { unit: random } = seeded(seed)
    const spoken: Buffer[] = []
    const words: string[] = []
    for (let word = 1; word <= 40; word++) {
      spoken.push(samplesOf(word, 0.2 + random() * 0.6))
      words.push(`w${word}`)
      const kind = random()
      spoken.push(samplesOf(0, kind < 0.7 ? 0.15 : kind < 0.9 ? 0.7 : 3.6))
    }
    let failed = false
    const planted = plantedTasks(
      () => {
        failed = !failed && random() < 0.3
        return failed
      },
      seed % 2 === 0,
    )
    const pcm = Buffer.concat([samplesOf(0, random() * 4), ...spoken])
    const piece = 2 * Math.ceil(random() * 20_000)
    const messages = await dictated(pcm, piece, planted)
    const finals = finalsOf(messages)
    const parts = finals.filter(({ final_kind }) => final_kind === 'utterance')
    const whole = finals.at(-1)!
    assert.equal(plain(whole.text), words.join(' '), `seed ${seed}`)
    if (parts.length > 0) assert.equal(parts.map(({ text }) => text).join(' '), whole.text, `seed ${seed}`)
    assert.ok(
      whole.segments.every(({ start }, at) => at === 0 || start >= whole.segments[at - 1]!.end - 0.011),
      'times ascend',
    )
    assert.ok(planted.stats.longest <= 26, `${planted.stats.longest} s at once`)
    // However often it was recognised, sound counts once, without the silence that is left out.
    const speech = runsIn(pcm).reduce((sum, { start, end }) => sum + end - start, 0)
    assert.ok(planted.stats.newSeconds > speech - 0.01, `seed ${seed}: ${planted.stats.newSeconds} s of ${speech}`)
    assert.ok(planted.stats.newSeconds <= pcm.length / 2 / LIVE_RATE + 0.01, `seed ${seed}: ${planted.stats.newSeconds} s`)
  }
})

test('an utterance without a pause is cut, and three failed partial texts end the dictation', async () => {
  const words = Array.from({ length: 200 }, (_, at) => at + 1)
  const pcm = Buffer.concat(words.flatMap((word) => [samplesOf(word, 0.8), samplesOf(0, 0.15)]))
  const planted = plantedTasks()
  const finals = finalsOf(await dictated(pcm, 3_200, planted))
  assert.deepEqual(
    finals.map(({ final_kind }) => final_kind),
    ['utterance', 'utterance', 'summary'],
    'about two minutes each',
  )
  assert.equal(plain(finals.at(-1)!.text), words.map((word) => `w${word}`).join(' '))
  assert.ok(planted.stats.longest <= 26)
  await assert.rejects(
    dictated(
      pcm,
      64_000,
      plantedTasks(() => true, true),
    ),
    { code: 'ENGINE_CRASHED' },
  )
})

test('a full queue makes its writer wait, also with odd bytes', async () => {
  const clock = createFakeClock()
  const queue = createPcmQueue(10, clock.after)
  await queue.push(Buffer.alloc(9))
  let isPushed = false
  const pushing = queue.push(Buffer.alloc(4)).then(() => {
    isPushed = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(isPushed, false)
  assert.equal(await queue.wait(8, 3_000), 'enough')
  assert.equal(queue.take(7).length, 6)
  await pushing
  assert.equal(queue.length(), 7)
  const quiet = queue.wait(100, 3_000)
  clock.advance(3_000)
  assert.equal(await quiet, 'quiet')
  queue.end()
  await queue.push(Buffer.alloc(50))
  assert.equal(await queue.wait(100, 3_000), 'ended')
  assert.equal(queue.take(100).length, 6, 'half a sample is dropped')
})

test('the recogniser is the requested one, the selected one, or the quickest one with a notice', () => {
  const asr = (engine: string, model = '', more = {}) => offer({ operation: 'asr', engine, model, ...more })
  const sphinx = asr('pocketsphinx')
  const tiny = asr('sherpa-onnx-asr', 'whisper-tiny')
  const remote = asr('openai-compat-asr')
  const chosen = 'sherpa-whisper-tiny'
  assert.deepEqual(chooseLive([sphinx, tiny], '', chosen), { offer: tiny, instead: null })
  assert.deepEqual(chooseLive([sphinx, tiny], 'whisper-tiny', 'sherpa-zipformer-en-20m').offer, tiny)
  assert.deepEqual(chooseLive([sphinx, tiny], 'pocketsphinx', chosen).offer, sphinx)
  const instead = chooseLive([remote, sphinx], '', chosen)
  assert.deepEqual(instead, {
    offer: sphinx,
    instead: 'The model sherpa-whisper-tiny is not installed, so pocketsphinx was used.',
    needs: needFor('dictation'),
  })
  assert.throws(
    () => chooseLive([remote, asr('tone')], '', chosen),
    { code: 'MODEL_NOT_INSTALLED' },
    'audio leaves for no server by itself',
  )
  assert.throws(() => chooseLive([sphinx, asr('sherpa-onnx-asr', 'whisper-tiny', { downloaded: false })], chosen, chosen), {
    code: 'MODEL_NOT_INSTALLED',
  })
  assert.throws(() => chooseLive([], '', chosen), { code: 'NOT_READY' })
  assert.throws(() => chooseLive([sphinx], 'x'.repeat(1_000), chosen), { code: 'BAD_REQUEST' })
})

test('queries are parsed with their limits, and WebM without ffmpeg is refused', () => {
  const parsed = (query: string) => parseLiveQuery(new URLSearchParams(query))
  assert.deepEqual(parsed(''), { model: '', pcm: false, aec: false, sr: 16_000 })
  assert.deepEqual(parsed('pcm=1&sr=48000&aec=1&model=a&other=1'), { model: 'a', pcm: true, aec: true, sr: 48_000 })
  for (const wrong of ['sr=7999', 'sr=96001', 'sr=1e4', 'sr=', 'sr=-16000', `model=${'x'.repeat(201)}`])
    assert.throws(() => parsed(wrong), { code: 'BAD_REQUEST' }, wrong)
  const none = (async function* () {})()
  assert.throws(() => liveAudio(none, { pcm: false, sr: 16_000 }, null, signal), {
    code: 'NOT_READY',
    message: /needs the program ffmpeg.*send 16-bit PCM with pcm=1/,
  })
})

test('PCM of any rate and any split becomes PCM of 16 kHz until the end of the recording', async () => {
  const bytes = Buffer.from(new Int16Array(48_000).fill(1_000).buffer)
  for (const split of [1_001, 96_000])
    for (const end of ['EOF', Buffer.alloc(0)]) {
      async function* messages() {
        yield 'ignored'
        for (let at = 0; at < bytes.length; at += split) yield bytes.subarray(at, at + split)
        yield end
        yield bytes
      }
      let length = 0
      for await (const piece of liveAudio(messages(), { pcm: true, sr: 48_000 }, null, signal)) length += piece.length
      assert.equal(length, 32_000)
    }
})
