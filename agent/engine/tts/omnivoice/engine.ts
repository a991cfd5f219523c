// OmniVoice, the real engine behind the id `svc-engine`: loads the downloaded weights, rejects wrong exports, and runs tasks.

import { readAudio } from '#agent/engine/audio/audio-input.ts'
import { resample } from '#agent/engine/audio/resample.ts'
import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import type { GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { devicesOf } from '#agent/engine/seam/devices.ts'
import { type Capability, capability, type Device, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { openPerModel, placementOf } from '#agent/engine/seam/opening.ts'
import { createVoiceCache } from '#agent/engine/speech/voice-cache.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Codec, OMNIVOICE_SAMPLE_RATE, openCodec } from './codec.ts'
import { FULL_PRECISION, installedVariants, type ModelVariant } from './files.ts'
import { type Backbone, openBackbone } from './loop/backbone.ts'
import { refuseBrokenExport, refuseCausalBackbone } from './loop/canary.ts'
import { prepareReference } from './reference.ts'
import { type EncodedVoice, speakOmniVoice } from './speak.ts'
import { withEnding } from './text/clean.ts'
import type { Encode } from './text/prompt.ts'
import { loadTokens } from './text/tokens.ts'
import { OMNIVOICE_VERIFICATION } from './verification.ts'

const ID = 'svc-engine'
/** Memory of a session relative to the size of its files. */
const OVERHEAD = 1.25
const HOST_BYTES = 256 * 1024 ** 2
/** The codes of a voice have some kilobytes; encoding a voice takes seconds. */
const KEPT_VOICES = 32

type OmniVoiceDeps = {
  readonly filesOf: FilesOf
  readonly open?: GraphFactory
  /** Devices for the backbone: 'auto', or a list in order of preference. */
  readonly device?: string
}
type Loaded = { readonly encode: Encode; readonly codec: Codec; backbone: Backbone; model: string }
type ReferenceVoice = EncodedVoice & { readonly notices: readonly string[] }

type OmniVoice = EngineParts & {
  readonly isDownloaded: () => boolean
  /** Placement of the backbone; null before it is loaded. */
  readonly placement: () => { readonly device: Device; readonly reason: string } | null
}

/** The substitute that answers until the weights are downloaded is added in ../svc-engine.ts. */
export const omniVoice = defineEngine({
  id: ID,
  // One step of the real engine on a slow processor.
  maxBlockSeconds: 120,
  verification: OMNIVOICE_VERIFICATION,
  create: createOmniVoice,
})

function createOmniVoice({ filesOf, open = openPlacedGraph, device = devicesOf(ID) }: OmniVoiceDeps): OmniVoice {
  const voices = createVoiceCache<ReferenceVoice>(KEPT_VOICES)
  const variants = () => installedVariants(ID, filesOf)

  const opening = openPerModel(load, async ({ backbone, codec }) => {
    voices.clear()
    await backbone.close()
    await codec.close()
  })
  async function load(requested: string): Promise<Loaded> {
    const found = variants().filter(({ model }) => requested === '' || model === requested)
    if (found.length === 0) {
      const what = requested === '' ? 'The weights of OmniVoice' : `The weights ${requested.slice(0, 64)}`
      throw new Failure('MODEL_NOT_DOWNLOADED', `${what} are not downloaded on this machine.`)
    }
    let last: unknown
    for (const variant of found) {
      try {
        return await openVariant(variant)
      } catch (error) {
        last = error // for example half precision on a CPU without it; try the next variant
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

  async function loadReference(
    recorded: Uint8Array,
    params: TtsParams,
    codec: Codec,
    { owner, signal }: RunContext,
  ): Promise<ReferenceVoice> {
    // The end mark counts for the pace of the voice, too.
    const text = withEnding(params.ref_text ?? '')
    const hasText = text !== ''
    const { preprocess_prompt: tidy } = params
    const encode = () => encodeVoice(recorded, hasText, tidy, codec, signal)
    return { ...(await voices.of({ owner, recording: recorded, variant: `${hasText} ${tidy}` }, encode)), text }
  }
  async function encodeVoice(
    recorded: Uint8Array,
    hasText: boolean,
    tidy: boolean,
    codec: Codec,
    signal: AbortSignal,
  ): Promise<ReferenceVoice> {
    const { samples, sampleRate } = readAudio(new Map([['reference', recorded]]), 'reference')
    const prepared = prepareReference(await resample(samples, sampleRate, OMNIVOICE_SAMPLE_RATE, signal), hasText, tidy)
    const { codes, frames } = await codec.encode(prepared.samples, (to) => resample(prepared.samples, OMNIVOICE_SAMPLE_RATE, to, signal))
    return { codes, frames, text: '', rms: prepared.rms, notices: prepared.notices }
  }

  async function* run(params: TtsParams, context: RunContext): AsyncGenerator<EngineEvent> {
    const { signal, inputs, model: name } = context
    const model = await opening.load(name)
    signal.throwIfAborted()
    const recorded = inputs.get('reference')
    const referenceVoice = recorded ? await loadReference(recorded, params, model.codec, context) : null
    const notices = [...(referenceVoice?.notices ?? [])]
    if (!recorded && params.ref_text) notices.push('The transcript was ignored because the task has no reference recording.')
    if (params.voice && params.voice !== 'default')
      notices.push(`This engine has no voice "${params.voice.slice(0, 64)}"; a random voice was used.`)
    const mend = async (error: unknown) => {
      const full = variants().find((variant) => variant.model === FULL_PRECISION)
      const isMendable = error instanceof Failure && error.code === 'NON_FINITE_OUTPUT' && full && model.model !== FULL_PRECISION
      if (!isMendable) return false
      const backbone = await openChecked(full, model.encode)
      await model.backbone.close()
      model.backbone = backbone
      model.model = FULL_PRECISION
      notices.push('The weights of lower precision failed; full precision was used.')
      return true
    }
    yield* speakOmniVoice({
      params,
      encode: model.encode,
      backbone: () => model.backbone,
      codec: model.codec,
      voice: referenceVoice,
      mend,
      notices,
      signal,
    })
  }

  return {
    isDownloaded: () => variants().length > 0,
    placement: () => placementOf(opening.opened()?.backbone),
    describe: () => {
      const installed = variants()
      return [
        ...installed.slice(0, 1).map((best) => describe(best, '')),
        ...installed.flatMap((one) => (one.model === '' ? [] : [describe(one, one.model)])),
      ]
    },
    load: async (model) => void (await opening.load(model)),
    operations: { tts: withParams(TtsParams, run) },
    forgetVoices: voices.forget,
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
    phones: 'cmu',
    downloaded: true,
    // The device of the backbone is known only once it is loaded.
    sampleRate: OMNIVOICE_SAMPLE_RATE,
    // One permit: a step uses the whole device.
    modelDigest: digest,
    memoryBytes: Math.round(bytes * OVERHEAD) + HOST_BYTES,
  })
