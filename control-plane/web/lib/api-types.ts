// What the routes accept and answer, by method and path, folded from the server's schemas. Types only: the browser never loads this file.
import type { z } from 'zod'
import type { EnginesReply, TtsFamily } from '../../areas/engines/engines.schema.ts'
import type { ModelStatus } from '../../areas/engines/loaded.routes.ts'
import type { HistoryTake } from '../../areas/library/history.routes.ts'
import type {
  CancelBody,
  CancelReply,
  InstallBody,
  InstallReply,
  ModelList,
  ModelRow,
  RemoveReply,
} from '../../areas/models/models.schema.ts'
import type { MediaTools, Preflight, Recommendations, SetupStatus } from '../../areas/setup/setup.schema.ts'
import type { SpeechBody, VoicesReply } from '../../areas/speech/speech.schema.ts'
import type { ActivityMinute } from '../../areas/workers/events.routes.ts'
import type {
  ConnectBody,
  Inbound,
  InboundNode,
  JoinBody,
  KeyBody,
  Lending,
  ListenBody,
  NewKey,
} from '../../areas/workers/lending.schema.ts'
import type { LogLineView } from '../../areas/workers/logs.routes.ts'
import type {
  DrainBody,
  Enrollment,
  EnrollmentBody,
  Fleet,
  LiveWorker,
  PatchBody,
  TargetView,
  WorkerRecord,
  WorkerTask,
} from '../../areas/workers/workers.schema.ts'

export type {
  EnginesReply,
  Enrollment,
  Fleet,
  HistoryTake,
  Inbound,
  Lending,
  LiveWorker,
  LogLineView,
  MediaTools,
  ModelList,
  ModelRow,
  Preflight,
  Recommendations,
  SetupStatus,
  TargetView,
  TtsFamily,
  VoicesReply,
  WorkerTask,
}
export type TaskPage = { readonly queue_depth: number; readonly tasks: WorkerTask[] }
export type ProfileVoice = Extract<VoicesReply['voices'][number], { type: 'profile' }>
export type InboundKey = z.output<typeof NewKey>

/** Path of a GET route -> its reply. */
export type Gets = {
  '/engines': EnginesReply
  '/engines/tts': TtsFamily
  '/history': HistoryTake[]
  '/media-tools/status': MediaTools
  '/model/status': ModelStatus
  '/models': ModelList
  '/setup/preflight': Preflight
  '/setup/recommendations': Recommendations
  '/setup/status': SetupStatus
  '/v1/audio/voices': VoicesReply
  '/workers': Fleet
  '/workers/activity': { readonly minutes: ActivityMinute[] }
  '/workers/agent': Lending
  '/workers/inbound': Inbound
  '/workers/local': LiveWorker
  [path: `/workers/target?op=${string}`]: TargetView
  [path: `/workers/tasks?${string}`]: TaskPage
  [path: `/workers/${string}/logs?last=${number}`]: LogLineView[]
}

type Change<Body, Reply> = { readonly body: Body; readonly reply: Reply }
type Done = { readonly ok: true }
type Empty = Record<string, never>

/** Path of a POST route that answers JSON -> its body and reply. */
export type Posts = {
  '/models/install': Change<z.input<typeof InstallBody>, InstallReply>
  '/models/install/cancel': Change<z.input<typeof CancelBody>, z.output<typeof CancelReply>>
  '/setup/warmup': Change<Empty, { readonly status: 'warmup_started' }>
  '/workers/agent/enabled': Change<{ readonly enabled: boolean }, Lending>
  '/workers/agent/join': Change<z.input<typeof JoinBody>, Lending>
  '/workers/enabled': Change<{ readonly enabled: boolean }, Fleet>
  '/workers/enrollments': Change<z.input<typeof EnrollmentBody>, Enrollment>
  '/workers/inbound/connections': Change<z.input<typeof ConnectBody>, { readonly endpoint: string }>
  '/workers/inbound/enabled': Change<z.input<typeof ListenBody>, z.output<typeof InboundNode>>
  '/workers/inbound/keys': Change<z.input<typeof KeyBody>, InboundKey>
  '/workers/target': Change<{ readonly target: string }, TargetView>
  [path: `/workers/inbound/sessions/${string}/disconnect`]: Change<Empty, z.output<typeof InboundNode>>
  [path: `/workers/tasks/${string}/cancel?always=true`]: Change<Empty, Done>
  [path: `/workers/${string}/consent`]: Change<Empty, WorkerRecord>
  [path: `/workers/${string}/drain`]: Change<z.input<typeof DrainBody>, WorkerRecord>
  [path: `/workers/${string}/release`]: Change<Empty, WorkerRecord>
  [path: `/workers/${string}/resume`]: Change<Empty, Done>
}

export type Puts = { [path: `/history/${string}/starred`]: Change<{ readonly starred: boolean }, { id: string; starred: boolean }> }
export type Patches = { [path: `/workers/${string}`]: Change<z.input<typeof PatchBody>, WorkerRecord> }

/** Path of a DELETE route -> its reply. */
export type Deletes = {
  '/history': { readonly cleared: true }
  [path: `/history/${string}`]: unknown
  [path: `/models/${string}`]: RemoveReply
  [path: `/workers/${string}`]: unknown
}

/** Body of POST /v1/audio/speech, which answers bytes. */
export type SpeechRequest = z.input<typeof SpeechBody>

/** Kind of an event of GET /workers/events -> its data. */
export type WorkerEvents = {
  fleet: Omit<Fleet, 'workers'>
  task: WorkerTask
  worker: LiveWorker
  'worker-gone': { readonly id: string }
}

/** A line of the streamed answer of POST /generate. */
export type GenerateLine =
  | { type: 'start'; sample_rate: number; crossfade_ms: number; total_chunks: number }
  | { type: 'chunk'; seq: number; pcm: string }
  | { type: 'warning'; count: number; text: string[] }
  | { type: 'error'; code: string; detail: string; retryable: boolean }
  | { type: 'done'; id: string; audio_path: string; duration: number; seed: number }

type ModelEventBase = { readonly repo_id: string; readonly target: string }
/** An event of GET /setup/download-stream. */
export type ModelEvent = ModelEventBase &
  (
    | { phase: 'install_start' | 'resolving' | 'install_done' | 'install_cancelled' | 'delete_done' }
    | { phase: 'install_plan'; total_bytes: number; cached_bytes: number; n_files: number }
    | { phase: 'start' | 'progress' | 'done'; filename: string; downloaded: number }
    | {
        phase: 'aggregate'
        bytes_done: number
        total_bytes: number
        rate: number
        eta_seconds: number | null
        files_done: number
        files_total: number
      }
    | { phase: 'install_retry'; attempt: number; error: string }
    | { phase: 'install_error'; error: string }
  )
