// The parts of the studio that areas may use. build/ provides them; an area takes the pieces it needs in its `open`.

import type { Audit } from '#control-plane/audit/audit.ts'
import type { Bus } from '#control-plane/events/bus.ts'
import type { AccessControl } from '#control-plane/http/access/open.ts'
import type { Contract, SocketContract } from '#control-plane/http/contract/contract.ts'
import type { UploadDisk } from '#control-plane/http/input/form.ts'
import type { NewWork } from '#control-plane/http/limits/new-work.ts'
import type { SharedNames } from '#control-plane/http/sharing/shared-names.ts'
import type { SharedPort } from '#control-plane/http/sharing/shared-port.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { Media } from '#control-plane/media/encode.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import type { MediaPrograms } from '#control-plane/media/programs.ts'
import type { CrashLog } from '#control-plane/observe/crash-log.ts'
import type { ErrorJournal } from '#control-plane/observe/error-journal.ts'
import type { GaugeSource } from '#control-plane/observe/gauges.ts'
import type { RunRecord } from '#control-plane/observe/run-record.ts'
import type { Scrub } from '#control-plane/observe/scrub.ts'
import type { OpenedLimits } from '#control-plane/people/limits/open.ts'
import type { OpenPeople } from '#control-plane/people/people-access.store.ts'
import type { Objection } from '#control-plane/scheduler/objection.ts'
import type { WorkerView } from '#control-plane/scheduler/worker-view.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import type { PathAuthorizations } from '#control-plane/store/files/path-authorization.ts'
import type { Library } from '#control-plane/store/open.ts'
import type { OwnerSettings, Setting } from '#control-plane/store/setting.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { AttemptMarks } from '#control-plane/tasks/attempts.ts'
import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import type { Tasks } from '#control-plane/tasks/tasks.ts'
import type { StudioIdentity } from '#control-plane/trust/authority.ts'
import type { Connections } from '#control-plane/trust/connections.ts'
import type { Endpoints } from '#control-plane/trust/endpoints.ts'
import type { JoinTokens } from '#control-plane/trust/join-token.store.ts'
import type { Rotation } from '#control-plane/trust/rotation.ts'
import type { Breakers } from '#control-plane/workers/breaker.ts'
import type { Worker, WorkerStore } from '#control-plane/workers/worker.store.ts'
import type { AgentControl, DownloadSource } from '#shared/protocol/agent-control.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { Gpu, PoolMessage, PoolUseMessage, UnloadedMessage, UnusableGpu } from '#shared/protocol/messages.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { RollingFile } from '#shared/runtime/log/rolling-file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { ModelHost } from './model-host.ts'
import type { Variables } from './variables.ts'

