// Speaker diarisation: the segmentation network of pyannote, a network of voices, and the clustering of pyannote.audio 3.1.

import { readAudioAt } from '#agent/engine/audio/audio-input.ts'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { requireDownloaded, requireFile } from '#agent/engine/seam/model-files.ts'
import { openOnce, placementOf } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { DiarizeParams, MAX_TURNS } from '#shared/operations/diarize.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { ownSpeechIn, RATE, SPEAKERS, WINDOW_SAMPLES, type WindowActivity, windowStarts } from './activity.ts'
import type { Voice } from './clusters.ts'
import { diarisationBytes } from './memory.ts'
import { PYANNOTE_VERIFICATION } from './verification.ts'

const ID = 'pyannote'
/** Longer recordings would exceed the time limit of a task. */
const MAX_SECONDS = 2 * 3600
const NETWORKS_BYTES = 384 * 1024 ** 2
/** The capability declares what a recording of this length needs; each run checks its own. */
const DECLARED_SECONDS = 1_800
/** Shorter recordings have no turns. */
const MIN_SECONDS = 0.5
const STAGE = 'telling speakers apart'

function createPyannote(
  { filesOf }: { readonly filesOf: FilesOf },
  open: GraphFactory = openPlacedGraph,
  availableMemory: () => number = () => process.availableMemory(),
): EngineParts {
  const opening = openOnce(
    async () => {
      const files = requireDownloaded(filesOf, ID)
      const segmentation = requireFile(files, ID, 'segmentation/model.onnx')
      const name = [...files.keys()].find((one) => one.startsWith('embedding/') && one.endsWith('.onnx'))
      const embedding = requireFile(files, ID, name ?? 'embedding/wespeaker_en_voxceleb_resnet34_LM.onnx')
      const { openDiarisation } = await import('./graphs.ts')
      return await openDiarisation({ segmentation, embedding }, open)
    },
    (graphs) => graphs.close(),
  )

  async function* run({ num_speakers, threshold, voices }: DiarizeParams, { signal, inputs }: RunContext): AsyncGenerator<EngineEvent> {
    const { samples, seconds } = await readAudioAt(RATE, inputs, signal)
    if (seconds > MAX_SECONDS)
      throw new Failure('INVALID_TASK_PARAMS', `audio: The recording is longer than ${MAX_SECONDS / 3600} hours. Cut it into pieces.`)
    const graphs = await opening.load()
    // An agent that describes itself does not need these modules.
    const { speakersOf, THRESHOLD } = await import('./clusters.ts')
    const { renumberedTurns, turnsOf } = await import('./turns.ts')
    refuseWithoutMemory(seconds, availableMemory())
    const starts = seconds < MIN_SECONDS ? [] : windowStarts(samples.length)
    const activities: WindowActivity[] = []
    const local: Voice[] = []
    for (const [window, start] of starts.entries()) {
      await nextTurn()
      signal.throwIfAborted()
      const sound = samples.subarray(start, start + WINDOW_SAMPLES)
      const activity = await graphs.activityIn(sound)
      activities.push(activity)
      for (let speaker = 0; speaker < SPEAKERS; speaker++) {
        const speech = ownSpeechIn(activity, speaker, sound)
        const vector = speech && (await graphs.vectorOf(speech.samples))
        if (vector) local.push({ window, speaker, frames: speech.frames, vector })
      }
      yield { kind: 'progress', progress: (0.98 * (window + 1)) / starts.length, stage: STAGE }
    }
    const speakers = await speakersOf(local, num_speakers, threshold ?? THRESHOLD, signal)
    const named = activities.map((): (number | null)[] => [null, null, null])
    for (const [at, { window, speaker }] of local.entries()) named[window]![speaker] = speakers[at]!
    const turns = renumberedTurns(turnsOf(activities, named, seconds), seconds, MAX_TURNS)
    const found = voices ? await (await import('./voices.ts')).speakerVoices(graphs.vectorOf, samples, turns, signal) : []
    yield { kind: 'progress', progress: 1, stage: STAGE }
    yield { kind: 'result', result: { segments: turns, ...(voices && { voices: found }) } }
  }

  return {
    describe: () => [describe(filesOf(ID, '') !== null)],
    load: async () => void (await opening.load()),
    operations: { diarize: withParams(DiarizeParams, run) },
    unload: opening.unload,
    placement: () => placementOf(opening.opened() ?? undefined),
  }
}

export const pyannote = defineEngine({ id: ID, maxBlockSeconds: 60, verification: PYANNOTE_VERIFICATION, create: createPyannote })

function refuseWithoutMemory(seconds: number, available: number): void {
  const needed = diarisationBytes(seconds)
  if (needed <= available) return
  const [minutes, mebibytes] = [Math.ceil(seconds / 60), Math.ceil(needed / 1024 ** 2)]
  throw new Failure(
    'INSUFFICIENT_MEMORY',
    `Diarisation of this recording (${minutes} min) needs up to ${mebibytes} MiB of memory, which is not available on this machine now. Cut the recording into shorter pieces.`,
  )
}

const describe = (isDownloaded: boolean): Capability =>
  capability({
    engine: ID,
    operation: 'diarize',
    implementation: 'pyannote-segmentation',
    languages: ['*'],
    downloaded: isDownloaded,
    sampleRate: RATE,
    memoryBytes: NETWORKS_BYTES + diarisationBytes(DECLARED_SECONDS),
    ...(!isDownloaded && { reason: 'The diarisation model is not downloaded on this machine. Download "Speaker detection".' }),
  })
