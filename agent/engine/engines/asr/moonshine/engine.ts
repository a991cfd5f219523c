// Recognition by Moonshine: English, quick on a plain processor, because it hears as much as is said and not half a minute each time. It tells
// no times within what it hears, so a sentence has the times of its piece.

import { setImmediate as turn } from 'node:timers/promises'
import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { speechPieces } from '#agent/engine/audio/sound-pieces.ts'
import { createStopper, openPipeline, type TransformersLibrary } from '#agent/engine/runtimes/transformers/library.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent, type EnginePlacement } from '#agent/engine/seam/engine.ts'
import { describeEach, type ModelFiles, requireDownloaded } from '#agent/engine/seam/model-files.ts'
import { openPerModel } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { AsrParams, type AsrResult, type AsrSegment } from '#shared/operations/asr.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { promptNotice } from '../../../seam/notices.ts'

const ID = 'moonshine'
const RATE = 16_000
const MEBIBYTE = 1024 ** 2
/** Its first layers need so much, and in less nobody says a word. */
const SHORTEST_SECONDS = 0.1
/** Nobody speaks faster, and without an end it would repeat itself over a noise. The library's own limit is nothing for less than a second. */
const TOKENS_PER_SECOND = 6.5
/** A word alone, and its end. */
const LEAST_TOKENS = 10
/** The networks that its authors published have 194 places, and the first is taken. */
const MOST_TOKENS = 193
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

  async function* run({ language, prompt }: AsrParams, { signal, inputs, model }: RunContext): AsyncGenerator<EngineEvent> {
    refuseUnlessEnglish(language)
    const { samples, seconds } = await readAudioAt(RATE, inputs, signal)
    const { pipeline, library } = await opening.load(model)
    const { stopping, forget } = createStopper(library, signal)
    const segments: AsrSegment[] = []
    try {
      for (const { from, to } of speechPieces(samples, RATE)) {
        signal.throwIfAborted()
        const length = (to - from) / RATE
        if (length < SHORTEST_SECONDS) continue
        const most = Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, Math.ceil(length * TOKENS_PER_SECOND)))
        const said = await pipeline(samples.slice(from, to), { max_new_tokens: most, stopping_criteria: stopping })
        signal.throwIfAborted()
        const text = said.text.trim()
        if (text !== '') segments.push({ start: from / RATE, end: to / RATE, text })
        yield { kind: 'progress', progress: Math.min(1, to / samples.length), stage: STAGE }
        await turn()
      }
    } catch (error) {
      throw error instanceof Failure || signal.aborted
        ? error
        : new Failure('WORKER_FAILED', `${ID} failed on a recording`, { cause: error })
    } finally {
      forget()
    }
    signal.throwIfAborted()
    yield { kind: 'progress', progress: 1, stage: STAGE }
    const text = segments.map((one) => one.text).join(' ')
    const result: AsrResult = { text, language: 'en', segments, duration: seconds, notices: promptNotice(ID, prompt) }
    yield { kind: 'result', result }
  }

  return {
    describe: () => describeEach(filesOf, ID, describe),
    load: async (model) => void (await opening.load(model)),
    operations: { asr: withParams(AsrParams, run) },
    unload: opening.unload,
    placement: (): EnginePlacement | null => (opening.opened() ? { device: 'cpu', reason: '' } : null),
  }
}

export const moonshine = defineEngine({ id: ID, maxBlockSeconds: 60, create: createMoonshine })

function refuseUnlessEnglish(wished: string | null): void {
  const tag = (wished ?? '').trim().toLowerCase()
  if (!['', 'auto', 'en'].includes(tag.split(/[-_]/)[0]!))
    throw new Failure('INVALID_TASK_PARAMS', `language: ${ID} understands English only, not "${tag.slice(0, 32)}"`)
}

function describe(files: ModelFiles | null): Capability {
  return capability({
    engine: ID,
    operation: 'asr',
    implementation: 'moonshine-onnx',
    languages: ['en'],
    downloaded: files !== null,
    sampleRate: RATE,
    // Twice its files, until a host has measured it.
    memoryBytes: 500 * MEBIBYTE,
    ...(files === null && { reason: 'No Moonshine model is downloaded on this machine: download its model.' }),
  })
}
