// Speaker diarisation: the segmentation network of pyannote, a speaker embedding network and clustering, by the native speech library.
import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import {
  type Diariser,
  isSherpaInstalled,
  isSherpaSupported,
  loadSherpa,
  SHERPA_NOT_INSTALLED,
  SHERPA_NOT_SUPPORTED,
  type SherpaLibrary,
  sherpaThreads,
  type VoiceReader,
} from '#agent/engine/runtimes/sherpa/library.ts'
import { createModelTrial, type ModelPlan, type ModelTrial } from '#agent/engine/runtimes/sherpa/trial.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent, type EnginePlacement } from '#agent/engine/seam/engine.ts'
import { requireDownloaded, requireFile } from '#agent/engine/seam/model-files.ts'
import { openOnce } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { DiarizeParams, type SpeakerTurn } from '#shared/operations/diarize.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { diarisationBytes } from './memory.ts'
import { PYANNOTE_VERIFICATION } from './verification.ts'
import { speakerVoices } from './voices.ts'

const ID = 'pyannote'
const SAMPLE_RATE = 16_000
/** Longer recordings would exceed the time limit of a task. */
const MAX_SECONDS = 2 * 3600
/** Distance between two voices above which they belong to different speakers; the default of the library. */
const THRESHOLD = 0.5
const NETWORKS_BYTES = 384 * 1024 ** 2
/** The capability declares what a recording of this length needs; each run checks its own. */
const DECLARED_SECONDS = 1_800
/** The clustering needs at least this much. */
const MIN_SECONDS = 0.5

export function diariserPlan(files: ReadonlyMap<string, string>): ModelPlan & { readonly config: { readonly embedding: object } } {
  const network = (model: string) => ({ numThreads: sherpaThreads(), provider: 'cpu', debug: 0, ...(model && { model }) })
  const segmentation = requireFile(files, ID, 'segmentation/model.onnx')
  const name = [...files.keys()].find((one) => one.startsWith('embedding/') && one.endsWith('.onnx'))
  const config = {
    segmentation: { pyannote: { model: segmentation }, ...network('') },
    embedding: network(requireFile(files, ID, name ?? 'embedding/wespeaker_en_voxceleb_resnet34_LM.onnx')),
    clustering: { numClusters: -1, threshold: THRESHOLD },
    // Seconds: a cough is not a turn, and a breath does not end one.
    minDurationOn: 0.3,
    minDurationOff: 0.5,
  }
  return { kind: 'diariser', config, files: [...files.values()] }
}

function createPyannote(
  { filesOf }: { readonly filesOf: FilesOf },
  load: () => Promise<SherpaLibrary> = loadSherpa,
  trial: ModelTrial = createModelTrial(systemClock),
  availableMemory: () => number = () => process.availableMemory(),
): EngineParts {
  const opening = openOnce<{ readonly diariser: Diariser; readonly voices: () => VoiceReader }>(
    async () => {
      const plan = diariserPlan(requireDownloaded(filesOf, ID))
      const library = await load()
      await trial(plan)
      const diariser = library.diariser(plan.config)
      let voices: VoiceReader | null = null
      const openVoices = () => {
        voices ??= library.voices(plan.config.embedding)
        return voices
      }
      if (diariser.sampleRate === SAMPLE_RATE) return { diariser, voices: openVoices }
      throw new Failure('MODEL_NOT_DOWNLOADED', `The model of ${ID} needs ${diariser.sampleRate} Hz. Download the model again.`)
    },
    async () => {},
  )

  // The native call cannot be interrupted: the agent ends a host that does not return from a cancelled run. Nothing else runs in this host.
  async function* run({ num_speakers, threshold, voices }: DiarizeParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const { samples, seconds } = await readAudioAt(SAMPLE_RATE, inputs, signal)
    if (seconds > MAX_SECONDS)
      throw new Failure('INVALID_TASK_PARAMS', `audio: The recording is longer than ${MAX_SECONDS / 3600} hours. Cut it into pieces.`)
    const { diariser, voices: openVoices } = await opening.load()
    refuseWithoutMemory(seconds, availableMemory())
    const clustering = { numClusters: num_speakers ?? -1, threshold: threshold ?? THRESHOLD }
    const progressSource = createProgressSource()
    let isOver = seconds < MIN_SECONDS
    const work = isOver ? Promise.resolve([]) : diariser.turns(samples, clustering, progressSource.report)
    const ended = work.then(
      () => progressSource.end(),
      () => progressSource.end(),
    )
    while (!isOver) {
      const progress = await progressSource.next()
      if (progress === null) isOver = true
      else yield { kind: 'progress', progress, stage: 'telling speakers apart' }
    }
    await ended
    const turns = renumberedTurns(await work, seconds)
    signal.throwIfAborted()
    const found = voices && turns.length > 0 ? await speakerVoices(openVoices(), samples, SAMPLE_RATE, turns, signal) : []
    yield { kind: 'progress', progress: 1, stage: 'telling speakers apart' }
    yield { kind: 'result', result: { segments: turns, ...(voices && { voices: found }) } }
  }

  return {
    describe: () => [describe(filesOf(ID, '') !== null)],
    load: async () => void (await opening.load()),
    operations: { diarize: withParams(DiarizeParams, run) },
    unload: opening.unload,
    placement: (): EnginePlacement | null => (opening.opened() ? { device: 'cpu', reason: '' } : null),
  }
}

export const pyannote = defineEngine({ id: ID, maxBlockSeconds: 60, verification: PYANNOTE_VERIFICATION, create: createPyannote })

/** The native code ends its process when memory runs out. */
function refuseWithoutMemory(seconds: number, available: number): void {
  const needed = diarisationBytes(seconds)
  if (needed <= available) return
  const [minutes, mebibytes] = [Math.ceil(seconds / 60), Math.ceil(needed / 1024 ** 2)]
  throw new Failure(
    'INSUFFICIENT_MEMORY',
    `Diarisation of this recording (${minutes} min) needs up to ${mebibytes} MiB of memory, which is not available on this machine now. Cut the recording into shorter pieces.`,
  )
}

/** Hands the newest progress of the native code to the generator. */
function createProgressSource() {
  let newest = 0
  let isOver = false
  let given = 0
  let wake: () => void = () => {}
  return {
    report(done: number, all: number) {
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

/** Sorted, clamped to the recording, and with speakers numbered in the order of their first words. */
export function renumberedTurns(turns: readonly SpeakerTurn[], seconds: number): SpeakerTurn[] {
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

function describe(isDownloaded: boolean): Capability {
  const [supported, installed] = [isSherpaSupported(), isSherpaInstalled()]
  const missing = 'The diarisation model is not downloaded on this machine. Download "Speaker diarisation".'
  const reason = !supported ? SHERPA_NOT_SUPPORTED : !installed ? SHERPA_NOT_INSTALLED : isDownloaded ? undefined : missing
  return capability({
    engine: ID,
    operation: 'diarize',
    implementation: 'sherpa-onnx pyannote-segmentation',
    languages: ['*'],
    supported,
    installed,
    downloaded: isDownloaded,
    sampleRate: SAMPLE_RATE,
    memoryBytes: NETWORKS_BYTES + diarisationBytes(DECLARED_SECONDS),
    ...(reason !== undefined && { reason }),
  })
}
