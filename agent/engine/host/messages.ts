// Messages between the agent and an engine host over the IPC channel of the child. Both ends are the same version of the same program, so
// messages are types without schemas.

import type { EnginePlacement } from '#agent/engine/seam/engine.ts'
import type { FailureCode } from '#shared/protocol/failure.ts'

/** An input of a run, in memory or, when it is large, in a private file of the agent. Exactly one of `bytes` and `file` is not null. */
export type GivenInput = { readonly name: string; readonly bytes: Uint8Array | null; readonly file: string | null }

/** `key` is unique per run, so that a repeated run does not receive messages of the first one. */
export type ToHost =
  | {
      type: 'run'
      key: number
      engine: string
      model: string
      operation: string
      params: unknown
      /** Owner of the task. */
      owner: string
      credit: number
      inputs: readonly GivenInput[]
    }
  | { type: 'cancel'; key: number }
  | { type: 'credit'; key: number; amount: number }
  /** See Engine.forgetVoices. */
  | { type: 'forget'; owner: string; digests: readonly string[] | null }
  | { type: 'unload' }

export type HostEvent =
  | { kind: 'loading'; detail: string }
  /** `machine`: the one of a pool that runs it. */
  | { kind: 'running'; machine?: string }
  | { kind: 'progress'; progress: number; stage: string }
  | { kind: 'audio'; part: number; bytes: Buffer }
  | { kind: 'text'; text: string }
  | { kind: 'result'; result: Record<string, unknown> }

/** Measurement after loading a model. `memoryBytes`: memory of the whole host; `beforeBytes`: the same before loading. */
export type EngineMeasurement = EnginePlacement & {
  readonly beforeBytes: number
  readonly memoryBytes: number
  readonly deviceBytes: number
}

export type FromHost =
  /** Sent when a model is loaded, and when the host has grown during a run. */
  | { type: 'measured'; engine: string; model: string; measured: EngineMeasurement }
  | { type: 'event'; key: number; event: HostEvent }
  /** The process ids of all programs that the host runs; sent at each change. */
  | { type: 'programs'; pids: readonly number[] }
  /** The run has ended in the host; `failure` is null after a result. */
  | { type: 'ended'; key: number; failure: { code: FailureCode; message: string; detail: unknown } | null }

/** Bytes of one run in transit to its consumer. */
export const CREDIT_BYTES = 8 * 1024 * 1024
/** Larger audio events are split, so that one event uses only a small part of the credit. */
export const AUDIO_EVENT_BYTES = 256 * 1024

/** Credit of an event. Small events have a minimum cost, so that their number is bounded too. */
export const eventCost = (event: HostEvent): number =>
  512 + (event.kind === 'audio' ? event.bytes.length : event.kind === 'text' ? event.text.length : 0)
