// Recognition by the native speech library: the seven models of dictation, offline and streaming. All are heard piece by piece, so that a long
// recording takes no more memory than half a minute of it and a task can be stopped in between.

import { setImmediate as turn } from 'node:timers/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { AsrParams, type AsrResult, type AsrSegment, withoutPrompt } from '../asr-params.ts'
import { soundAt } from '../audio-input.ts'
import type { FilesOf } from '../catalog.ts'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs } from '../engine.ts'
import { downloaded } from '../model-files.ts'
import { parseParams } from '../tts-params.ts'
import {
  isInstalled,
  isSupported,
  type Library,
  loadLibrary,
  NOT_INSTALLED,
  NOT_SUPPORTED,
  type OfflineRecogniser,
  type OnlineRecogniser,
  type OnlineStream,
} from './library.ts'
import { languageFor, planOf, SHERPA_ENGINE, SHERPA_MODELS, SHERPA_RATE, type SherpaModel } from './models.ts'
import { piecesOf } from './pieces.ts'
import { createTrial, type Trial } from './trial.ts'
import { heardIn, Said, spokenLanguage } from './words.ts'

/** A streaming network hears the last words only when something comes after them. */
const TAIL = new Float32Array(SHERPA_RATE / 2)
/** Samples between two looks at the signal. */
const STEP = SHERPA_RATE / 2

type Ears = { readonly hear: (samples: Float32Array, language: string | null, signal: AbortSignal) => Promise<Said> }
type Opened = { readonly model: SherpaModel; readonly ears: Ears }
type Deps = { readonly filesOf: FilesOf }

export function createSherpa(
  { filesOf }: Deps,
  load: () => Promise<Library> = loadLibrary,
  trial: Trial = createTrial(systemClock),
): Engine {
  /** One at a time: another model takes its place. */
  let opened: Opened | null = null
  /** Ends when the native step that is under way does; it cannot be stopped, and two at once would hold twice the memory. */
  let busy: Promise<unknown> = Promise.resolve()

  async function open(model: SherpaModel): Promise<Ears> {
    if (opened?.model === model) return opened.ears
    const files = downloaded(filesOf, SHERPA_ENGINE, model.model)
    const plan = planOf(model, files)
    const library = await load()
    await trial(plan)
    opened = null
    const whisper = model.kind === 'offline-whisper'
    const ears =
      plan.kind === 'online'
        ? streaming(library.online(plan.config))
        : offline(await library.offline(plan.config), whisper ? (language) => planOf(model, files, language).config : null)
    opened = { model, ears }
    return ears
  }

  function offline(recogniser: OfflineRecogniser, configFor: ((language: string | null) => object) | null): Ears {
    let set: string | null = null
    return {
      async hear(samples, language, signal) {
        await busy
        signal.throwIfAborted()
        if (configFor && language !== set) {
          recogniser.setConfig(configFor(language))
          set = language
        }
        const stream = recogniser.createStream()
        stream.acceptWaveform({ samples, sampleRate: SHERPA_RATE })
        const decoding = recogniser.decodeAsync(stream)
        busy = decoding.catch(() => {})
        return Said.parse(await untilAborted(decoding, signal))
      },
    }
  }

  async function* run(operation: string, params: unknown, signal: AbortSignal, inputs?: Inputs, named = ''): AsyncGenerator<EngineEvent> {
    if (operation !== 'asr') throw new Failure('OPERATION_UNSUPPORTED', `${SHERPA_ENGINE} does not do ${operation}`)
    const { language: wished, prompt, words } = parseParams(AsrParams, params)
    const model = SHERPA_MODELS.find((one) => one.model === named)
    if (!model) throw new Failure('MODEL_REF_REJECTED', `${SHERPA_ENGINE} has no such model`)
    const wanted = languageFor(model, wished)
    const { samples, seconds } = await soundAt(SHERPA_RATE, inputs, signal)
    const ears = await open(model)
    let language = wanted
    const segments: AsrSegment[] = []
    for (const { from, to } of piecesOf(samples, SHERPA_RATE)) {
      const said = await ears.hear(samples.slice(from, to), language, signal)
      // What it takes the first words for holds for the rest: a noise later on must not change the language.
      language ??= spokenLanguage(said) || null
      segments.push(...heardIn(said, from / SHERPA_RATE, to / SHERPA_RATE))
      yield { kind: 'progress', progress: Math.min(1, to / samples.length), stage: 'recognising' }
      await turn()
      signal.throwIfAborted()
    }
    yield { kind: 'progress', progress: 1, stage: 'recognising' }
    const result: AsrResult = {
      text: segments.map(({ text }) => text).join(' '),
      language: language ?? '',
      segments: words ? segments : segments.map(({ start, end, text }) => ({ start, end, text })),
      duration: seconds,
      notices: withoutPrompt(SHERPA_ENGINE, prompt),
    }
    yield { kind: 'result', result }
  }

  return {
    describe: () => SHERPA_MODELS.map((model) => describe(model, filesOf(SHERPA_ENGINE, model.model) !== null)),
    // Which model is wanted is known with the first task.
    load: async () => void (await load()),
    run,
    async unload() {
      opened = null
      await busy
    },
    // No placement: what is measured holds for the engine as a whole, and its models differ by a factor of thirty.
  }
}

function streaming(recogniser: OnlineRecogniser): Ears {
  return {
    async hear(samples, _language, signal) {
      const stream: OnlineStream = recogniser.createStream()
      const drain = async () => {
        while (recogniser.isReady(stream)) recogniser.decode(stream)
        await turn()
        signal.throwIfAborted()
      }
      for (let at = 0; at < samples.length; at += STEP) {
        stream.acceptWaveform({ samples: samples.subarray(at, at + STEP), sampleRate: SHERPA_RATE })
        await drain()
      }
      stream.acceptWaveform({ samples: TAIL, sampleRate: SHERPA_RATE })
      stream.inputFinished()
      await drain()
      return Said.parse(recogniser.getResult(stream))
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

function describe({ model, kind, languages, memoryBytes }: SherpaModel, isHere: boolean): Capability {
  const [supported, installed] = [isSupported(), isInstalled()]
  const missing = `The model ${model} is not downloaded on this machine: download it for dictation.`
  const reason = !supported ? NOT_SUPPORTED : !installed ? NOT_INSTALLED : isHere ? undefined : missing
  return capability({
    engine: SHERPA_ENGINE,
    model,
    operation: 'asr',
    implementation: `sherpa-onnx ${kind}`,
    languages,
    supported,
    installed,
    downloaded: isHere,
    sampleRate: SHERPA_RATE,
    memoryBytes,
    ...(reason !== undefined && { reason }),
  })
}
