// Every HTTP contract of the studio, in the order of the API reference. A new noun adds one line here; a new route of a noun adds none.

import { authContracts } from '#control-plane/features/base/auth/auth.contract.ts'
import { jobsContracts } from '#control-plane/features/base/jobs/jobs.contract.ts'
import { exportsContracts } from '#control-plane/features/base/library/exports/exports.contract.ts'
import { historyContracts } from '#control-plane/features/base/library/history.contract.ts'
import { projectsContracts } from '#control-plane/features/base/library/projects/projects.contract.ts'
import { usageContracts } from '#control-plane/features/base/library/usage/usage.contract.ts'
import { mediaToolsContracts } from '#control-plane/features/base/media-tools/media-tools.contract.ts'
import { networkContracts } from '#control-plane/features/base/network/network.contract.ts'
import { pronunciationContracts } from '#control-plane/features/base/pronunciation/pronunciation.contract.ts'
import { aboutContracts } from '#control-plane/features/base/settings/about/about.contract.ts'
import { choiceContracts } from '#control-plane/features/base/settings/choices/choices.contract.ts'
import { hubContracts } from '#control-plane/features/base/settings/hub/hub.contract.ts'
import { llmContracts } from '#control-plane/features/base/settings/llm/llm.contract.ts'
import { storageContracts } from '#control-plane/features/base/settings/storage/storage.contract.ts'
import { valueContracts } from '#control-plane/features/base/settings/values/values.contract.ts'
import { previewContracts } from '#control-plane/features/base/tools/preview/preview.contract.ts'
import { toolsContracts } from '#control-plane/features/base/tools/tools.contract.ts'
import { watermarkContracts } from '#control-plane/features/base/watermark/watermark.contract.ts'
import { bookContracts } from '#control-plane/features/books/book/book.contract.ts'
import { importContracts } from '#control-plane/features/books/import/import.contract.ts'
import { planContracts } from '#control-plane/features/books/plan/plan.contract.ts'
import { storiesContracts } from '#control-plane/features/books/stories/stories.contract.ts'
import { batchContracts } from '#control-plane/features/dubbing/batch/batch.contract.ts'
import { contextContracts } from '#control-plane/features/dubbing/film/context/context.contract.ts'
import { dubIngestContracts } from '#control-plane/features/dubbing/film/ingest/ingest.contract.ts'
import { dubPeaksContracts } from '#control-plane/features/dubbing/film/reading/peaks.contract.ts'
import { dubReadingContracts } from '#control-plane/features/dubbing/film/reading/reading.contract.ts'
import { dubUploadContracts } from '#control-plane/features/dubbing/film/upload/upload.contract.ts'
import { dubExportContracts } from '#control-plane/features/dubbing/leave/export/export.contract.ts'
import { dubHistoryContracts } from '#control-plane/features/dubbing/lines/history/history.contract.ts'
import { dubLineContracts } from '#control-plane/features/dubbing/lines/lines.contract.ts'
import { transcribeContracts } from '#control-plane/features/dubbing/lines/transcribe/transcribe.contract.ts'
import { dubGenerateContracts } from '#control-plane/features/dubbing/make/generate/generate.contract.ts'
import { dubQcContracts } from '#control-plane/features/dubbing/make/qc/qc.contract.ts'
import { dictationContracts } from '#control-plane/features/listening/dictation/dictation.contract.ts'
import { endpointContracts } from '#control-plane/features/listening/recognition/endpoint/endpoint.contract.ts'
import { recognitionContracts } from '#control-plane/features/listening/recognition/recognition.contract.ts'
import { glossaryContracts } from '#control-plane/features/listening/translation/glossary/glossary.contract.ts'
import { translationContracts } from '#control-plane/features/listening/translation/translation.contract.ts'
import { enginesContracts } from '#control-plane/features/machines/engines/engines.contract.ts'
import { loadedContracts } from '#control-plane/features/machines/engines/loaded/loaded.contract.ts'
import { sidecarContracts } from '#control-plane/features/machines/engines/sidecar/sidecar.contract.ts'
import { sonitranslateContracts } from '#control-plane/features/machines/engines/sonitranslate/sonitranslate.contract.ts'
import { lendingContracts } from '#control-plane/features/machines/lending/lending.contract.ts'
import { modelsContracts } from '#control-plane/features/machines/models/models.contract.ts'
import { ownContracts } from '#control-plane/features/machines/models/own/own.contract.ts'
import { verifyContracts } from '#control-plane/features/machines/models/verify/verify.contract.ts'
import { eventsContracts } from '#control-plane/features/machines/tasks/events.contract.ts'
import { tasksContracts } from '#control-plane/features/machines/tasks/tasks.contract.ts'
import { logsContracts } from '#control-plane/features/machines/workers/logs.contract.ts'
import { workersContracts } from '#control-plane/features/machines/workers/workers.contract.ts'
import { bindingsContracts } from '#control-plane/features/operate/mcp/bindings/bindings.contract.ts'
import { mcpContracts } from '#control-plane/features/operate/mcp/mcp.contract.ts'
import { peopleContracts } from '#control-plane/features/operate/people/people.contract.ts'
import { setupContracts } from '#control-plane/features/operate/setup/setup.contract.ts'
import { crashContracts } from '#control-plane/features/operate/system/crash/crash.contract.ts'
import { diagnoseContracts } from '#control-plane/features/operate/system/diagnose/diagnose.contract.ts'
import { docsContracts } from '#control-plane/features/operate/system/docs.contract.ts'
import { environmentContracts } from '#control-plane/features/operate/system/environment/environment.contract.ts'
import { healthContracts } from '#control-plane/features/operate/system/health.contract.ts'
import { systemLogsContracts } from '#control-plane/features/operate/system/logs/system-logs.contract.ts'
import { metricsContracts } from '#control-plane/features/operate/system/metrics.contract.ts'
import { noticesContracts } from '#control-plane/features/operate/system/notices/notices.contract.ts'
import { overviewContracts } from '#control-plane/features/operate/system/overview/overview.contract.ts'
import { webContracts } from '#control-plane/features/operate/system/web.contract.ts'
import { openaiContracts } from '#control-plane/features/speech/openai/openai.contract.ts'
import { demoContracts } from '#control-plane/features/speech/speech/demo/demo.contract.ts'
import { explainContracts } from '#control-plane/features/speech/speech/explain/explain.contract.ts'
import { partsContracts } from '#control-plane/features/speech/speech/parts/parts.contract.ts'
import { selftestContracts } from '#control-plane/features/speech/speech/selftest/selftest.contract.ts'
import { speechContracts } from '#control-plane/features/speech/speech/speech.contract.ts'
import { takeContracts } from '#control-plane/features/speech/speech/take/take.contract.ts'
import { archetypesContracts } from '#control-plane/features/voices/archetypes/archetypes.contract.ts'
import { marketplaceContracts } from '#control-plane/features/voices/bundles/marketplace/marketplace.contract.ts'
import { personasContracts } from '#control-plane/features/voices/bundles/personas/personas.contract.ts'
import { communityContracts } from '#control-plane/features/voices/community/community.contract.ts'
import { galleryContracts } from '#control-plane/features/voices/gallery/gallery.contract.ts'
import { hostedContracts } from '#control-plane/features/voices/profiles/hosted/hosted.contract.ts'
import { soundContracts } from '#control-plane/features/voices/profiles/sound/sound.contract.ts'
import { profilesContracts } from '#control-plane/features/voices/profiles/store/profiles.contract.ts'
import type { Contract } from '#control-plane/http/contract/contract.ts'
import { FOLLOW_JOB } from './job-events.ts'

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
  explainContracts,
  partsContracts,
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
  { follow: FOLLOW_JOB },
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
  peopleContracts,
  eventsContracts,
  webContracts,
  docsContracts,
].flatMap((noun) => Object.values<Contract>(noun))
