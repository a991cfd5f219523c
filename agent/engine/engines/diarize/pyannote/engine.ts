// Who spoke when: the segmentation network of pyannote, a network for voices, and their clustering, by the native speech library.
import { soundAt } from '#agent/engine/audio/audio-input.ts'
import {
  type Diariser,
  isInstalled,
  isSupported,
  type Library,
  loadLibrary,
  NOT_INSTALLED,
  NOT_SUPPORTED,
  threads,
} from '#agent/engine/runtimes/sherpa/library.ts'
import { createTrial, type Plan, type Trial } from '#agent/engine/runtimes/sherpa/trial.ts'
import type { FilesOf } from '#agent/engine/seam/catalog.ts'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs, type Placement } from '#agent/engine/seam/engine.ts'
import { downloaded, need } from '#agent/engine/seam/model-files.ts'
import { openOnce } from '#agent/engine/seam/opening.ts'
import { DiarizeParams, type SpeakerTurn } from '#shared/operations/diarize.ts'
import { parseParams } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'

export const PYANNOTE_ENGINE = 'pyannote'
const RATE = 16_000
/** Longer ones take longer than a task may. */
const LONGEST_SECONDS = 2 * 3600
/** How far apart two voices must be to be of two people; the library's own choice. */
const THRESHOLD = 0.5
const MEMORY_BYTES = 384 * 1024 ** 2
/** Below it the clustering has nothing to hold on to. */
const SHORTEST_SECONDS = 0.5

export function planOf(files: ReadonlyMap<string, string>): Plan {
  const network = (model: string) => ({ numThreads: threads(), provider: 'cpu', debug: 0, ...(model && { model }) })
  const segmentation = need(files, PYANNOTE_ENGINE, 'segmentation/model.onnx')
  const name = [...files.keys()].find((one) => one.startsWith('embedding/') && one.endsWith('.onnx'))
  const config = {
    segmentation: { pyannote: { model: segmentation }, ...network('') },
    embedding: network(need(files, PYANNOTE_ENGINE, name ?? 'embedding/wespeaker_en_voxceleb_resnet34_LM.onnx')),
    clustering: { numClusters: -1, threshold: THRESHOLD },
    // A cough is no turn, and a breath ends none.
    minDurationOn: 0.3,
    minDurationOff: 0.5,
  }
  return { kind: 'diariser', config, files: [...files.values()] }
}

export function createPyannote(
  { filesOf }: { readonly filesOf: FilesOf },
  load: () => Promise<Library> = loadLibrary,
  trial: Trial = createTrial(systemClock),
): Engine {
  const opening = openOnce<Diariser>(
    async () => {
      const plan = planOf(downloaded(filesOf, PYANNOTE_ENGINE))
      const library = await load()
      await trial(plan)
      const diariser = library.diariser(plan.config)
      if (diariser.sampleRate === RATE) return diariser
      throw new Failure('MODEL_NOT_DOWNLOADED', `${PYANNOTE_ENGINE}: its model wants ${diariser.sampleRate} Hz; download the model again`)
    },
    async () => {},
  )

  // Once begun it cannot be stopped: a host that does not come back from a cancelled run is ended by the agent, and holds nothing else.
  async function* run(operation: string, params: unknown, signal: AbortSignal, inputs?: Inputs): AsyncGenerator<EngineEvent> {
    if (operation !== 'diarize') throw new Failure('OPERATION_UNSUPPORTED', `${PYANNOTE_ENGINE} does not do ${operation}`)
    const { num_speakers, threshold } = parseParams(DiarizeParams, params)
    const { samples, seconds } = await soundAt(RATE, inputs, signal)
    if (seconds > LONGEST_SECONDS)
      throw new Failure('INVALID_TASK_PARAMS', `audio: at most ${LONGEST_SECONDS / 3600} hours can be told apart at once`)
    const diariser = await opening.load()
    const clustering = { numClusters: num_speakers ?? -1, threshold: threshold ?? THRESHOLD }
    const pace = createPace()
    let isOver = seconds < SHORTEST_SECONDS
    const work = isOver ? Promise.resolve([]) : diariser.turns(samples, clustering, pace.tell)
    const ended = work.then(
      () => pace.end(),
      () => pace.end(),
    )
    while (!isOver) {
      const progress = await pace.next()
      if (progress === null) isOver = true
      else yield { kind: 'progress', progress, stage: 'telling speakers apart' }
    }
    await ended
    const turns = await work
    signal.throwIfAborted()
    yield { kind: 'progress', progress: 1, stage: 'telling speakers apart' }
    yield { kind: 'result', result: { segments: renumbered(turns, seconds) } }
  }

  return {
    describe: () => [describe(filesOf(PYANNOTE_ENGINE, '') !== null)],
    load: async () => void (await opening.load()),
    run,
    unload: opening.unload,
    placement: (): Placement | null => (opening.opened() ? { device: 'cpu', reason: '' } : null),
  }
}

/** Progress as the native code tells it, for whoever asks next; only the newest counts. */
function createPace() {
  let newest = 0
  let isOver = false
  let given = 0
  let wake: () => void = () => {}
  return {
    tell(done: number, all: number) {
      newest = Math.max(newest, Math.min(0.99, done / Math.max(1, all)))
      wake()
    },
    end() {
      isOver = true
      wake()
    },
    async next(): Promise<number | null> {
      while (newest <= given && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (isOver) return null
      given = newest
      return given
    },
  }
}

/** In time, within the recording, and with numbers that follow the order of the first words. */
export function renumbered(turns: readonly SpeakerTurn[], seconds: number): SpeakerTurn[] {
  const numbers = new Map<number, number>()
  return turns
    .map(({ start, end, speaker }) => ({ start: Math.max(0, start), end: Math.min(seconds, end), speaker }))
    .filter(({ start, end }) => end > start)
    .sort((one, other) => one.start - other.start || one.end - other.end)
    .map((turn) => {
      const number = numbers.get(turn.speaker) ?? numbers.size
      numbers.set(turn.speaker, number)
      return { ...turn, speaker: number }
    })
}

function describe(isHere: boolean): Capability {
  const [supported, installed] = [isSupported(), isInstalled()]
  const missing = 'The model that tells speakers apart is not downloaded on this machine: download "Speaker diarisation".'
  const reason = !supported ? NOT_SUPPORTED : !installed ? NOT_INSTALLED : isHere ? undefined : missing
  return capability({
    engine: PYANNOTE_ENGINE,
    operation: 'diarize',
    implementation: 'sherpa-onnx pyannote-segmentation',
    languages: ['*'],
    supported,
    installed,
    downloaded: isHere,
    sampleRate: RATE,
    memoryBytes: MEMORY_BYTES,
    ...(reason !== undefined && { reason }),
  })
}
