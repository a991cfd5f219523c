// The open recogniser of this process. Only one is open at a time; two engines that run the same model share it.

import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { loadSherpa, type OfflineRecogniser, type OnlineRecogniser, type SherpaLibrary } from './library.ts'
import { recogniserPlan, SHERPA_SAMPLE_RATE, type SherpaModel } from './models.ts'
import { createOpenStreams } from './open-streams.ts'
import { createModelTrial, type ModelTrial } from './trial.ts'
import { SherpaResult } from './words.ts'

/**
 * Silence after the end of a recording: a streaming network computes whole steps only. The longest step is that of Paraformer: 610 ms. Its
 * last 180 ms count in the next step, so a word at the end needs up to 790 ms after it.
 */
const TAIL_SILENCE = new Float32Array(0.8 * SHERPA_SAMPLE_RATE)
/** Samples between two checks of the signal. */
const STEP_SAMPLES = SHERPA_SAMPLE_RATE / 2

export type Recogniser = {
  /** `isPartial`: the recording goes on, and a streaming model continues with the next one that starts with `samples`. */
  readonly recognise: (
    samples: Float32Array,
    request: { readonly language: string | null; readonly isPartial: boolean },
    signal: AbortSignal,
  ) => Promise<SherpaResult>
}
export type RecogniserCache = {
  /** Loads the library without a model. */
  readonly load: () => Promise<void>
  readonly open: (model: SherpaModel, files: ReadonlyMap<string, string>) => Promise<Recogniser>
  /** Resolves when no native step runs. */
  readonly close: () => Promise<void>
}
type Opened = { readonly model: SherpaModel; readonly files: string; readonly recogniser: Recogniser }
type SerialQueue = <T>(step: () => Promise<T>) => Promise<T>

export function createRecogniserCache(
  load: () => Promise<SherpaLibrary> = loadSherpa,
  trial: ModelTrial = createModelTrial(systemClock),
): RecogniserCache {
  /**
   * Replaced when another model is opened. A run of the other engine keeps its recogniser until it ends, so both are in memory until then.
   */
  let opened: Opened | null = null
  // Serialised, so that two simultaneous requests for one model open it once.
  const openQueue = createSerialQueue()
  // A native step cannot be interrupted, and two at once would take twice the memory.
  const decodeQueue = createSerialQueue()

  async function open(model: SherpaModel, files: ReadonlyMap<string, string>): Promise<Recogniser> {
    const fileKey = [...files.values()].join('\n')
    if (opened?.model === model && opened.files === fileKey) return opened.recogniser
    const plan = recogniserPlan(model, files)
    const library = await load()
    await trial(plan)
    opened = null
    const takesLanguage = model.kind === 'offline-whisper'
    const recogniser =
      plan.kind === 'online'
        ? streaming(library.online(plan.config))
        : offline(
            await library.offline(plan.config),
            decodeQueue,
            takesLanguage ? (language) => recogniserPlan(model, files, language).config : null,
          )
    opened = { model, files: fileKey, recogniser }
    return recogniser
  }

  return {
    load: async () => void (await load()),
    open: (model, files) => openQueue(() => open(model, files)),
    async close() {
      opened = null
      await decodeQueue(async () => {})
    },
  }
}

/** Runs steps one after the other. A failed step does not stop the next ones. */
function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const result = last.then(step)
    last = result.catch(() => {})
    return result
  }
}

function offline(
  recogniser: OfflineRecogniser,
  decodeQueue: SerialQueue,
  configFor: ((language: string | null) => object) | null,
): Recogniser {
  let set: string | null = null
  return {
    async recognise(samples, { language }, signal) {
      const decoding = decodeQueue(async () => {
        signal.throwIfAborted()
        if (configFor && language !== set) {
          recogniser.setConfig(configFor(language))
          set = language
        }
        const stream = recogniser.createStream()
        stream.acceptWaveform({ samples, sampleRate: SHERPA_SAMPLE_RATE })
        return await recogniser.decodeAsync(stream)
      })
      return SherpaResult.parse(await untilAborted(decoding, signal))
    },
  }
}

function streaming(recogniser: OnlineRecogniser): Recogniser {
  const openStreams = createOpenStreams()
  return {
    async recognise(samples, { isPartial }, signal) {
      const { stream, consumed } = openStreams.take(samples) ?? { stream: recogniser.createStream(), consumed: 0 }
      const drain = async () => {
        while (recogniser.isReady(stream)) recogniser.decode(stream)
        await nextTurn()
        signal.throwIfAborted()
      }
      const feed = async (sound: Float32Array) => {
        for (let at = 0; at < sound.length; at += STEP_SAMPLES) {
          stream.acceptWaveform({ samples: sound.subarray(at, at + STEP_SAMPLES), sampleRate: SHERPA_SAMPLE_RATE })
          await drain()
        }
      }
      await feed(samples.subarray(consumed))
      if (isPartial) {
        openStreams.keep(stream, samples)
        return SherpaResult.parse(recogniser.getResult(stream))
      }
      await feed(TAIL_SILENCE)
      stream.inputFinished()
      await drain()
      return SherpaResult.parse(recogniser.getResult(stream))
    },
  }
}

/** Rejects as soon as the signal aborts; `work` continues in the background. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
