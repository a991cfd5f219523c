// The whole engine with tiny graphs of the real names, types and ranks, through the real runtime on the CPU.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { OMNIVOICE_SAMPLE_RATE } from '#agent/engine/tts/omnivoice/codec.ts'
import { omniVoice } from '#agent/engine/tts/omnivoice/engine.ts'
import { peakOf } from '#agent/engine/tts/omnivoice/sound.ts'
import { estimateFrames, wholeFrames } from '#agent/engine/tts/omnivoice/text/duration.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { engineOf, plain, refused, take } from './run-tiny.ts'
import { backboneFiles, brokenLater, plantedBackbone, type Tiny, tinyModel, tokenizerJson } from './tiny.ts'

const recording = (seconds: number, level = 0.3): Uint8Array => {
  const samples = Float32Array.from({ length: Math.round(seconds * 16_000) }, (_, at) => level * Math.sin(at / 9))
  return Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples: samples.length }), toS16(samples)])
}

test('speech has the predicted length, is finite, and is determined by its seed', async (t) => {
  const engine = engineOf(tinyModel(t, backboneFiles('none')))
  await engine.load()
  const text = 'The quick brown fox jumps.'
  const frames = wholeFrames(estimateFrames(text, null), 1)
  const { parts, result, events } = await take(engine, plain(text))
  assert.equal(parts[0]!.length, frames * 960)
  assert.deepEqual(result.parts, [{ samples: frames * 960 }])
  assert.equal(result.device, 'cpu')
  assert.deepEqual(engine.placement(), { device: 'cpu', reason: '' })
  assert.equal(result.sample_rate, OMNIVOICE_SAMPLE_RATE)
  assert.ok(parts[0]!.every((sample) => Number.isFinite(sample)))
  assert.ok(Math.abs(peakOf(parts[0]!) - 0.5) < 0.02, 'the peak is one half')

  const again = await take(engine, plain(text))
  assert.deepEqual(again.parts, parts)
  const other = await take(engine, { ...plain(text), segments: [{ text, seed: 8 }] })
  assert.notDeepEqual(other.parts, parts)
  const fresh = engineOf(tinyModel(t, backboneFiles('none')))
  assert.deepEqual((await take(fresh, plain(text))).parts, parts)

  const progress = events.flatMap((event) => (event.kind === 'progress' ? [event.progress] : []))
  assert.equal(progress.length, 5, 'one for each step and one for the sound')
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  assert.equal(progress.at(-1), 1)
  await engine.unload()
  await fresh.unload()
})

test('numbers are spoken in words of the language that is named or recognised', async (t) => {
  const engine = engineOf(tinyModel(t, backboneFiles('none')))
  const samplesOf = async (text: string, language: string | null) =>
    (await take(engine, { ...plain(text, { num_step: 1 }), language })).parts[0]!
  assert.deepEqual(await samplesOf('$2', 'en'), await samplesOf('two dollars', 'en'))
  assert.deepEqual(await samplesOf('$2', 'de-AT'), await samplesOf('zwei Dollar', 'de-AT'))
  const bread = 'The bread that we bought in the town is 2 days old.'
  assert.deepEqual(await samplesOf(bread, null), await samplesOf(bread.replace('2', 'two'), null), 'English by its words')
  assert.notDeepEqual(await samplesOf('2', null), await samplesOf('two', null), 'nothing tells the language')
  await engine.unload()
})

test('the planted codes are found in the audio for every schedule', async (t) => {
  const text = 'A plant grows.'
  const frames = wholeFrames(estimateFrames(text, null), 1)
  const next = seededRandom(11).unit
  const codes = Int32Array.from({ length: 8 * frames }, () => Math.floor(next() * 1024))
  codes[0] = 0 // the loudest level there is, so the gain is known
  const engine = engineOf(tinyModel(t, plantedBackbone(codes, frames)))
  for (const more of [
    {},
    { num_step: 1 },
    { num_step: 33, t_shift: 0.7 },
    { guidance_scale: 0 },
    { layer_penalty_factor: 0, position_temperature: 0 },
  ]) {
    const [samples] = (await take(engine, plain(text, more))).parts
    // Fades of 0.1 s take 2.5 frames at either end.
    for (let frame = 3; frame < frames - 3; frame++) {
      for (let book = 0; book < 8; book++) {
        const level = samples![frame * 960 + book * 120 + 60]!
        assert.equal(Math.round(level * 1024 + 512), codes[book * frames + frame], `frame ${frame}, codebook ${book}`)
      }
    }
  }
  await engine.unload()
})

