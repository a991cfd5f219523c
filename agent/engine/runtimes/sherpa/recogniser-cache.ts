// The recogniser that is open: the native library holds one at a time, whichever engine of this process asked for it. Two engines that run
// the same model share what is open.
import { setImmediate as turn } from 'node:timers/promises'
import { systemClock } from '#shared/runtime/clock.ts'
import { loadSherpa, type OfflineRecogniser, type OnlineRecogniser, type OnlineStream, type SherpaLibrary } from './library.ts'
import { recogniserPlan, SHERPA_SAMPLE_RATE, type SherpaModel } from './models.ts'
import { createModelTrial, type ModelTrial } from './trial.ts'
import { SherpaResult } from './words.ts'

/** A streaming network hears the last words only when something comes after them. */
const TAIL = new Float32Array(SHERPA_SAMPLE_RATE / 2)
/** Samples between two looks at the signal. */
const STEP = SHERPA_SAMPLE_RATE / 2

export type Recogniser = { readonly hear: (samples: Float32Array, language: string | null, signal: AbortSignal) => Promise<SherpaResult> }
export type RecogniserCache = {
  /** The library alone, without a model. */
  readonly load: () => Promise<void>
  readonly open: (model: SherpaModel, files: ReadonlyMap<string, string>) => Promise<Recogniser>
  /** Ends when no native step is under way any more. */
  readonly close: () => Promise<void>
}
type Opened = { readonly model: SherpaModel; readonly files: string; readonly ear: Recogniser }
type Line = <T>(step: () => Promise<T>) => Promise<T>

export function createRecogniserCache(
  load: () => Promise<SherpaLibrary> = loadSherpa,
  trial: ModelTrial = createModelTrial(systemClock),
): RecogniserCache {
  /** Another model takes its place. A run of the other engine that is under way keeps what it has until it ends: both are held so long. */
  let opened: Opened | null = null
  // Of two that ask for the same model at once, the second finds it open.
  const opening = createLine()
  // A native step cannot be stopped, and two at once would hold twice the memory.
  const hearing = createLine()

  async function open(model: SherpaModel, files: ReadonlyMap<string, string>): Promise<Recogniser> {
    const named = [...files.values()].join('\n')
    if (opened?.model === model && opened.files === named) return opened.ear
    const plan = recogniserPlan(model, files)
    const library = await load()
    await trial(plan)
    opened = null
    const isTold = model.kind === 'offline-whisper'
    const ear =
      plan.kind === 'online'
        ? streaming(library.online(plan.config))
        : offline(await library.offline(plan.config), hearing, isTold ? (language) => recogniserPlan(model, files, language).config : null)
    opened = { model, files: named, ear }
    return ear
  }

  return {
    load: async () => void (await load()),
    open: (model, files) => opening(() => open(model, files)),
    async close() {
      opened = null
      await hearing(async () => {})
    },
  }
}

/** One step after the other; one that failed stops none. */
function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const mine = last.then(step)
    last = mine.catch(() => {})
    return mine
  }
}

function offline(recogniser: OfflineRecogniser, hearing: Line, configFor: ((language: string | null) => object) | null): Recogniser {
  let set: string | null = null
  return {
    async hear(samples, language, signal) {
      const decoding = hearing(async () => {
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
  return {
    async hear(samples, _language, signal) {
      const stream: OnlineStream = recogniser.createStream()
      const drain = async () => {
        while (recogniser.isReady(stream)) recogniser.decode(stream)
        await turn()
        signal.throwIfAborted()
      }
      for (let at = 0; at < samples.length; at += STEP) {
        stream.acceptWaveform({ samples: samples.subarray(at, at + STEP), sampleRate: SHERPA_SAMPLE_RATE })
        await drain()
      }
      stream.acceptWaveform({ samples: TAIL, sampleRate: SHERPA_SAMPLE_RATE })
      stream.inputFinished()
      await drain()
      return SherpaResult.parse(recogniser.getResult(stream))
    },
  }
}

/** Rejects as soon as the signal aborts; what it waits for goes on by itself. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
