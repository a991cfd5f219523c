// The interface of an engine. Engines run in host processes. The agent itself calls only describe(), which must be cheap and load nothing.

import type { OperationId } from '#shared/operations/table.ts'
import type { ScriptCode } from '#shared/text/scripts.ts'

export type Device = 'cpu' | 'cuda' | 'webgpu' | 'coreml' | 'directml'
export type EngineVoice = {
  readonly id: string
  readonly name: string
  readonly language: string
  /**
   * Tags of the languages in which it speaks when a task names no voice: those of a region beside the usual one, `*` for all languages, ''
   * for a task without a language. Absent for a voice that must be named.
   */
  readonly defaultFor?: readonly string[]
}

/** One thing this machine can do: an operation of a model of an engine on a device. */
export type Capability = {
  /** The id users know, such as `svc-engine`. */
  readonly engine: string
  /** '' is the default model of the engine. */
  readonly model: string
  readonly operation: OperationId
  /** The implementation behind the id, such as `flite`. */
  readonly implementation: string
  /** One sentence for users when a substitute answers for the named engine; null for the engine itself. */
  readonly standsIn: string | null
  /** ISO 639-1 codes, or ['*'] for any. */
  readonly languages: readonly string[]
  readonly voices: readonly EngineVoice[]
  readonly cloning: boolean
  /** Accepts the parameter `partial` of recognition: a longer recording with the same start costs only what is new. */
  readonly continues: boolean
  /** Accepts the parameter `stream` of recognition. */
  readonly streams: boolean
  /** The alphabet of pronunciations that it takes within a text: IPA in annotations, or CMU symbols in square brackets; '' for none. */
  readonly phones: '' | 'ipa' | 'cmu'
  /** Words with letters of other scripts are left out; empty: none are. */
  readonly scripts: readonly ScriptCode[]
  readonly supported: boolean
  readonly installed: boolean
  readonly downloaded: boolean
  readonly device: Device
  /** Hz of the default voice; a result names its own rate. */
  readonly sampleRate: number
  /** Concurrent runs of this engine on this machine. */
  readonly permits: number
  /** SHA-256 of the weights, lower-case hex; '' when there are none. */
  readonly modelDigest: string
  /** Main or device memory when loaded, including the host process; 0 when unknown. */
  readonly memoryBytes: number
  /** Present when `supported`, `installed` or `downloaded` is false: a sentence with the cause and the remedy. */
  readonly reason?: string
}

const USUAL_CAPABILITY = {
  model: '',
  standsIn: null,
  voices: [],
  cloning: false,
  continues: false,
  streams: false,
  phones: '',
  scripts: [],
  supported: true,
  installed: true,
  device: 'cpu',
  sampleRate: 0,
  permits: 1,
  modelDigest: '',
  memoryBytes: 0,
} satisfies Partial<Capability>
/** A capability with the usual values where `given` names none. `downloaded` has no usual value. */
export const capability = (given: Omit<Capability, keyof typeof USUAL_CAPABILITY> & Partial<Capability>): Capability => ({
  ...USUAL_CAPABILITY,
  ...given,
})

/** Inputs of a task by name: canonical WAV as `audio`, a voice to clone as `reference`. */
export type RunInputs = ReadonlyMap<string, Uint8Array>
/** The device of a loaded engine. `reason` explains a device that is not the first choice; '' otherwise. */
export type EnginePlacement = { readonly device: Device; readonly reason: string }

export type EngineEvent =
  /** `progress` rises from 0 to 1. */
  | { readonly kind: 'progress'; readonly progress: number; readonly stage: string }
  /** The next samples of a part, mono, nominally within [-1, 1]. Parts come in order. */
  | { readonly kind: 'audio'; readonly part: number; readonly samples: Float32Array }
  /** The next words of the text of a recognition whose caller requested them. All of them together are the text of the result. */
  | { readonly kind: 'text'; readonly text: string }
  /** The last event of a run that succeeded. */
  | { readonly kind: 'result'; readonly result: Record<string, unknown> }

export type Engine = {
  readonly describe: () => Capability[]
  /**
   * Loads `model`; '' or none is the default. An engine holds one model: loading another one frees the previous one, so an engine with
   * several models has one permit. Throws MODEL_NOT_INSTALLED, MODEL_NOT_DOWNLOADED, INSUFFICIENT_MEMORY.
   */
  readonly load: (model?: string) => Promise<void>
  /**
   * Several runs may be open at once. Between steps a run yields to the event loop and throws when `signal` is aborted. `model` is one of
   * the described models; '' or none is the default. Throws INVALID_TASK_PARAMS that names the field, OPERATION_UNSUPPORTED, and failures
   * of the engine itself. `owner`: whose task it is; what an engine keeps of a voice serves no other owner.
   */
  readonly run: (
    operation: string,
    params: unknown,
    signal: AbortSignal,
    inputs?: RunInputs,
    model?: string,
    owner?: string,
  ) => AsyncIterable<EngineEvent>
  readonly unload: () => Promise<void>
  /**
   * Deletes what the engine derived from recordings (SHA-256, lower-case hex) of this owner, from all of them with null. Present where an
   * engine keeps encoded voices.
   */
  readonly forgetVoices?: ((owner: string, digests: readonly string[] | null) => void) | undefined
  /** Null before it is loaded. Present where the engine chooses a device; the memory of such hosts is measured and reported. */
  readonly placement?: (() => EnginePlacement | null) | undefined
}