test('silences are shortened before the gain raises them above their limit', async (t) => {
  const text = 'This is a slightly longer sentence to estimate duration for.'
  const frames = wholeFrames(estimateFrames(text, null), 1)
  const edge = 10
  // Speech of -34 dBFS around a pause of -54 dBFS: the gain for a peak of one half lifts the pause to -26 dBFS.
  const level = (frame: number) => (frame < edge || frame >= frames - edge ? 532 : 514)
  const codes = Int32Array.from({ length: 8 * frames }, (_, at) => level(at % frames))
  const engine = engineOf(tinyModel(t, plantedBackbone(codes, frames)))
  const [samples] = (await take(engine, plain(text, { postprocess_output: true }))).parts
  const seconds = samples!.length / OMNIVOICE_SAMPLE_RATE
  assert.ok(Math.abs(seconds - (0.1 + 2 * edge * 0.04 + 1 + 0.1)) < 0.02, `${seconds} s`)
  assert.ok(Math.abs(peakOf(samples!) - 0.5) < 0.01)
  await engine.unload()
})

test('a causal export, a broken repository and a wrong file are refused', async (t) => {
  await assert.rejects(engineOf(tinyModel(t, backboneFiles('causal'))).load(), refused('MODEL_NOT_DOWNLOADED', /causal attention/))

  const manifest = (repo: string) => JSON.stringify({ digest: 'a'.repeat(64), files: [{ path: 'omnivoice_backbone.onnx', repo }] })
  const denied = tinyModel(t, backboneFiles('none'), { 'manifest.json': manifest('onnx-community/OmniVoice-Onnx') })
  await assert.rejects(engineOf(denied).load(), refused('MODEL_NOT_DOWNLOADED', /onnx-community\/OmniVoice-Onnx is the wrong export/))
  const good = engineOf(tinyModel(t, backboneFiles('none'), { 'manifest.json': manifest('OpenVoiceOS/phoonnx-omnivoice') }))
  await good.load()
  assert.equal(good.describe()[0]!.modelDigest, 'a'.repeat(64))
  await good.unload()

  const decoder = tinyModel(t, { 'omnivoice_backbone.onnx': backboneFiles('split')['audio_heads_decoder.onnx']! })
  await assert.rejects(engineOf(decoder).load(), refused('MODEL_NOT_DOWNLOADED', /wrong export: input input_ids is missing/))
  const other = tinyModel(t, backboneFiles('none'), { 'tokenizer.json': tokenizerJson([]) })
  await assert.rejects(engineOf(other).load(), refused('MODEL_NOT_DOWNLOADED', /another model: it lacks <\|denoise\|>/))
  const torn = tinyModel(t, backboneFiles('none'), { 'tokenizer.json': tokenizerJson().slice(0, 400) })
  await assert.rejects(engineOf(torn).load(), refused('MODEL_NOT_DOWNLOADED', /not JSON/))
  const gone = tinyModel(t, backboneFiles('none'))
  rmSync(join(gone.folder, 'omnivoice_backbone.onnx'))
  await assert.rejects(engineOf(gone).load(), refused('MODEL_NOT_DOWNLOADED', /omnivoice_backbone\.onnx/))
  await assert.rejects(engineOf({ filesOf: () => null }).load(), refused('MODEL_NOT_DOWNLOADED', /not downloaded on this machine/))
})

