// Every HTTP contract of the studio, in the order of the API reference. A new noun adds one line here; a new route of a noun adds none.
import type { Contract } from '../http/contract.ts'
import { archetypesContracts } from './archetypes/archetypes.contract.ts'
import { authContracts } from './auth/auth.contract.ts'
import { marketplaceContracts } from './bundles/marketplace/marketplace.contract.ts'
import { personasContracts } from './bundles/personas/personas.contract.ts'
import { communityContracts } from './community/community.contract.ts'
import { dictationContracts } from './dictation/dictation.contract.ts'
import { batchContracts } from './dubbing/batch/batch.contract.ts'
import { contextContracts } from './dubbing/context/context.contract.ts'
import { dubExportContracts } from './dubbing/export/export.contract.ts'
import { dubGenerateContracts } from './dubbing/generate/generate.contract.ts'
import { dubHistoryContracts } from './dubbing/history/history.contract.ts'
import { dubIngestContracts } from './dubbing/ingest/ingest.contract.ts'
import { dubLineContracts } from './dubbing/lines/lines.contract.ts'
import { dubQcContracts } from './dubbing/qc/qc.contract.ts'
import { dubPeaksContracts } from './dubbing/reading/peaks.contract.ts'
import { dubReadingContracts } from './dubbing/reading/reading.contract.ts'
import { transcribeContracts } from './dubbing/transcribe/transcribe.contract.ts'
import { dubUploadContracts } from './dubbing/upload/upload.contract.ts'
import { enginesContracts } from './engines/engines.contract.ts'
import { loadedContracts } from './engines/loaded/loaded.contract.ts'
import { sidecarContracts } from './engines/sidecar/sidecar.contract.ts'
import { sonitranslateContracts } from './engines/sonitranslate/sonitranslate.contract.ts'
import { galleryContracts } from './gallery/gallery.contract.ts'
import { jobsContracts } from './jobs/jobs.contract.ts'
import { lendingContracts } from './lending/lending.contract.ts'
import { exportsContracts } from './library/exports/exports.contract.ts'
import { historyContracts } from './library/history.contract.ts'
import { projectsContracts } from './library/projects/projects.contract.ts'
import { usageContracts } from './library/usage/usage.contract.ts'
import { bookContracts } from './longform/book/book.contract.ts'
import { importContracts } from './longform/import/import.contract.ts'
import { planContracts } from './longform/plan/plan.contract.ts'
import { storiesContracts } from './longform/stories/stories.contract.ts'
import { bindingsContracts } from './mcp/bindings/bindings.contract.ts'
import { mcpContracts } from './mcp/mcp.contract.ts'
import { mediaToolsContracts } from './media-tools/media-tools.contract.ts'
import { modelsContracts } from './models/models.contract.ts'
import { ownContracts } from './models/own/own.contract.ts'
import { verifyContracts } from './models/verify/verify.contract.ts'
import { networkContracts } from './network/network.contract.ts'
import { openaiContracts } from './openai/openai.contract.ts'
import { pronunciationContracts } from './pronunciation/pronunciation.contract.ts'
import { endpointContracts } from './recognition/endpoint/endpoint.contract.ts'
import { recognitionContracts } from './recognition/recognition.contract.ts'
import { aboutContracts } from './settings/about/about.contract.ts'
import { choiceContracts } from './settings/choices/choices.contract.ts'
import { hubContracts } from './settings/hub/hub.contract.ts'
import { llmContracts } from './settings/llm/llm.contract.ts'
import { storageContracts } from './settings/storage/storage.contract.ts'
import { valueContracts } from './settings/values/values.contract.ts'
import { setupContracts } from './setup/setup.contract.ts'
import { demoContracts } from './speech/demo/demo.contract.ts'
import { selftestContracts } from './speech/selftest/selftest.contract.ts'
import { speechContracts } from './speech/speech.contract.ts'
import { takeContracts } from './speech/take/take.contract.ts'
import { crashContracts } from './system/crash/crash.contract.ts'
import { diagnoseContracts } from './system/diagnose/diagnose.contract.ts'
import { docsContracts } from './system/docs.contract.ts'
import { environmentContracts } from './system/environment/environment.contract.ts'
import { healthContracts } from './system/health.contract.ts'
import { systemLogsContracts } from './system/logs/system-logs.contract.ts'
import { metricsContracts } from './system/metrics.contract.ts'
import { noticesContracts } from './system/notices/notices.contract.ts'
import { overviewContracts } from './system/overview/overview.contract.ts'
import { webContracts } from './system/web.contract.ts'
import { eventsContracts } from './tasks/events.contract.ts'
import { tasksContracts } from './tasks/tasks.contract.ts'
import { previewContracts } from './tools/preview/preview.contract.ts'
import { toolsContracts } from './tools/tools.contract.ts'
import { glossaryContracts } from './translation/glossary/glossary.contract.ts'
import { translationContracts } from './translation/translation.contract.ts'
import { hostedContracts } from './voices/hosted/hosted.contract.ts'
import { profilesContracts } from './voices/profiles/profiles.contract.ts'
import { soundContracts } from './voices/sound/sound.contract.ts'
import { watermarkContracts } from './watermark/watermark.contract.ts'
import { logsContracts } from './workers/logs.contract.ts'
import { workersContracts } from './workers/workers.contract.ts'

export const CONTRACTS: readonly Contract[] = [
  healthContracts,
  metricsContracts,
  overviewContracts,
  noticesContracts,
  systemLogsContracts,
  crashContracts,
  diagnoseContracts,
  environmentContracts,
  speechContracts,
  demoContracts,
  takeContracts,
  recognitionContracts,
  openaiContracts,
  endpointContracts,
  enginesContracts,
  selftestContracts,
  sidecarContracts,
  sonitranslateContracts,
  contextContracts,
  loadedContracts,
  dictationContracts,
  profilesContracts,
  soundContracts,
  hostedContracts,
  personasContracts,
  marketplaceContracts,
  historyContracts,
  projectsContracts,
  exportsContracts,
  usageContracts,
  toolsContracts,
  previewContracts,
  archetypesContracts,
  planContracts,
  bookContracts,
  batchContracts,
  dubUploadContracts,
  dubIngestContracts,
  dubQcContracts,
  dubHistoryContracts,
  dubReadingContracts,
  dubPeaksContracts,
  dubGenerateContracts,
  dubExportContracts,
  transcribeContracts,
  dubLineContracts,
  storiesContracts,
  importContracts,
  pronunciationContracts,
  translationContracts,
  glossaryContracts,
  galleryContracts,
  communityContracts,
  watermarkContracts,
  jobsContracts,
  workersContracts,
  tasksContracts,
  modelsContracts,
  ownContracts,
  verifyContracts,
  setupContracts,
  mediaToolsContracts,
  networkContracts,
  choiceContracts,
  llmContracts,
  hubContracts,
  storageContracts,
  aboutContracts,
  valueContracts,
  bindingsContracts,
  mcpContracts,
  lendingContracts,
  logsContracts,
  authContracts,
  eventsContracts,
  webContracts,
  docsContracts,
].flatMap((noun) => Object.values<Contract>(noun))
