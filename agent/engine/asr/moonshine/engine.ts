// Recognition with Moonshine: English, fast on a CPU, because its cost depends on the duration of the speech and not on a window of half a
// minute. It returns no times, so the text of a piece has the times of the piece.

import { isRepetitive } from '#agent/engine/asr/whisper/decoding/guards.ts'
import { createNotices } from '#agent/engine/asr/whisper/notices.ts'
import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { speechPieces } from '#agent/engine/audio/sound-pieces.ts'
import { createStopper, openPipeline, type TransformersLibrary } from '#agent/engine/runtimes/transformers/library.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent, type EnginePlacement } from '#agent/engine/seam/engine.ts'
import { describeEach, type ModelFiles, requireDownloaded } from '#agent/engine/seam/model-files.ts'
import { promptNotice } from '#agent/engine/seam/notices.ts'
import { openPerModel } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { type AsrResult, type AsrSegment, TranscribeParams } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { MOONSHINE_VERIFICATION } from './verification.ts'

const ID = 'moonshine'
const SAMPLE_RATE = 16_000
const MEBIBYTE = 1024 ** 2
/** Minimum input of its first layers. */
const MIN_SECONDS = 0.1
/** Limit for the output: the model repeats itself over noise. The default of the library gives no tokens for less than a second. */
const TOKENS_PER_SECOND = 6.5
/** One word and the end token. */
const MIN_TOKENS = 10
/** The published networks have 194 positions. The first is the start token. */
const MAX_TOKENS = 193
const STAGE = 'recognising'

export type Pipe = {
  (samples: Float32Array, options: Record<string, unknown>): Promise<{ text: string }>
  readonly dispose: () => Promise<unknown>
}
type Loaded = { readonly pipeline: Pipe; readonly library: TransformersLibrary }
type Open = (files: ModelFiles) => Promise<Loaded>

function createMoonshine(
  { filesOf }: { readonly filesOf: FilesOf },
  open: Open = (files) => openPipeline<Pipe>('automatic-speech-recognition', files),
): EngineParts {
  const opening = openPerModel<Loaded>(
    (model) => open(requireDownloaded(filesOf, ID, model)),
    async ({ pipeline }) => void (await pipeline.dispose()),
  )

  async function* run({ language, prompt }: TranscribeParams, { signal, inputs, model }: RunContext): AsyncGenerator<EngineEvent> {
    refuseUnlessEnglish(language)
    const { samples, seconds } = await readAudioAt(SAMPLE_RATE, inputs, signal)
    const { pipeline, library } = await opening.load(model)
    const { stopping, forget } = createStopper(library, signal)
    const segments: AsrSegment[] = []
    const notices = createNotices(ID, true)
    try {
      for (const { from, to } of speechPieces(samples, SAMPLE_RATE)) {
        signal.throwIfAborted()
        const length = (to - from) / SAMPLE_RATE
        if (length < MIN_SECONDS) continue
        const maxTokens = Math.min(MAX_TOKENS, Math.max(MIN_TOKENS, Math.ceil(length * TOKENS_PER_SECOND)))
        const output = await pipeline(samples.slice(from, to), { max_new_tokens: maxTokens, stopping_criteria: stopping })
        signal.throwIfAborted()
        const text = output.text.trim()
        const span = { start: from / SAMPLE_RATE, end: to / SAMPLE_RATE }
        if (isRepetitive({ text })) notices.add('repeats', span)
        else if (text !== '') segments.push({ ...span, text })
        yield { kind: 'progress', progress: Math.min(1, to / samples.length), stage: STAGE }
        await nextTurn()
      }
    } catch (error) {
      throw error instanceof Failure || signal.aborted
        ? error
        : new Failure('WORKER_FAILED', `The engine ${ID} failed on a recording.`, { cause: error })
    } finally {
      forget()
    }
    signal.throwIfAborted()
    yield { kind: 'progress', progress: 1, stage: STAGE }
    const text = joinPieces(segments.map((one) => one.text))
    const result: AsrResult = {
      text,
      language: 'en',
      segments,
      duration: seconds,
      notices: [...promptNotice(ID, prompt), ...notices.all()],
    }
    yield { kind: 'result', result }
  }

  return {
    describe: () => describeEach(filesOf, ID, describe),
    load: async (model) => void (await opening.load(model)),
    operations: { asr: withParams(TranscribeParams, run) },
    unload: opening.unload,
    placement: (): EnginePlacement | null => (opening.opened() ? { device: 'cpu', reason: '' } : null),
  }
}

export const moonshine = defineEngine({ id: ID, maxBlockSeconds: 60, verification: MOONSHINE_VERIFICATION, create: createMoonshine })

function refuseUnlessEnglish(requested: string | null): void {
  const tag = (requested ?? '').trim().toLowerCase()
  if (!['', 'auto', 'en'].includes(tag.split(/[-_]/)[0]!))
    throw new Failure('INVALID_TASK_PARAMS', `language: ${ID} supports English only, not "${tag.slice(0, 32)}".`)
}

function describe(files: ModelFiles | null): Capability {
  return capability({
    engine: ID,
    operation: 'asr',
    implementation: 'moonshine-onnx',
    languages: ['en'],
    downloaded: files !== null,
    sampleRate: SAMPLE_RATE,
    // Twice the size of its files, until a host has measured it.
    memoryBytes: 500 * MEBIBYTE,
    ...(files === null && { reason: 'No Moonshine model is downloaded on this machine. Download its model.' }),
  })
}