/** A connected machine. */
export type LiveMachine = ModelHost & {
  readonly workerId: string
  readonly address: string
  readonly latencyMs: () => number
  /** Models of the newest snapshot, which is a few seconds old at most. */
  readonly residentModels: () => readonly string[]
  /** Makes `residentModels` current. False when the machine did not answer within a second. Never rejects. */
  readonly refreshSnapshot: () => Promise<boolean>
  readonly unload: (engine: string) => Promise<UnloadedMessage>
  readonly logs: (request: Wire<'LogsRequest'>, signal: AbortSignal) => AsyncIterable<Wire<'LogLine'>>
  /** GPUs that engines can use. */
  readonly gpus: () => readonly Gpu[]
  /** GPUs that are present but cannot be used, and why. */
  readonly unusableGpus: () => readonly UnusableGpu[]
  /** Machines behind a pool; empty for a single machine. */
  readonly poolMachines: () => PoolMessage['machines']
  /** Use of a pool; null if it is not known now. */
  readonly poolUse: () => PoolUseMessage | null
  readonly capabilities: () => readonly Omit<Offer, 'workerId'>[]
}
/** The connected machines, and the actions that reach them at once. */
export type Machines = {
  readonly get: (workerId: string) => LiveMachine | undefined
  readonly all: () => Iterable<LiveMachine>
  readonly consentChanged: (worker: Worker) => Promise<void>
  /** Requeues the tasks of the worker for other machines. */
  readonly release: (workerId: string, code: 'WORKER_REMOVED' | 'CONSENT_MISSING', message: string) => void
  /** Accepts the next machine that connects with the key of a quarantined worker. */
  readonly readmit: (workerId: string) => void
  readonly cut: (workerId: string, reason: Failure) => void
  /** Cancels the tasks with these recordings (SHA-256, lower-case hex) and makes every machine delete them. Never rejects. */
  readonly forgetVoices: (digests: readonly string[]) => Promise<void>
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

/** Declarations of all areas, for documents and reports that cover all of them. An area that needs another one declares it here. */
export interface Declared {
  readonly settings: readonly Setting[]
  readonly contracts: readonly Contract[]
  readonly sockets: readonly SocketContract[]
}

export type Platform = {
  readonly declared: Declared
  readonly settings: Settings
  readonly environment: Readonly<Record<string, string>>
  readonly version: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly access: Pick<AccessControl, 'keys' | 'signIns' | 'pins' | 'origins'>
  /** The port for devices of the local network, and the names by which they may call it. */
  readonly sharedPort: Pick<SharedPort, 'open' | 'close' | 'port'>
  readonly sharedNames: SharedNames
  readonly dataDir: string
  /** The HTTP port; 0 lets the system choose. */
  readonly port: number
  /** Folder of the models of this machine, as chosen at the start of the studio. */
  readonly modelsFolder: string
  /** Finished audio, served under /audio. */
  readonly audioFolder: string
  /** Uploaded previews, served under /preview. */
  readonly previewFolder: string
  /** Database of the features that keep rows of their own. */
  readonly library: Library
  /** Records which client made each object. */
  readonly makers: Pick<Makers, 'makerOf' | 'record' | 'isForeign' | 'isHidden' | 'hidesSome' | 'requireMaker'>
  /** The settings of the owner. */
  readonly choices: OwnerSettings
  /** Variables that the owner set in the running studio. */
  readonly variables: Variables
  /** The log on disk, crash records, the journal of errors, and the scrubber of reports. */
  readonly diagnostics: {
    readonly scrub: Scrub
    readonly logFolder: string
    readonly logFile: RollingFile
    readonly crashLog: CrashLog
    readonly runRecord: RunRecord
    readonly errors: Pick<ErrorJournal, 'recent'>
  }
  /** One-shot authorizations for paths outside of the data directory. */
  readonly pathAuthorizations: PathAuthorizations
  /** Features of the library may use its paths; all others use what every store of bytes has. */
  readonly artifacts: Pick<LocalArtifacts, 'pathOf' | 'addressOf' | 'keep' | 'renew' | 'read' | 'addNamer'>
  readonly ledger: Pick<Ledger, 'live'>
  readonly tasks: Tasks
  readonly marks: AttemptMarks
  /** The figures for Prometheus: content type and text. */
  readonly figures: () => Promise<{ readonly type: string; readonly text: string }>
  readonly addGauge: <L extends string>(source: GaugeSource<L>) => void
  /** Changes, for pages that show them. */
  readonly bus: Bus
  readonly jobs: Jobs
  readonly media: Media
  readonly intake: Intake
  /** Path of the ffmpeg that is used now; null without one. */
  readonly ffmpegPath: () => string | null
  readonly mediaPrograms: MediaPrograms
  /** Disk for recordings that arrive in another way than a form. */
  readonly uploadDisk: UploadDisk
  /** The requests that make something. */
  readonly work: Pick<NewWork, 'finish' | 'refusal' | 'endsAt'>
  readonly audit: Audit
  /** People with keys of their own. */
  readonly people: Pick<OpenPeople, 'opened' | 'limitsOf'>
  readonly workers: WorkerStore
  readonly tokens: JoinTokens
  readonly identity: Pick<StudioIdentity, 'authorityPin' | 'pins' | 'expiresAt' | 'leaf'>
  readonly connections: Connections
  readonly rotation: Rotation
  readonly endpoints: Endpoints
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
  readonly peopleLimits: Pick<OpenedLimits, 'mayUse' | 'changed' | 'useOf' | 'tasksOf' | 'tasksOfEnded'>
  /** Offers of every connected machine. */
  readonly offered: () => readonly Offer[]
  /** Sets where the agent of this machine downloads models from. */
  readonly setDownloadSource: (source: DownloadSource) => void
  /** The control socket of the agent of this machine. */
  readonly agent: AgentControl
}

/** The parts of a pool, which keeps tasks and machines and no library. An area that takes this type can be one of a pool. */
export type PoolPlatform = Omit<Platform, 'library'>
