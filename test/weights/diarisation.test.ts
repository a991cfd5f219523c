// Diarisation with real networks: segmentation 3.0 of pyannote and CAM++ of 3D-Speaker, on the sample of pyannote-audio (30 s, two people).
// STUDIO_TEST_WEIGHTS is a folder with `diarisation/`, which `diarisation.py` writes from two packages.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { RATE } from '#agent/engine/diarize/pyannote/activity.ts'
import { unit } from '#agent/engine/diarize/pyannote/clusters.ts'
import { pyannote } from '#agent/engine/diarize/pyannote/engine.ts'
import { openDiarisation } from '#agent/engine/diarize/pyannote/graphs.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import type { DiarizeResult, SpeakerTurn } from '#shared/operations/diarize.ts'
import { asAudio, eventsOf, join as joined, resultOf } from '../agent/engine/audio/recording.ts'
import { golden } from '../golden/golden.ts'
import { openModelServer } from '../support/doubles/model-server.ts'
import { DIARISATION_FOLDER } from '../support/weights/exports.ts'
import { WHISPER_REPOSITORY, whisperFiles, withoutWeights } from '../support/weights/folder.ts'
import { commandsOf } from '../support/world/cli.ts'
import { form } from '../support/world/http.ts'
import { openWorld } from '../support/world/world.ts'

const WEIGHTS = process.env['STUDIO_TEST_WEIGHTS']
const file = (name: string) => join(WEIGHTS ?? '', 'diarisation', name)
const skip = !WEIGHTS
  ? 'STUDIO_TEST_WEIGHTS names no folder with weights.'
  : existsSync(file('campplus.onnx'))
    ? false
    : 'The folder of STUDIO_TEST_WEIGHTS has no diarisation/. See test/weights/diarisation.py.'
const { signal } = new AbortController()
const FILES = new Map([
  ['segmentation/model.onnx', file('segmentation.onnx')],
  ['embedding/campplus.onnx', file('campplus.onnx')],
])
const engine = pyannote.create({ filesOf: () => FILES })
test.after(() => engine.unload())

/** 16 bits, mono, at RATE. */
function sample(): Float32Array {
  const bytes = readFileSync(file('sample.wav'))
  const at = bytes.indexOf('data') + 8
  return Float32Array.from({ length: (bytes.length - at) >> 1 }, (_, index) => bytes.readInt16LE(at + 2 * index) / 32_768)
}
const diarised = async (samples: Float32Array, params: object = {}) =>
  resultOf<DiarizeResult>(await eventsOf(engine.run('diarize', params, signal, asAudio(samples))))
const speakersIn = (turns: readonly SpeakerTurn[]) => new Set(turns.map(({ speaker }) => speaker)).size

/** Share of the speech with a wrong number of speakers or a wrong one, each hundredth of a second, for two speakers. */
function errorRate(turns: readonly SpeakerTurn[], reference: readonly SpeakerTurn[]): number {
  const at = (list: readonly SpeakerTurn[], time: number) => new Set(list.filter(({ start, end }) => start <= time && time < end).map(({ speaker }) => speaker)) // biome-ignore format: one line
  const times = Array.from({ length: 3_000 }, (_, step) => (step + 0.5) / 100)
  const wrong = (mapped: (speaker: number) => number) =>
    times.reduce((sum, time) => {
      const [found, right] = [new Set([...at(turns, time)].map(mapped)), at(reference, time)]
      return sum + Math.max(found.size, right.size) - [...found].filter((speaker) => right.has(speaker)).length
    }, 0)
  const speech = times.reduce((sum, time) => sum + at(reference, time).size, 0)
  return Math.min(wrong((speaker) => speaker), wrong((speaker) => 1 - speaker)) / speech // biome-ignore format: one line
}

