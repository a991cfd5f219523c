// Types of what the JSON routes accept and answer, by method and path, folded from their contracts. The browser never loads this file.
import type { z } from 'zod'
import type { jobsContracts } from '#control-plane/features/base/jobs/jobs.contract.ts'
import type { historyContracts } from '#control-plane/features/base/library/history.contract.ts'
import type { projectsContracts } from '#control-plane/features/base/library/projects/projects.contract.ts'
import type { mediaToolsContracts } from '#control-plane/features/base/media-tools/media-tools.contract.ts'
import type { networkContracts } from '#control-plane/features/base/network/network.contract.ts'
import type { pronunciationContracts } from '#control-plane/features/base/pronunciation/pronunciation.contract.ts'
import type { aboutContracts } from '#control-plane/features/base/settings/about/about.contract.ts'
import type { choiceContracts } from '#control-plane/features/base/settings/choices/choices.contract.ts'
import type { hubContracts } from '#control-plane/features/base/settings/hub/hub.contract.ts'
import type { llmContracts } from '#control-plane/features/base/settings/llm/llm.contract.ts'
import type { storageContracts } from '#control-plane/features/base/settings/storage/storage.contract.ts'
import type { valueContracts } from '#control-plane/features/base/settings/values/values.contract.ts'
import type { watermarkContracts } from '#control-plane/features/base/watermark/watermark.contract.ts'
import type { bookContracts } from '#control-plane/features/books/book/book.contract.ts'
import type { planContracts } from '#control-plane/features/books/plan/plan.contract.ts'
import type { batchContracts } from '#control-plane/features/dubbing/batch/batch.contract.ts'
import type { dubIngestContracts } from '#control-plane/features/dubbing/film/ingest/ingest.contract.ts'
import type { dubPeaksContracts } from '#control-plane/features/dubbing/film/reading/peaks.contract.ts'
import type { dubUploadContracts } from '#control-plane/features/dubbing/film/upload/upload.contract.ts'
import type { dubExportContracts } from '#control-plane/features/dubbing/leave/export/export.contract.ts'
import type { dubHistoryContracts } from '#control-plane/features/dubbing/lines/history/history.contract.ts'
import type { dubLineContracts } from '#control-plane/features/dubbing/lines/lines.contract.ts'
import type { transcribeContracts } from '#control-plane/features/dubbing/lines/transcribe/transcribe.contract.ts'
import type { dictationContracts } from '#control-plane/features/listening/dictation/dictation.contract.ts'
import type { recognitionContracts } from '#control-plane/features/listening/recognition/recognition.contract.ts'
import type { glossaryContracts } from '#control-plane/features/listening/translation/glossary/glossary.contract.ts'
import type { translationContracts } from '#control-plane/features/listening/translation/translation.contract.ts'
import type { enginesContracts } from '#control-plane/features/machines/engines/engines.contract.ts'
import type { loadedContracts } from '#control-plane/features/machines/engines/loaded/loaded.contract.ts'
import type { lendingContracts } from '#control-plane/features/machines/lending/lending.contract.ts'
import type { modelsContracts } from '#control-plane/features/machines/models/models.contract.ts'
import type { ownContracts } from '#control-plane/features/machines/models/own/own.contract.ts'
import type { eventsContracts } from '#control-plane/features/machines/tasks/events.contract.ts'
import type { tasksContracts } from '#control-plane/features/machines/tasks/tasks.contract.ts'
import type { logsContracts } from '#control-plane/features/machines/workers/logs.contract.ts'
import type { workersContracts } from '#control-plane/features/machines/workers/workers.contract.ts'
import type { peopleContracts } from '#control-plane/features/operate/people/people.contract.ts'
import type { setupContracts } from '#control-plane/features/operate/setup/setup.contract.ts'
import type { crashContracts } from '#control-plane/features/operate/system/crash/crash.contract.ts'
import type { diagnoseContracts } from '#control-plane/features/operate/system/diagnose/diagnose.contract.ts'
import type { environmentContracts } from '#control-plane/features/operate/system/environment/environment.contract.ts'
import type { systemLogsContracts } from '#control-plane/features/operate/system/logs/system-logs.contract.ts'
import type { noticesContracts } from '#control-plane/features/operate/system/notices/notices.contract.ts'
import type { overviewContracts } from '#control-plane/features/operate/system/overview/overview.contract.ts'
import type { explainContracts } from '#control-plane/features/speech/speech/explain/explain.contract.ts'
import type { partsContracts } from '#control-plane/features/speech/speech/parts/parts.contract.ts'
import type { speechContracts } from '#control-plane/features/speech/speech/speech.contract.ts'
import type { takeContracts } from '#control-plane/features/speech/speech/take/take.contract.ts'
import type { archetypesContracts } from '#control-plane/features/voices/archetypes/archetypes.contract.ts'
import type { personasContracts } from '#control-plane/features/voices/bundles/personas/personas.contract.ts'
import type { communityContracts } from '#control-plane/features/voices/community/community.contract.ts'
import type { galleryContracts } from '#control-plane/features/voices/gallery/gallery.contract.ts'
import type { hostedContracts } from '#control-plane/features/voices/profiles/hosted/hosted.contract.ts'
import type { soundContracts } from '#control-plane/features/voices/profiles/sound/sound.contract.ts'
import type { profilesContracts } from '#control-plane/features/voices/profiles/store/profiles.contract.ts'
import type { JsonContract } from '#control-plane/http/contract/contract.ts'

