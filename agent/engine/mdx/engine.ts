// A voice and what sounds around it, told apart by an MDX network at 44.1 kHz. Both come back in mono, at the rate of the recording: they are
// meant for recognition, dubbing and cleaning, not for a record.
import { z } from 'zod'
import { openResampler, type Resampler } from '#shared/audio/resampler.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Recorded, recordedOf } from '../audio-input.ts'
import type { EngineDeps } from '../catalog.ts'
import { type Capability, capability, type Engine, type EngineEvent, type Inputs } from '../engine.ts'
import { downloaded, fileOf, type ModelFiles, need } from '../model-files.ts'
import { placing } from '../onnx/place.ts'
import { floats, floatsOf, type Graph, type GraphFactory } from '../onnx/session.ts'
import { openOnce, placementOf } from '../opening.ts'
import { fromS16le, toS16le } from '../pcm.ts'
import { parseParams } from '../tts-params.ts'
import { contractOf, MDX_MODELS, MDX_RATE, type MdxModel } from './models.ts'
import { type Source, separate } from './separate.ts'

export const MDX_ENGINE = 'mdx-net'
/** Until it was measured here: the weights, and what a pass of 256 frames needs. */
const MEMORY_BYTES = 1024 ** 3
/** Frames of the recording that are read at once. */
const BLOCK = 65_536

export const SeparateParams = z.strictObject({
  /** Hz of what comes back; without it that of the recording. */
  sample_rate: z.int().min(8_000).max(192_000).nullable().default(null),
  /** Only part 0. */
  vocals_only: z.boolean().default(false),
})

export function createMdx({ filesOf }: EngineDeps, open: GraphFactory = placing, models = MDX_MODELS): Engine {
  const found = () => Object.entries(models).find(([name, { file }]) => holds(filesOf(MDX_ENGINE, name), file))
  const opening = openOnce(openModel, ({ graph }) => graph.close())
  async function openModel(): Promise<{ graph: Graph; model: MdxModel }> {
    const [name, model] = found() ?? refuse()
    const path = need(downloaded(filesOf, MDX_ENGINE, name), MDX_ENGINE, model.file)
    return { graph: await open(path, { device: 'auto', contract: contractOf(model.geometry) }), model }
  }

  async function* run(operation: string, params: unknown, signal: AbortSignal, inputs?: Inputs): AsyncGenerator<EngineEvent> {
    if (operation !== 'separate') throw new Failure('OPERATION_UNSUPPORTED', `${MDX_ENGINE} does not do ${operation}`)
    const { sample_rate: wanted, vocals_only: vocalsOnly } = parseParams(SeparateParams, params)
    const recorded = recordedOf(inputs)
    const { graph, model } = await opening.load()
    const rate = wanted ?? recorded.sampleRate
    const total = scaled(recorded, MDX_RATE)
    const told = [0, 0]
    function* sound(part: 0 | 1, samples: Float32Array): Generator<EngineEvent> {
      told[part]! += samples.length
      if (samples.length > 0) yield { kind: 'audio', part, samples }
    }
    const resamplers: Resampler[] = []
    const between = async (from: number, to: number) => {
      const resampler = await openResampler(from, to)
      resamplers.push(resampler)
      return resampler
    }
    try {
      const [left, right] = [await between(recorded.sampleRate, MDX_RATE), await between(recorded.sampleRate, MDX_RATE)]
      const [voice, others] = [await between(MDX_RATE, rate), await between(MDX_RATE, rate)]
      const { bins, frames } = model.geometry
      const network = async (values: Float32Array) => floatsOf(await graph.run({ input: floats(values, [1, 4, bins, frames]) }), 'output')
      // Parts come in order, so the second waits: in 16 bits and one channel it takes no more than the recording itself.
      const waiting: Buffer[] = []
      let made = 0
      for await (const { vocals, rest } of separate(sourceOf(recorded, left, right), total, model, network, signal)) {
        made += vocals.length
        yield* sound(0, voice.push(vocals))
        if (!vocalsOnly) waiting.push(toS16le(others.push(rest)))
        yield { kind: 'progress', progress: (0.99 * made) / total, stage: 'separating' }
      }
      yield* sound(0, voice.flush())
      if (!vocalsOnly) {
        waiting.push(toS16le(others.flush()))
        for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
          signal.throwIfAborted()
          yield* sound(1, fromS16le(piece))
        }
      }
      yield { kind: 'progress', progress: 1, stage: 'separating' }
      const parts = Array.from({ length: vocalsOnly ? 1 : 2 }, (_, part) => ({ samples: told[part]! }))
      yield {
        kind: 'result',
        result: { sample_rate: rate, parts, duration: recorded.seconds, device: graph.device, device_reason: graph.reason },
      }
    } finally {
      for (const resampler of resamplers) resampler.close()
    }
  }

  return {
    describe: () => [describe(found() !== undefined)],
    load: async () => void (await opening.load()),
    run,
    placement: () => placementOf(opening.opened()?.graph),
    unload: opening.unload,
  }
}

const holds = (files: ModelFiles | null, file: string): boolean => files !== null && fileOf(files, file) !== null
const refuse = (): never => {
  throw new Failure('MODEL_NOT_DOWNLOADED', `the model of ${MDX_ENGINE} is not downloaded on this machine`)
}
const scaled = ({ frames, sampleRate }: Recorded, rate: number) => Math.round((frames * rate) / sampleRate)

/** Reads the recording only as far as it is asked for. */
function sourceOf(recorded: Recorded, left: Resampler, right: Resampler): Source {
  const ready = [new Float32Array(0), new Float32Array(0)] as [Float32Array, Float32Array]
  let at = 0
  let isOver = false
  return (count) => {
    while (ready[0].length < count && !isOver) {
      isOver = at >= recorded.frames
      const given = isOver ? null : recorded.read(at, BLOCK)
      at += BLOCK
      for (const [channel, resampler] of [left, right].entries())
        ready[channel] = joined(ready[channel]!, given ? resampler.push(given[channel]!) : resampler.flush())
    }
    const piece = [ready[0].subarray(0, count), ready[1].subarray(0, count)] as const
    ready[0] = ready[0].slice(count)
    ready[1] = ready[1].slice(count)
    return piece
  }
}

function joined(first: Float32Array, second: Float32Array): Float32Array {
  const whole = new Float32Array(first.length + second.length)
  whole.set(first)
  whole.set(second, first.length)
  return whole
}

function describe(isHere: boolean): Capability {
  return capability({
    engine: MDX_ENGINE,
    operation: 'separate',
    implementation: 'mdx-net',
    languages: ['*'],
    downloaded: isHere,
    sampleRate: MDX_RATE,
    memoryBytes: MEMORY_BYTES,
    ...(!isHere && { reason: 'The model is not downloaded: ./studio models install Politrees/UVR_resources:voc' }),
  })
}