test('a reference voice is encoded once, and its level is matched', async (t) => {
  const tiny = tinyModel(t, backboneFiles('pairs'))
  const opened: string[] = []
  const runs = new Map<string, number>()
  const engine = omniVoice.create({
    filesOf: tiny.filesOf,
    device: 'cpu',
    open: async (file, wish) => {
      opened.push(basename(file))
      const graph = await openGraph(file, wish)
      const name = opened.at(-1)!
      return {
        ...graph,
        run: (feeds, outputs) => {
          runs.set(name, (runs.get(name) ?? 0) + 1)
          return graph.run(feeds, outputs)
        },
      }
    },
  })
  await engine.load()
  assert.ok(!opened.includes('semantic_encoder.onnx'), 'the encoders wait for a voice')
  const text = 'Words in another voice.'
  const bare = await take(engine, plain(text, { num_step: 2 }))
  const reference = new Map([['reference', recording(1, 0.02)]])
  const first = await take(engine, plain(text, { num_step: 2, ref_text: 'What was said' }), reference)
  const second = await take(engine, plain(text, { num_step: 2, ref_text: 'What was said' }), reference)
  assert.deepEqual(first.parts, second.parts)
  assert.notDeepEqual(first.parts, bare.parts)
  assert.equal(first.result.voice, 'reference')
  assert.deepEqual(first.result.notices, [])
  assert.equal(runs.get('semantic_encoder.onnx'), 1)
  assert.equal(first.parts[0]!.length, wholeFrames(estimateFrames(text, { text: 'What was said.', frames: 25 }), 1) * 960)
  const loudest = peakOf(first.parts[0]!)
  assert.ok(loudest < 0.5 * (0.02 / Math.SQRT2 / 0.1) * 1.05, `a quiet voice stays quiet: ${loudest}`)
  const ended = await take(engine, plain(text, { num_step: 2, ref_text: 'What was said.' }), reference)
  assert.deepEqual(ended.parts, first.parts, 'a transcript without an end mark gets one')
  assert.equal(runs.get('semantic_encoder.onnx'), 1)
  engine.forgetVoices!('', [createHash('sha256').update(reference.get('reference')!).digest('hex')])
  assert.deepEqual((await take(engine, plain(text, { num_step: 2, ref_text: 'What was said' }), reference)).parts, first.parts)
  assert.equal(runs.get('semantic_encoder.onnx'), 2, 'a forgotten voice is encoded again')
  const untold = await take(engine, plain(text), reference)
  assert.match(untold.result.notices.join(), /ref_text/)
  for (const [bytes, words] of [
    [Buffer.from('not a sound'), /reference/],
    [recording(0.01), /short/],
    [recording(1, 0), /silent/],
  ] as const) {
    await assert.rejects(take(engine, plain(text), new Map([['reference', bytes]])), refused('INVALID_TASK_PARAMS', words))
  }
  await engine.unload()
})