type RowsOf<Contracts> = Extract<Contracts[keyof Contracts], JsonContract>
/** A noun whose routes the pages call is one line here. */
type Row =
  | RowsOf<typeof batchContracts>
  | RowsOf<typeof archetypesContracts>
  | RowsOf<typeof bookContracts>
  | RowsOf<typeof communityContracts>
  | RowsOf<typeof crashContracts>
  | RowsOf<typeof dubExportContracts>
  | RowsOf<typeof transcribeContracts>
  | RowsOf<typeof dubHistoryContracts>
  | RowsOf<typeof dubLineContracts>
  | RowsOf<typeof dubPeaksContracts>
  | RowsOf<typeof dubIngestContracts>
  | RowsOf<typeof dubUploadContracts>
  | RowsOf<typeof recognitionContracts>
  | RowsOf<typeof translationContracts>
  | RowsOf<typeof glossaryContracts>
  | RowsOf<typeof planContracts>
  | RowsOf<typeof projectsContracts>
  | RowsOf<typeof enginesContracts>
  | RowsOf<typeof eventsContracts>
  | RowsOf<typeof galleryContracts>
  | RowsOf<typeof historyContracts>
  | RowsOf<typeof jobsContracts>
  | RowsOf<typeof lendingContracts>
  | RowsOf<typeof loadedContracts>
  | RowsOf<typeof logsContracts>
  | RowsOf<typeof mediaToolsContracts>
  | RowsOf<typeof modelsContracts>
  | RowsOf<typeof ownContracts>
  | RowsOf<typeof noticesContracts>
  | RowsOf<typeof peopleContracts>
  | RowsOf<typeof personasContracts>
  | RowsOf<typeof profilesContracts>
  | RowsOf<typeof setupContracts>
  | RowsOf<typeof soundContracts>
  | RowsOf<typeof speechContracts>
  | RowsOf<typeof partsContracts>
  | RowsOf<typeof takeContracts>
  | RowsOf<typeof tasksContracts>
  | RowsOf<typeof diagnoseContracts>
  | RowsOf<typeof environmentContracts>
  | RowsOf<typeof systemLogsContracts>
  | RowsOf<typeof overviewContracts>
  | RowsOf<typeof networkContracts>
  | RowsOf<typeof explainContracts>
  | RowsOf<typeof pronunciationContracts>
  | RowsOf<typeof choiceContracts>
  | RowsOf<typeof aboutContracts>
  | RowsOf<typeof hubContracts>
  | RowsOf<typeof llmContracts>
  | RowsOf<typeof storageContracts>
  | RowsOf<typeof valueContracts>
  | RowsOf<typeof watermarkContracts>
  | RowsOf<typeof dictationContracts>
  | RowsOf<typeof hostedContracts>
  | RowsOf<typeof workersContracts>
