// OmniVoice, the engine that `svc-engine` means: loads what was downloaded, refuses what only looks like it, and speaks.

import { createHash } from 'node:crypto'
import { readAudio } from '#agent/engine/audio/audio-input.ts'
import { resample } from '#agent/engine/audio/resample.ts'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type Device, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { openPerModel, placementOf } from '#agent/engine/seam/opening.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Backbone, openBackbone } from './backbone.ts'
import { refuseBrokenExport, refuseCausalBackbone } from './canary.ts'
import { type Codec, OMNIVOICE_SAMPLE_RATE, openCodec } from './codec.ts'
import { type FilesOf, FULL_PRECISION, installedVariants, type ModelVariant } from './files.ts'
import type { Encode } from './prompt.ts'
import { prepareReference } from './reference.ts'
import { type EncodedVoice, speakOmniVoice } from './speak.ts'
import { loadTokens } from './tokens.ts'

const ID = 'svc-engine'
/** Of the files; what a session holds besides its weights. */
const OVERHEAD = 1.25
const HOST_BYTES = 256 * 1024 ** 2
/** Codes of a voice are some kilobytes; encoding it again takes seconds. */
const KEPT_VOICES = 32

type OmniVoiceDeps = {
  readonly filesOf: FilesOf
  readonly open?: GraphFactory
  /** For the backbone: 'auto', or devices in order. */
  readonly device?: string
}
type Loaded = { readonly encode: Encode; readonly codec: Codec; backbone: Backbone; model: string }
type Heard = EncodedVoice & { readonly notices: readonly string[] }

type OmniVoice = EngineParts & {
  readonly isHere: () => boolean
  /** Where the backbone runs, and why there; null before it is loaded. */
  readonly placement: () => { readonly device: Device; readonly reason: string } | null
}

/** The substitute that answers until the weights are downloaded is added in ../svc-engine.ts. */
export const omniVoice = defineEngine({
  id: ID,
  // One step of the real engine on a slow processor.
  maxBlockSeconds: 120,
  create: createOmniVoice,
})

function createOmniVoice({ filesOf, open = openPlacedGraph, device = 'auto' }: OmniVoiceDeps): OmniVoice {
  const voices = new Map<string, Heard>()
  const variants = () => installedVariants(ID, filesOf)

  const opening = openPerModel(load, async ({ backbone, codec }) => {
    voices.clear()
    await backbone.close()
    await codec.close()
  })
  async function load(wanted: string): Promise<Loaded> {
    const found = variants().filter(({ model }) => wanted === '' || model === wanted)
    if (found.length === 0) {
      const what = wanted === '' ? 'the weights of OmniVoice' : `the weights ${wanted.slice(0, 64)}`
      throw new Failure('MODEL_NOT_DOWNLOADED', `${what} are not on this machine; download them`)
    }
    let last: unknown
    for (const variant of found) {
      try {
        return await openVariant(variant)
      } catch (error) {
        last = error // such as half precision on a processor that has none: the next one may fit
      }
    }
    throw last
  }
  async function openVariant(variant: ModelVariant): Promise<Loaded> {
    refuseBrokenExport(variant.repo)
    const encode = await loadTokens(variant.tokenizer)
    const codec = await openCodec(variant.codec, open)
    try {
      return { encode, codec, backbone: await openChecked(variant, encode), model: variant.model }
    } catch (error) {
      await codec.close()
      throw error
    }
  }
  async function openChecked(variant: ModelVariant, encode: Encode): Promise<Backbone> {
    const backbone = await openBackbone(variant.backbone, open, device)
    try {
      await refuseCausalBackbone(backbone, encode)
    } catch (error) {
      await backbone.close()
      throw error
    }
    return backbone
  }

  async function hear(recorded: Uint8Array, wanted: TtsParams, codec: Codec, signal: AbortSignal): Promise<Heard> {
    const text = wanted.ref_text?.trim() ?? ''
    const key = `${createHash('sha256').update(recorded).digest('hex')} ${text !== ''} ${wanted.preprocess_prompt}`
    const known = voices.get(key)
    voices.delete(key)
    const heard = known ?? (await encodeVoice(recorded, text !== '', wanted.preprocess_prompt, codec, signal))
    voices.set(key, heard)
    if (voices.size > KEPT_VOICES) voices.delete(voices.keys().next().value!)
    return { ...heard, text }
  }
  async function encodeVoice(recorded: Uint8Array, hasText: boolean, tidy: boolean, codec: Codec, signal: AbortSignal): Promise<Heard> {
    const { samples, sampleRate } = readAudio(new Map([['reference', recorded]]), 'reference')
    const prepared = prepareReference(await resample(samples, sampleRate, OMNIVOICE_SAMPLE_RATE, signal), hasText, tidy)
    const { codes, frames } = await codec.encode(prepared.samples, (to) => resample(prepared.samples, OMNIVOICE_SAMPLE_RATE, to, signal))
    return { codes, frames, text: '', rms: prepared.rms, notices: prepared.notices }
  }

  async function* run(wanted: TtsParams, { signal, inputs, model: name }: RunContext): AsyncGenerator<EngineEvent> {
    const model = await opening.load(name)
    signal.throwIfAborted()
    const recorded = inputs.get('reference')
    const heard = recorded ? await hear(recorded, wanted, model.codec, signal) : null
    const notices = [...(heard?.notices ?? [])]
    if (!recorded && wanted.ref_text) notices.push('A transcript without a reference recording says nothing about a voice; it was ignored.')
    if (wanted.voice && wanted.voice !== 'default') notices.push(`This engine has no voice "${wanted.voice.slice(0, 64)}"; it made one up.`)
    const mend = async (error: unknown) => {
      const full = variants().find((variant) => variant.model === FULL_PRECISION)
      const isMendable = error instanceof Failure && error.code === 'NON_FINITE_OUTPUT' && full && model.model !== FULL_PRECISION
      if (!isMendable) return false
      const backbone = await openChecked(full, model.encode)
      await model.backbone.close()
      model.backbone = backbone
      model.model = FULL_PRECISION
      notices.push('The weights of lower precision failed; the answer was made in full precision.')
      return true
    }
    yield* speakOmniVoice({
      wanted,
      encode: model.encode,
      backbone: () => model.backbone,
      codec: model.codec,
      voice: heard,
      mend,
      notices,
      signal,
    })
  }

  return {
    isHere: () => variants().length > 0,
    placement: () => placementOf(opening.opened()?.backbone),
    describe: () => {
      const here = variants()
      return [
        ...here.slice(0, 1).map((best) => describe(best, '')),
        ...here.flatMap((one) => (one.model === '' ? [] : [describe(one, one.model)])),
      ]
    },
    load: async (model) => void (await opening.load(model)),
    operations: { tts: withParams(TtsParams, run) },
    unload: opening.unload,
  }
}

const describe = ({ codec, digest, bytes }: ModelVariant, model: string): Capability =>
  capability({
    engine: ID,
    model,
    operation: 'tts',
    implementation: 'omnivoice',
    languages: ['*'],
    voices: [{ id: 'default', name: 'A new voice for every seed', language: '*' }],
    cloning: codec.encoder !== null,
    downloaded: true,
    // Where the backbone really runs is known once it is loaded; the processor is where it runs at least.
    sampleRate: OMNIVOICE_SAMPLE_RATE,
    // A step takes the whole device; two runs would only wait for each other.
    modelDigest: digest,
    memoryBytes: Math.round(bytes * OVERHEAD) + HOST_BYTES,
  })