test('with a recording, a segment sounds the same alone and beside others', async (t) => {
  const engine = engineOf(tinyModel(t, backboneFiles('none')))
  const reference = new Map([['reference', recording(1, 0.2)]])
  const texts = ['A first segment of several chunks.', 'The 2nd one.', '\u7b2c\u4e09\u6bb5\u3002']
  const segments = texts.map((text, seed) => ({ text, seed }))
  const more = { ref_text: 'What was said.', instruct: 'female', num_step: 2, chunk_threshold: 1, chunk_duration: 1 }
  const { parts, events } = await take(engine, { segments, ...more }, reference)
  assert.ok(events.filter(({ kind }) => kind === 'audio').length > segments.length, 'a segment has several chunks')
  const reversed = await take(engine, { segments: segments.toReversed(), ...more }, reference)
  // Not deepEqual: the description of a difference would need minutes and gigabytes.
  const bytes = (samples: Float32Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
  for (const [at, samples] of parts.entries()) {
    assert.ok(bytes(samples).equals(bytes(reversed.parts[2 - at]!)), `${at} in another order`)
    const alone = await take(engine, { segments: [segments[at]!], ...more }, reference)
    assert.ok(bytes(samples).equals(bytes(alone.parts[0]!)), `${at} alone`)
  }
  await engine.unload()
})

test('a requested duration is met to the frame, pauses included', async (t) => {
  const engine = engineOf(tinyModel(t, backboneFiles('none')))
  const segments = [{ text: 'One two three.', pause_after_ms: 500 }, { text: 'Four five six seven eight.' }, { text: 'Nine.' }]
  for (const duration of [2, 7.3]) {
    const { parts } = await take(engine, { segments, duration, num_step: 2 })
    const seconds = parts.reduce((sum, part) => sum + part.length, 0) / OMNIVOICE_SAMPLE_RATE
    assert.ok(Math.abs(seconds - duration) <= 0.04, `${seconds} s of ${duration} s`)
  }
  await assert.rejects(take(engine, { segments, duration: 0.4 }), refused('INVALID_TASK_PARAMS', /duration/))
  const half = await take(engine, plain('A sentence of some length, for once.', { speed: 2 }))
  const whole = await take(engine, plain('A sentence of some length, for once.'))
  assert.ok(Math.abs(half.parts[0]!.length / whole.parts[0]!.length - 0.5) < 0.02)
  await engine.unload()
})

test('a long text comes chunk by chunk, in one voice', async (t) => {
  const engine = engineOf(tinyModel(t, backboneFiles('none')))
  const text = 'This sentence is said again and again. '.repeat(9)
  const { events, parts } = await take(engine, { segments: [{ text, seed: 1 }], num_step: 2, chunk_threshold: 5, chunk_duration: 5 })
  const sounds = events.filter((event) => event.kind === 'audio')
  assert.ok(sounds.length >= 4, `${sounds.length} chunks`)
  assert.ok(events.indexOf(sounds[0]!) < events.length / 2, 'the first chunk leaves before the others are made')
  assert.equal(parts[0]![0], 0)
  await engine.unload()
})

test('a cancelled run stops at the next step, and the engine stays usable', async (t) => {
  const engine = engineOf(tinyModel(t, backboneFiles('none')))
  await engine.load()
  const abort = new AbortController()
  let seen = 0
  const running = async () => {
    const params = { segments: [{ text: 'Words to be cut off. '.repeat(10) }], num_step: 500 }
    for await (const event of engine.run('tts', params, abort.signal)) {
      seen++
      assert.equal(event.kind, 'progress')
      if (seen === 3) abort.abort(new Error('enough'))
    }
  }
  await assert.rejects(running(), /enough/)
  assert.equal(seen, 3)
  await take(engine, plain('Still here.'))
  await engine.unload()
})

test('it accepts descriptions of its vocabulary and rejects others', async (t) => {
  const engine = engineOf(tinyModel(t, backboneFiles('none')))
  const plainly = await take(engine, plain('Hello there.'))
  const described = await take(engine, plain('Hello there.', { instruct: 'an old man, whispering' }))
  assert.notDeepEqual(described.parts, plainly.parts)
  const inBoth = async (text: string) =>
    await Promise.all(['female', '女'].map(async (instruct) => (await take(engine, plain(text, { instruct }))).parts))
  for (const text of ['Hello there.', '你好。']) {
    const [english, chinese] = await inBoth(text)
    assert.deepEqual(english, chinese, 'the language of the text decides, not that of the description')
  }
  const ofFirst = async (instruct: string | null, ...more: string[]) => {
    const segments = ['Hello there.', ...more].map((text) => ({ text, seed: 7 }))
    return (await take(engine, { segments, instruct, num_step: 4 })).parts[0]
  }
  assert.deepEqual(await ofFirst(null, '你好。'), await ofFirst(null))
  assert.notDeepEqual(await ofFirst('female', '你好。'), await ofFirst('female'), 'Chinese text makes the description Chinese')
  await assert.rejects(take(engine, plain('Hello there.', { instruct: 'grumpy' })), refused('INVALID_TASK_PARAMS', /instruct.*"grumpy"/))
  await assert.rejects(take(engine, plain('Hi', { num_step: 0 })), refused('INVALID_TASK_PARAMS', /num_step/))
  const { result } = await take(engine, plain('Hi', { voice: 'unknown', language: 'Martian' }))
  assert.match(result.notices.join(), /martian.*unknown|unknown.*martian/)
  await engine.unload()
})

test('weights with non-finite output are replaced by full precision', async (t) => {
  const broken = tinyModel(t, brokenLater())
  const sound = tinyModel(t, backboneFiles('none'))
  const filesOf: Tiny['filesOf'] = (engine, model) =>
    model === 'omnivoice-bf16' ? broken.filesOf(engine, '') : model === 'omnivoice-fp32' ? sound.filesOf(engine, '') : null
  const engine = engineOf({ filesOf })
  const mended = await take(engine, plain('Quite not a number.'))
  assert.match(mended.result.notices.join(), /full precision/)
  const direct = engineOf(sound)
  assert.deepEqual(mended.parts, (await take(direct, plain('Quite not a number.'))).parts)
  assert.deepEqual((await take(engine, plain('Quite not a number.'))).result.notices, [], 'it stays with what works')
  await assert.rejects(take(engineOf(broken), plain('Quite not a number.')), refused('NON_FINITE_OUTPUT', /precision/))
  await engine.unload()
  await direct.unload()
})

test('the capability describes the downloaded variant', (t) => {
  const tiny = tinyModel(t, backboneFiles('none'))
  const engine = engineOf(tiny)
  const [row] = engine.describe()
  assert.ok(row?.cloning && row.downloaded && row.standsIn === null && row.implementation === 'omnivoice')
  assert.ok(row.memoryBytes > 0)
  assert.deepEqual(engineOf({ filesOf: () => null }).describe(), [])
  const files = new Map([...tiny.filesOf('svc-engine', '')!].filter(([name]) => !name.includes('semantic')))
  assert.equal(engineOf({ filesOf: (_, model) => (model === '' ? files : null) }).describe()[0]!.cloning, false)
})
