// The deterministic test voice. It costs next to nothing, says what length and shape its audio has, and can be told to misbehave
// in every way an engine can, so that the machinery around engines is tested with real processes.

import { setImmediate as turn } from 'node:timers/promises'
import { readAudio } from '#agent/engine/audio/audio-input.ts'
import { fromS16le } from '#agent/engine/audio/pcm.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { type FilesOf, noFiles } from '#agent/models/manifest.ts'
import type { TtsResult } from '#shared/operations/tts.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { recognise } from './hear.ts'
import { misbehave } from './misbehave.ts'
import { ToneAsrParams, ToneParams } from './params.ts'
import { fillerWave, measurePitch, type ReferencePitch, TONE_SAMPLE_RATE, toneWave } from './wave.ts'

const ID = 'tone'
const MS_PER_CHARACTER = 40
const FILLER_SAMPLES = 128 * 1024
/** Measured: what its host process holds once it has spoken. */
const MEMORY_BYTES = 128 * 1024 ** 2
/** The model that fits into no machine. */
export const VAST_MODEL = 'vast'
const VAST_BYTES = 2 ** 50
/** The model that must be downloaded first. */
const WEIGHED_MODEL = 'weighed'

type Piece = { part: number; samples: Float32Array; waitMs: number }

function createTone({ clock, filesOf = noFiles }: { clock: Clock; filesOf?: FilesOf }): EngineParts {
  async function* run(wanted: ToneParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const { fault } = wanted
    const voice = wanted.voice === null || wanted.voice === '' || wanted.voice === 'default' ? ID : wanted.voice
    const notices = voice === ID ? [] : [`The test voice has no voice "${voice.slice(0, 64)}"; ${ID} was used.`]
    if (fault?.kind === 'fail') throw new Failure(fault.code as FailureCode, 'asked to fail')

    const blob = inputs.get('blob')
    const reference = inputs.has('reference') ? readAudio(inputs, 'reference') : null
    const heard = reference && measurePitch(reference.samples, reference.sampleRate)
    // What was heard is told, so that a test can see that recording and transcript arrived.
    if (heard) notices.push(`The reference has ${Math.round(heard.hz)} Hz and ${wanted.ref_text?.length ?? 0} characters of transcript.`)
    const parts = blob ? echoOf(blob, wanted) : partsOf(wanted, heard)
    const total = parts.reduce((sum, part) => sum + part.length, 0)
    let made = 0
    await misbehave(fault, 0)
    for (const part of parts) {
      for (const { samples, waitMs } of part.pieces()) {
        await (waitMs > 0 ? clock.sleep(waitMs, signal) : turn())
        signal.throwIfAborted()
        if (fault?.kind === 'nan') samples[samples.length >> 1] = Number.NaN
        made += samples.length
        yield { kind: 'audio', part: part.index, samples }
        yield { kind: 'progress', progress: made / total, stage: 'speaking' }
      }
      await misbehave(fault, part.index + 1)
    }
    const result: TtsResult = {
      sample_rate: TONE_SAMPLE_RATE,
      parts: parts.map(({ length }) => ({ samples: length })),
      voice: ID,
      notices,
    }
    yield { kind: 'result', result: fault?.kind === 'digest' ? { ...result, wrong_digest: true } : result }
  }

  const nothing = async () => {}
  return {
    describe: () => describe(filesOf),
    load: nothing,
    operations: {
      tts: withParams(ToneParams, run),
      asr: withParams(ToneAsrParams, (params, { signal, inputs }) => recognise(params, clock, signal, inputs)),
    },
    unload: nothing,
  }
}

export const tone = defineEngine({ id: ID, maxBlockSeconds: 5, create: createTone })

/** The very bytes it was given, as sound: what comes back tells whether they arrived. */
function echoOf(blob: Uint8Array, { fault, segments }: ToneParams): Part[] {
  const samples = fromS16le(Buffer.from(blob))
  const pieceLength = FILLER_SAMPLES / 8
  const count = Math.ceil(samples.length / pieceLength)
  const waitMs = fault?.kind === 'slow' ? (fault.msPerChar * segments[0]!.text.length) / count : 0
  const pieces = function* () {
    for (let at = 0; at < samples.length; at += pieceLength) yield { samples: samples.slice(at, at + pieceLength), waitMs }
  }
  return [{ index: 0, length: samples.length, pieces }]
}

type Part = { index: number; length: number; pieces: () => Iterable<Omit<Piece, 'part'>> }

function partsOf(wanted: ToneParams, heard: ReferencePitch | null): Part[] {
  if (wanted.bytes !== null) {
    const count = wanted.bytes / 2
    const pieces = function* () {
      for (const samples of fillerWave(count, FILLER_SAMPLES, wanted.segments[0]!.seed ?? 0)) yield { samples, waitMs: 0 }
    }
    return [{ index: 0, length: count, pieces }]
  }
  const samplesIn = (ms: number) => Math.max(1, Math.round((ms * TONE_SAMPLE_RATE) / 1000))
  const characters = wanted.segments.reduce((sum, segment) => sum + segment.text.length, 0)
  const pauses = wanted.segments.reduce((sum, segment) => sum + segment.pause_after_ms, 0)
  const msPerCharacter = wanted.duration === null ? MS_PER_CHARACTER / wanted.speed : (wanted.duration * 1000 - pauses) / characters
  if (msPerCharacter <= 0) throw new Failure('INVALID_TASK_PARAMS', 'duration: shorter than the pauses alone')
  return wanted.segments.map(({ text, seed, pause_after_ms }, index) => {
    const spoken = samplesIn(wanted.ms_per_part ?? text.length * msPerCharacter)
    const silent = pause_after_ms === 0 ? 0 : samplesIn(pause_after_ms)
    const pieceLength = samplesIn(wanted.piece_ms)
    const waitMs = wanted.fault?.kind === 'slow' ? (wanted.fault.msPerChar * text.length) / Math.ceil(spoken / pieceLength) : 0
    const pieces = function* () {
      for (const samples of toneWave(text, seed ?? 0, spoken, pieceLength, heard)) yield { samples, waitMs }
      if (silent > 0) yield { samples: new Float32Array(silent), waitMs: 0 }
    }
    return { index, length: spoken + silent, pieces }
  })
}

function describe(filesOf: FilesOf): Capability[] {
  const row = capability({
    engine: ID,
    operation: 'tts',
    implementation: 'tone',
    standsIn: 'A test tone, not speech.',
    languages: ['*'],
    voices: [{ id: ID, name: 'Test tone', language: '*' }],
    cloning: true,
    downloaded: true,
    sampleRate: TONE_SAMPLE_RATE,
    permits: 4,
    memoryBytes: MEMORY_BYTES,
  })
  return [
    row,
    { ...row, model: VAST_MODEL, memoryBytes: VAST_BYTES },
    { ...row, model: WEIGHED_MODEL, downloaded: filesOf(ID, WEIGHED_MODEL) !== null },
    { ...row, operation: 'asr', voices: [], cloning: false },
  ]
}
