// What an engine host and the agent say to each other over the child's IPC channel. Both ends are the same program of the same version,
// so the messages are types, not schemas; nothing of a task reaches the agent's own engine code through them.
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { EnginePlacement } from '../seam/engine.ts'

/** What a run is given, in memory or, when it is large, in a private file of the agent. Exactly one of the two is there. */
export type GivenInput = { readonly name: string; readonly bytes: Uint8Array | null; readonly file: string | null }

/** `key` is chosen by the pool, new for every run, so that a run asked for twice never meets the messages of its first life. */
export type ToHost =
  | {
      type: 'run'
      key: number
      engine: string
      model: string
      operation: string
      params: unknown
      credit: number
      inputs: readonly GivenInput[]
    }
  | { type: 'cancel'; key: number }
  | { type: 'credit'; key: number; amount: number }
  | { type: 'unload' }

export type HostEvent =
  | { kind: 'loading'; detail: string }
  | { kind: 'running' }
  | { kind: 'progress'; progress: number; stage: string }
  | { kind: 'audio'; part: number; bytes: Buffer }
  | { kind: 'result'; result: Record<string, unknown> }

/** What loading an engine showed. `memoryBytes` is all that its host holds; `beforeBytes` what it held before. */
export type EngineMeasurement = EnginePlacement & {
  readonly beforeBytes: number
  readonly memoryBytes: number
  readonly deviceBytes: number
}

export type FromHost =
  /** Sent once the model is loaded, and again when a run has made its host grow. */
  | { type: 'measured'; engine: string; model: string; measured: EngineMeasurement }
  | { type: 'event'; key: number; event: HostEvent }
  /** The run is over in the host; `failure` is null after a result. */
  | { type: 'ended'; key: number; failure: { code: FailureCode; message: string; detail: unknown } | null }

/** Bytes that one run may have on their way to its consumer. */
export const CREDIT_BYTES = 8 * 1024 * 1024
/** Larger pieces are cut, so that one piece never outweighs a good part of the credit. */
export const AUDIO_EVENT_BYTES = 256 * 1024

/** What an event takes from the credit: small events weigh too, or a flood of them would be free. */
export const eventCost = (event: HostEvent): number => 512 + (event.kind === 'audio' ? event.bytes.length : 0)