type Of<Method extends JsonContract['method']> = Extract<Row, { readonly method: Method }>

/** /workers/{worker_id}/logs -> `/workers/${string}/logs` */
type Filled<Path extends string> = Path extends `${infer Start}{${string}}${infer Rest}` ? `${Start}${string}${Filled<Rest>}` : Path
/** Path, also with `?…` for a route that has a query. */
type Url<C extends JsonContract> = C extends { readonly query: z.ZodType }
  ? Filled<C['path']> | `${Filled<C['path']>}?${string}`
  : Filled<C['path']>
type Reply<C extends JsonContract> = z.output<C['reply']>
type Change<C extends JsonContract> = {
  readonly body: C extends { readonly body: infer Body extends z.ZodType } ? z.input<Body> : Record<string, never>
  readonly reply: Reply<C>
}

/** Address -> reply. */
export type Gets = { [C in Of<'GET'> as Url<C>]: Reply<C> }
export type Deletes = { [C in Of<'DELETE'> as Url<C>]: Reply<C> }
/** Address -> body and reply. */
export type Posts = { [C in Of<'POST'> as Url<C>]: Change<C> }
export type Puts = { [C in Of<'PUT'> as Url<C>]: Change<C> }
export type Patches = { [C in Of<'PATCH'> as Url<C>]: Change<C> }

export type EngineFamilies = Gets['/engines']
export type SpeechEngines = Gets['/engines/tts']
export type SpokenTake = Puts[`/history/${string}/parts/${string}`]['reply']
export type HistoryTake = Gets['/history'][number]
export type MediaToolStatus = Gets['/media-tools/status']
export type ModelCatalogue = Gets['/models']
export type ModelEntry = ModelCatalogue['models'][number]
/** A missing model. */
export type NeedEntry = Gets['/models/needs']['needs'][number]
export type NeedKind = NeedEntry['for']
export type PreflightReply = Gets['/setup/preflight']
export type ModelAdvice = Gets['/setup/recommendations']
export type SetupState = Gets['/setup/status']
export type VoiceRow = Gets['/profiles'][number]
export type ArchetypeItem = Gets['/archetypes']['items'][number]
export type CommunityItemRow = Gets['/community/items']['items'][number]
export type GalleryClipRow = Gets['/gallery/voices'][number]
export type BundleFacts = Posts['/personas/inspect']['reply']
export type ProfileVoice = Extract<Gets['/v1/audio/voices']['voices'][number], { type: 'profile' }>
export type SettingRow = Gets['/api/settings/values']['settings'][number]
export type PronunciationRow = Gets['/pronunciation'][number]
export type TextTrial = Posts['/pronunciation/test']['reply']
export type LlmProviderRow = Gets['/api/settings/llm-providers']['providers'][number]
export type StorageReport = Gets['/api/settings/storage']
export type SelfCheckReport = Gets['/system/diagnose']
export type MachineFleet = Gets['/workers']
export type MachineView = MachineFleet['workers'][number]
export type LendingState = Gets['/workers/agent']
export type SharingState = Gets['/workers/inbound']
export type RoutingView = Gets['/workers/target']
export type Person = Gets['/people'][number]
export type TaskPage = Gets['/workers/tasks']
export type TaskView = TaskPage['tasks'][number]
export type MachineLogLine = Gets[`/workers/${string}/logs`][number]
export type JoinCodeReply = Posts['/workers/enrollments']['reply']
export type InboundKey = Posts['/workers/inbound/keys']['reply']

/** Body of POST /v1/audio/speech, which answers with bytes. */
export type SpeechRequestBody = z.input<(typeof speechContracts)['speak']['body']>