test('the turns of two people are those of pyannote-audio, and few are wrong', { skip }, async () => {
  const { turns } = golden<{ turns: [start: number, end: number, speaker: number][] }>('powerset-turns.json')
  const lines = readFileSync(file('sample.rttm'), 'utf8').trim().split('\n').map((line) => line.split(' ')) // biome-ignore format: one line
  const names = [...new Set(lines.map((fields) => fields[7]))]
  const reference = lines.map((fields) => ({ start: Number(fields[3]), end: Number(fields[3]) + Number(fields[4]), speaker: names.indexOf(fields[7]) })) // biome-ignore format: one line
  for (const params of [{}, { num_speakers: 2 }]) {
    const { segments } = await diarised(sample(), params)
    assert.equal(segments.length, turns.length)
    for (const [at, [start, end]] of turns.entries()) {
      assert.ok(Math.abs(segments[at]!.start - start) < 0.02 && Math.abs(segments[at]!.end - end) < 0.02, `turn ${at}`)
    }
    const error = errorRate(segments, reference)
    assert.ok(error < 0.06, `${error}`)
  }
})

test('a requested number of speakers is kept', { skip }, async () => {
  for (const num_speakers of [3, 4]) assert.equal(speakersIn((await diarised(sample(), { num_speakers })).segments), num_speakers)
})

test('the voices of a person in two recordings are alike, and those of two people are not', { skip }, async () => {
  const whole = sample()
  const second = joined([whole.subarray(20 * RATE), whole.subarray(8 * RATE, 17 * RATE)])
  const [first, other] = [await diarised(whole, { voices: true }), await diarised(second, { voices: true })]
  const cosine = (one: readonly number[], two: readonly number[]) => one.reduce((sum, value, at) => sum + value * two[at]!, 0)
  const table = first.voices.map(({ vector }) => other.voices.map((voice) => cosine(vector, voice.vector)))
  assert.equal(table.flat().length, 4)
  for (const row of table) {
    const [least, most] = row.toSorted((one, two) => one - two) as [number, number]
    assert.ok(most > 0.95 && least < 0.65, JSON.stringify(table))
  }
})

test('the vector of a voice is that of torch with the features that the network was trained with', { skip }, async () => {
  const graphs = await openDiarisation({ segmentation: file('segmentation.onnx'), embedding: file('campplus.onnx') }, (path, options) =>
    openGraph(path, { ...options, device: 'cpu' }),
  )
  const { spans } = golden<{ spans: { start: number; end: number; vector: number[] }[] }>('voices.json')
  for (const { start, end, vector } of spans) {
    const own = unit((await graphs.vectorOf(sample().subarray(start * RATE, end * RATE)))!)
    const cosine = vector.reduce((sum, value, at) => sum + value * own[at]!, 0)
    assert.ok(cosine > 0.9995, `${start} s: ${cosine}`)
  }
  await graphs.close()
})

test('the commands of the product install the networks from a mirror, and verify them; a transcript has both speakers', {
  skip: skip || withoutWeights('whisper-base'),
}, async (t) => {
  const mirror = await openModelServer(t, {
    'csukuangfj/sherpa-onnx-pyannote-segmentation-3-0': { 'model.onnx': readFileSync(file('segmentation.onnx')) },
    'csukuangfj/speaker-embedding-models': { 'campplus.onnx': readFileSync(file('campplus.onnx')) },
    [WHISPER_REPOSITORY]: whisperFiles(),
  })
  const env = { STUDIO_MODELS_URL: mirror.url, STUDIO_MODELS_CACHE: '', [DIARISATION_FOLDER]: join(WEIGHTS!, 'diarisation') }
  const world = await openWorld(t, { env, preload: './test/support/weights/catalogue-of-exports.ts' })
  const command = commandsOf(world)
  for (const name of ['pyannote', 'whisper-base:q8']) {
    const { code, output, errors } = await command('models', 'install', name)
    assert.equal(code, 0, output + errors)
  }
  const { code, output, errors } = await command('models', 'verify', 'pyannote')
  assert.equal(code, 0, output + errors)
  assert.match(output, /PASS: \d+ of \d+ checks pass, 0 differ/)
  const recording = { file: readFileSync(file('sample.wav')), model: 'faster-whisper', language: 'en', response_format: 'diarized_json' }
  const reply = await world.post('/v1/audio/transcriptions', form(recording))
  assert.equal(reply.status, 200, String(reply.body))
  const { segments } = reply.json() as { segments: { speaker: string }[] }
  assert.deepEqual([...new Set(segments.map(({ speaker }) => speaker))].toSorted(), ['A', 'B'])
})
