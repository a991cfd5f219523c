// A task as the studio keeps it: the state that the reducer moves, and the request.

import type { Client } from '#control-plane/clients/client.ts'
import type { Task, TaskEvent } from '#shared/protocol/task.ts'

export type Priority = 0 | 1 // 0 interactive, 1 batch

/** An input file of a task, kept in the artifact folder under its digest while the task lives. Its origin is not recorded. */
export type TaskInput = {
  readonly name: string
  readonly size: number
  /** Lower-case hex. */
  readonly sha256: string
  /** Only the agent of this machine may receive it. */
  readonly private?: true
}

/** Speech that a machine must offer: all of these voices, by id, and a language, by code; '' for any. */
export type SpeechNeed = { readonly voices: readonly string[]; readonly language: string }

/** The request of a caller. `params` is JSON text of at most 1 MiB, with the schema of the operation. */
export type TaskSpec = {
  readonly operation: string
  readonly engine: string
  readonly model: string
  /** SHA-256 of the files of the model, lower-case hex: only a machine with these runs it. Absent: with any. */
  readonly modelDigest?: string
  /** Only a machine that offers it with this model runs it. Absent: any. */
  readonly speaks?: SpeechNeed
  readonly params: string
  readonly priority: Priority
  /** 'auto', 'local' or a worker id: only that worker may run it. */
  readonly target: string
  /** Characters of text or seconds of input; the predicted finish time is proportional to it. */
  readonly size: number
  /**
   * Seconds of the recording that no earlier task had recognised, where live sound is recognised again with what follows it. They count for the
   * limits of the client. Lives in memory and is not in the row. Absent: the whole recording.
   */
  readonly newSeconds?: number
  /** Epoch milliseconds. */
  readonly deadlineAt: number
  readonly idempotencyKey: string | null
  /** The result is used for one answer only: its bytes are removed soon. */
  readonly ephemeral: boolean
  /** In the order in which they are sent; none when absent. */
  readonly inputs?: readonly TaskInput[]
  /** W3C trace context of the request. Lives in memory and is not in the row: after a restart the trace has ended. */
  readonly traceparent?: string
  /** Ids of the machines that may run it. Absent: all. */
  readonly machines?: readonly string[]
  /** Id of the machine that gets it if it can run it now. Lives in memory and is not in the row. Absent: none. */
  readonly preferred?: string
  /** Client of the task. After a restart, tasks of people still count as theirs, and all others as work of the studio. */
  readonly client?: Client
}

/** The limits of clients for their tasks, such as those of a person (people/limits). */
export type Admission = {
  /** Resolves when the limits of the client can be asked; null: now. Call it before `check`. */
  readonly ready: (client: Client) => Promise<unknown> | null
  /** Throws QUOTA_EXCEEDED for a task that a limit of its client refuses. The caller stages the task in the same turn. */
  readonly check: (client: Client, spec: TaskSpec) => void
  /** Ids of the machines that may run tasks of the client; null for all. */
  readonly machinesOf: (client: Client) => readonly string[] | null
  /** Resolves when another attempt makes sense: work of the client has ended, its limits have changed, or `ms` have passed. */
  readonly untilFree: (client: Client, ms: number, signal: AbortSignal) => Promise<void>
}

export type Result = {
  /** JSON that the engine reported. */
  readonly result: string
  readonly digest: string
  readonly size: number
  /** Small results live in the row; larger ones in the artifact folder under their digest. */
  readonly bytes: Buffer | null
}

export type TaskRecord = {
  readonly spec: TaskSpec
  readonly seq: number
  /** SHA-256 of the body that the idempotency key stands for. */
  readonly digest: string
  readonly task: Task
  readonly result: Result | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

/** One change, in the order in which it became durable. */
export type Change = { readonly record: TaskRecord; readonly before: Task | null; readonly event: TaskEvent | null }
