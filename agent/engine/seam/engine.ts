// The seam between the agent and whatever makes or understands sound. An engine runs inside an engine host, never in the agent itself;
// only describe() is called by the agent, so it must be cheap and must not load anything.

import type { OperationId } from '#shared/operations/table.ts'

export type Device = 'cpu' | 'cuda' | 'webgpu' | 'coreml' | 'directml'
export type EngineVoice = { readonly id: string; readonly name: string; readonly language: string }

/** One thing this machine can do: an operation of a model of an engine on a device. */
export type Capability = {
  /** The id users know, such as `svc-engine`. */
  readonly engine: string
  /** '' is the default model of the engine. */
  readonly model: string
  readonly operation: OperationId
  /** What really runs, such as `flite`. */
  readonly implementation: string
  /** One sentence for users when something else than the named engine answers; null when it is the real thing. */
  readonly standsIn: string | null
  /** ISO 639-1 codes, or ['*'] for any. */
  readonly languages: readonly string[]
  readonly voices: readonly EngineVoice[]
  readonly cloning: boolean
  readonly supported: boolean
  readonly installed: boolean
  readonly downloaded: boolean
  readonly device: Device
  /** Hz of the default voice; a result names its own rate. */
  readonly sampleRate: number
  /** How many runs of this engine may be under way at once on this machine. */
  readonly permits: number
  /** SHA-256 of the weights, lower-case hex; '' when there are none. */
  readonly modelDigest: string
  /** Main or device memory that loading it takes, its host process included; 0 when that is not known. */
  readonly memoryBytes: number
  /** Where `supported`, `installed` or `downloaded` is false: why, and what to do about it. */
  readonly reason?: string
}

const USUAL = {
  model: '',
  standsIn: null,
  voices: [],
  cloning: false,
  supported: true,
  installed: true,
  device: 'cpu',
  sampleRate: 0,
  permits: 1,
  modelDigest: '',
  memoryBytes: 0,
} satisfies Partial<Capability>
/** A capability of which only what is not usual is told. Whether its files are here everybody must say. */
export const capability = (told: Omit<Capability, keyof typeof USUAL> & Partial<Capability>): Capability => ({ ...USUAL, ...told })

/** What a task brings along, by name: canonical WAV as `audio`, a voice to follow as `reference`. */
export type RunInputs = ReadonlyMap<string, Uint8Array>
/** Where a loaded engine runs, and in words why there when it is not the first choice. */
export type EnginePlacement = { readonly device: Device; readonly reason: string }

export type EngineEvent =
  /** `progress` goes from 0 to 1 and never back. */
  | { readonly kind: 'progress'; readonly progress: number; readonly stage: string }
  /** The next samples of a part, mono, nominally within [-1, 1]. Parts come in order. */
  | { readonly kind: 'audio'; readonly part: number; readonly samples: Float32Array }
  /** The last event of a run that succeeded. */
  | { readonly kind: 'result'; readonly result: Record<string, unknown> }

export type Engine = {
  readonly describe: () => Capability[]
  /**
   * Makes the first run of `model` fast; '' or nothing is the default. An engine holds one model: loading another gives back the one before,
   * so an engine with several models has one permit. Failures: MODEL_NOT_INSTALLED, MODEL_NOT_DOWNLOADED, INSUFFICIENT_MEMORY.
   */
  readonly load: (model?: string) => Promise<void>
  /**
   * Several runs may be open at once. Between steps a run gives the event loop a turn and looks at `signal`; once that is aborted it throws.
   * `model` is one of those it describes; '' or none is its default.
   * Failures: INVALID_TASK_PARAMS naming the field, OPERATION_UNSUPPORTED, and whatever the engine meets.
   */
  readonly run: (operation: string, params: unknown, signal: AbortSignal, inputs?: RunInputs, model?: string) => AsyncIterable<EngineEvent>
  readonly unload: () => Promise<void>
  /** Once it is loaded; null before. Only of engines that have a choice: what their host holds is measured and reported as well. */
  readonly placement?: () => EnginePlacement | null
}
