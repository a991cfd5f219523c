// What the areas may use of the rest of the studio. build/ provides it; an area takes the pieces it needs in its `open`.

import type { AgentControl } from '#shared/protocol/agent-control.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Gpu, LogLine, LogsRequest, UnloadedMessage } from '#shared/protocol/messages.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { Bus } from '../events/bus.ts'
import type { AccessControl } from '../http/access/open.ts'
import type { Offer } from '../inference/offers.ts'
import type { Inference } from '../inference/run.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Media } from '../media/encode.ts'
import type { Intake } from '../media/intake.ts'
import type { Objection, WorkerView } from '../scheduler/place.ts'
import type { Artifacts } from '../store/artifact.ts'
import type { Database } from '../store/database.ts'
import type { OwnerSettings } from '../store/setting.ts'
import type { AttemptMarks } from '../tasks/attempts.ts'
import type { Ledger } from '../tasks/ledger.ts'
import type { TaskRecord } from '../tasks/record.ts'
import type { Tasks } from '../tasks/tasks.ts'
import type { Audit } from '../trust/audit.ts'
import type { StudioIdentity } from '../trust/authority.ts'
import type { Connections } from '../trust/connections.ts'
import type { JoinTokens } from '../trust/join-token.store.ts'
import type { Rotation } from '../trust/rotation.ts'
import type { Breakers } from '../workers/breaker.ts'
import type { Worker, WorkerStore } from '../workers/worker.store.ts'
import type { ModelHost } from './models/model-host.ts'

/** A connected machine. */
export type LiveMachine = ModelHost & {
  readonly workerId: string
  readonly address: string
  readonly latencyMs: () => number
  /** As of the newest snapshot, which is a few seconds old at most. */
  readonly residentModels: () => readonly string[]
  /** Makes `residentModels` current. False when the machine did not answer within a second. Never rejects. */
  readonly refreshSnapshot: () => Promise<boolean>
  readonly unload: (engine: string) => Promise<UnloadedMessage>
  readonly logs: (request: LogsRequest, signal: AbortSignal) => AsyncIterable<LogLine>
  readonly gpus: () => readonly Gpu[]
  readonly capabilities: () => readonly Omit<Offer, 'workerId'>[]
}
/** The connected machines, and the actions that reach them at once. */
export type Machines = {
  readonly get: (workerId: string) => LiveMachine | undefined
  readonly all: () => Iterable<LiveMachine>
  readonly consentChanged: (worker: Worker) => Promise<void>
  /** Requeues the tasks of the worker for other machines. */
  readonly release: (workerId: string, code: 'WORKER_REMOVED' | 'CONSENT_MISSING', message: string, retarget: string | null) => void
  /** Accepts the next machine that connects with the key of a quarantined worker. */
  readonly readmit: (workerId: string) => void
  readonly cut: (workerId: string, reason: Failure) => void
  /** null forgets the request. */
  readonly drain: (workerId: string, request: { readonly drain: boolean; readonly deadlineMs: number } | null) => Promise<void>
}
/** The port for machines that dial this studio, and the dialling of machines that listen; they are on and off together. */
export type RemoteAccess = {
  readonly openPort: () => Promise<void>
  readonly closePort: () => Promise<void>
  readonly isOpen: () => boolean
  readonly port: () => number
  readonly startupError: () => string | null
}

export type Platform = {
  readonly settings: Settings
  readonly environment: Readonly<Record<string, string>>
  readonly version: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly access: Pick<AccessControl, 'keys' | 'signIns'>
  readonly dataDir: string
  /** Finished audio, served under /audio. */
  readonly audioFolder: string
  readonly db: Database
  /** The settings of the owner. */
  readonly choices: OwnerSettings
  readonly artifacts: Pick<Artifacts, 'pathOf' | 'keep' | 'read'>
  readonly ledger: Pick<Ledger, 'live'>
  readonly tasks: Tasks
  readonly marks: AttemptMarks
  /** The figures for Prometheus: content type and text. */
  readonly figures: () => Promise<{ readonly type: string; readonly text: string }>
  /** What changed, for pages that show it. */
  readonly bus: Bus
  readonly jobs: Jobs
  readonly media: Media
  readonly intake: Intake
  /** Path of ffmpeg, as found at the start. */
  readonly ffmpegPath: string | null
  readonly audit: Audit
  readonly workers: WorkerStore
  readonly tokens: JoinTokens
  readonly identity: Pick<StudioIdentity, 'authorityPin' | 'pins'>
  readonly connections: Connections
  readonly rotation: Rotation
  readonly breakers: Pick<Breakers, 'list' | 'clear'>
  readonly machines: Machines
  readonly remoteAccess: RemoteAccess
  readonly dialler: {
    readonly redial: (endpoint: string) => Promise<void>
    readonly end: (endpoint: string) => Promise<void>
    readonly state: (endpoint: string) => { readonly connected: boolean; readonly lastError: string }
  }
  readonly view: (worker: Worker) => WorkerView
  readonly why: (taskId: string) => readonly Objection[]
  /** Epoch milliseconds of the probable end of a task; null without a measurement. */
  readonly expectedEnd: (record: TaskRecord) => number | null
  /** Runs operations on the machines. */
  readonly inference: Inference
  /** What every connected machine offers. */
  readonly offered: () => readonly Offer[]
  /** The control socket of the agent of this machine. */
  readonly agent: AgentControl
}
