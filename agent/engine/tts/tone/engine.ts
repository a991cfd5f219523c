// The deterministic test voice. It is cheap, its audio has a known length and shape, and it can inject every fault of an engine, so that
// pool, hosts and tasks are tested with real processes.

import { createHash } from 'node:crypto'
import { readAudio } from '#agent/engine/audio/audio-input.ts'
import { fromS16le } from '#agent/engine/audio/pcm.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { type FilesOf, noFiles } from '#agent/models/manifest.ts'
import type { TtsResult } from '#shared/operations/tts.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { misbehave } from './misbehave.ts'
import { ToneAsrParams, ToneParams } from './params.ts'
import { recognise } from './recognise.ts'
import { fillerWave, measurePitch, type ReferencePitch, TONE_SAMPLE_RATE, toneWave } from './wave.ts'

const ID = 'tone'
const MS_PER_CHARACTER = 40
/**
 * A step takes this long for each second of sound, as in an engine that refines its sound on a GPU. It waits instead of computing, so that several
 * machines can be measured on one.
 */
const STEP_MS_PER_SECOND = 8
const FILLER_SAMPLES = 128 * 1024
/** It has no files. A digest lets tests check that tasks go to machines with the same model. */
export const TONE_DIGEST = createHash('sha256').update(ID).digest('hex')
/** Measured: memory of the host process after a run. */
const MEMORY_BYTES = 128 * 1024 ** 2
/** The model that fits into no machine. */
export const OVERSIZED_MODEL = 'vast'
const OVERSIZED_BYTES = 2 ** 50
/** The model that must be downloaded first. */
const DOWNLOADABLE_MODEL = 'weighed'

type Piece = { part: number; samples: Float32Array; waitMs: number }

function createTone({ clock, filesOf = noFiles }: { clock: Clock; filesOf?: FilesOf }): EngineParts {
  async function* run(params: ToneParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const { fault } = params
    const voice = params.voice === null || params.voice === '' || params.voice === 'default' ? ID : params.voice
    const notices = voice === ID ? [] : [`The test voice has no voice "${voice.slice(0, 64)}"; ${ID} was used.`]
    if (fault?.kind === 'fail') throw new Failure(fault.code as FailureCode, 'The test requested this failure.')

    const blob = inputs.get('blob')
    const reference = inputs.has('reference') ? readAudio(inputs, 'reference') : null
    const referencePitch = reference && measurePitch(reference.samples, reference.sampleRate)
    // Lets tests verify that recording and transcript arrived.
    if (referencePitch)
      notices.push(`The reference has ${Math.round(referencePitch.hz)} Hz and ${params.ref_text?.length ?? 0} characters of transcript.`)
    const parts = blob ? echoParts(blob, params) : speechParts(params, referencePitch)
    const total = parts.reduce((sum, part) => sum + part.length, 0)
    let made = 0
    await misbehave(fault, 0)
    for (const part of parts) {
      for (const { samples, waitMs } of part.pieces()) {
        await (waitMs > 0 ? clock.sleep(waitMs, signal) : nextTurn())
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

/** The bytes of `blob` as audio, so that tests can verify that they arrived. */
function echoParts(blob: Uint8Array, { fault, segments }: ToneParams): Part[] {
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

function speechParts(params: ToneParams, referencePitch: ReferencePitch | null): Part[] {
  if (params.bytes !== null) {
    const count = params.bytes / 2
    const pieces = function* () {
      for (const samples of fillerWave(count, FILLER_SAMPLES, params.segments[0]!.seed ?? 0)) yield { samples, waitMs: 0 }
    }
    return [{ index: 0, length: count, pieces }]
  }
  const samplesIn = (ms: number) => Math.max(1, Math.round((ms * TONE_SAMPLE_RATE) / 1000))
  const characters = params.segments.reduce((sum, segment) => sum + segment.text.length, 0)
  const pauses = params.segments.reduce((sum, segment) => sum + segment.pause_after_ms, 0)
  const msPerCharacter = params.duration === null ? MS_PER_CHARACTER / params.speed : (params.duration * 1000 - pauses) / characters
  if (msPerCharacter <= 0) throw new Failure('INVALID_TASK_PARAMS', 'duration: The pauses alone are longer.')
  return params.segments.map(({ text, seed, pause_after_ms }, index) => {
    const speechLength = samplesIn(params.ms_per_part ?? text.length * msPerCharacter)
    const silenceLength = pause_after_ms === 0 ? 0 : samplesIn(pause_after_ms)
    const pieceLength = samplesIn(params.piece_ms)
    const steps = (params.num_step ?? 0) * STEP_MS_PER_SECOND
    const partMs = params.fault?.kind === 'slow' ? params.fault.msPerChar * text.length : (steps * speechLength) / TONE_SAMPLE_RATE
    const waitMs = partMs / Math.ceil(speechLength / pieceLength)
    const pieces = function* () {
      for (const samples of toneWave(text, seed ?? 0, speechLength, pieceLength, referencePitch)) yield { samples, waitMs }
      if (silenceLength > 0) yield { samples: new Float32Array(silenceLength), waitMs: 0 }
    }
    return { index, length: speechLength + silenceLength, pieces }
  })
}

function describe(filesOf: FilesOf): Capability[] {
  const row = capability({
    engine: ID,
    operation: 'tts',
    implementation: 'tone',
    standsIn: 'A test tone, not speech.',
    languages: ['*'],
    voices: [{ id: ID, name: 'Test tone', language: '*', defaultFor: ['*'] }],
    cloning: true,
    downloaded: true,
    sampleRate: TONE_SAMPLE_RATE,
    permits: 4,
    modelDigest: TONE_DIGEST,
    memoryBytes: MEMORY_BYTES,
  })
  return [
    row,
    { ...row, model: OVERSIZED_MODEL, memoryBytes: OVERSIZED_BYTES },
    { ...row, model: DOWNLOADABLE_MODEL, downloaded: filesOf(ID, DOWNLOADABLE_MODEL) !== null },
    { ...row, operation: 'asr', voices: [], cloning: false },
  ]
}
