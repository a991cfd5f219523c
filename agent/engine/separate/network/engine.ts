// Separates a voice from its background with one of several networks, all of which take two channels at 44.1 kHz. The parts are mono at the
// rate of the recording, or the two channels of the voice: dubs subtract it from the film.

import { openAudio } from '#agent/engine/audio/audio-input.ts'
import { fromS16le, toS16le } from '#agent/engine/audio/pcm.ts'
import type { Graph, GraphContract, GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { devicesOf } from '#agent/engine/seam/devices.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { findFile, requireDownloaded, requireFile } from '#agent/engine/seam/model-files.ts'
import { openOnce, placementOf } from '#agent/engine/seam/opening.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { openResampler } from '#shared/audio/resampler.ts'
import type { Resampler } from '#shared/audio/resampling/exact-length.ts'
import type { EngineId } from '#shared/engines.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { SeparateParams } from '#shared/operations/separate.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { stereoSource } from './source.ts'
import { type Separator, type Stereo, type StereoSource, separateStereo, separateWindows } from './windows.ts'

export const SEPARATION_SAMPLE_RATE = 44_100

export type SeparationModel = {
  readonly file: string
  readonly contract: GraphContract
  /** Creates the separator of one run. */
  readonly over: (graph: Graph) => Separator
}
export type SeparationDeps = {
  readonly engine: EngineId
  /** Estimate until a host has measured it. */
  readonly memoryBytes: number
  readonly filesOf: FilesOf
  readonly open: GraphFactory
  /** By name in the model store. The default, '', is used if it is downloaded, else the first that is. */
  readonly models: Readonly<Record<string, SeparationModel>>
}

export function separationParts({ engine, memoryBytes, filesOf, open, models }: SeparationDeps): EngineParts {
  const isDownloaded = (name: string, file: string): boolean => {
    const files = filesOf(engine, name)
    return files !== null && findFile(files, file) !== null
  }
  // An object lists names that are integers, such as 9703, before all others.
  const preferred = Object.entries(models).sort(([one], [other]) => Number(other === '') - Number(one === ''))
  const firstDownloaded = () => preferred.find(([name, { file }]) => isDownloaded(name, file))
  const opening = openOnce(openModel, ({ graph }) => graph.close())
  async function openModel(): Promise<{ graph: Graph; model: SeparationModel }> {
    const downloaded = firstDownloaded()
    if (!downloaded) throw new Failure('MODEL_NOT_DOWNLOADED', `The model of ${engine} is not downloaded on this machine.`)
    const [name, model] = downloaded
    const path = requireFile(requireDownloaded(filesOf, engine, name), engine, model.file)
    return { graph: await open(path, { device: devicesOf(engine), contract: model.contract }), model }
  }

  async function* run(
    { sample_rate: requestedRate, vocals_only, stereo_vocals: isStereo }: SeparateParams,
    { signal, inputs }: RunContext,
  ): AsyncGenerator<EngineEvent> {
    const recorded = openAudio(inputs)
    const isAlone = vocals_only && !isStereo
    const { graph, model } = await opening.load()
    const rate = requestedRate ?? recorded.sampleRate
    const total = Math.round((recorded.frames * SEPARATION_SAMPLE_RATE) / recorded.sampleRate)
    const sent = [0, 0]
    function* emit(part: 0 | 1, samples: Float32Array): Generator<EngineEvent> {
      sent[part]! += samples.length
      if (samples.length > 0) yield { kind: 'audio', part, samples }
    }
    const resamplers: Resampler[] = []
    const between = async (from: number, to: number) => {
      const resampler = await openResampler(from, to)
      resamplers.push(resampler)
      return resampler
    }
    try {
      const inputResamplers: Resampler[] = []
      for (let channel = recorded.isStereo ? 2 : 1; channel > 0; channel--)
        inputResamplers.push(await between(recorded.sampleRate, SEPARATION_SAMPLE_RATE))
      const [first, second] = [await between(SEPARATION_SAMPLE_RATE, rate), await between(SEPARATION_SAMPLE_RATE, rate)]
      // Parts are sent in order, so the second one is buffered as 16-bit mono, which is at most as large as the recording.
      const waiting: Buffer[] = []
      let done = 0
      const source = stereoSource(recorded, inputResamplers)
      for await (const pair of pairsOf(source, total, model.over(graph), isStereo, signal)) {
        done += pair[0].length
        yield* emit(0, first.push(pair[0]))
        if (!isAlone) waiting.push(toS16le(second.push(pair[1])))
        yield { kind: 'progress', progress: (0.99 * done) / total, stage: 'separating' }
      }
      yield* emit(0, first.flush())
      if (!isAlone) {
        waiting.push(toS16le(second.flush()))
        for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
          signal.throwIfAborted()
          yield* emit(1, fromS16le(piece))
        }
      }
      yield { kind: 'progress', progress: 1, stage: 'separating' }
      const parts = Array.from({ length: isAlone ? 1 : 2 }, (_, part) => ({ samples: sent[part]! }))
      yield {
        kind: 'result',
        result: { sample_rate: rate, parts, duration: recorded.seconds, device: graph.device, device_reason: graph.reason },
      }
    } finally {
      for (const resampler of resamplers) resampler.close()
    }
  }

  function describe(): Capability {
    const isDownloaded = firstDownloaded() !== undefined
    const id = CATALOGUE.find((row) => row.engine === engine)?.id ?? 'ID'
    return capability({
      engine,
      operation: 'separate',
      implementation: engine,
      languages: ['*'],
      downloaded: isDownloaded,
      sampleRate: SEPARATION_SAMPLE_RATE,
      memoryBytes,
      ...(!isDownloaded && { reason: `The model is not downloaded. Install it with ${COMMAND} models install ${id}.` }),
    })
  }

  return {
    describe: () => [describe()],
    load: async () => void (await opening.load()),
    operations: { separate: withParams(SeparateParams, run) },
    placement: () => placementOf(opening.opened()?.graph),
    unload: opening.unload,
  }
}

/** The two channels of the voice, or the voice and the rest. */
async function* pairsOf(
  source: StereoSource,
  total: number,
  separator: Separator,
  isStereo: boolean,
  signal: AbortSignal,
): AsyncGenerator<Stereo> {
  if (isStereo) yield* separateStereo(source, total, separator, signal)
  else for await (const { vocals, rest } of separateWindows(source, total, separator, signal)) yield [vocals, rest]
}
