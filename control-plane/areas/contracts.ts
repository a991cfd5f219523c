// Every HTTP contract of the studio, in the order of the API reference. A new noun adds one line here; a new route of a noun adds none.
import type { Contract } from '../http/contract.ts'
import { authContracts } from './auth/auth.contract.ts'
import { dictationContracts } from './dictation/dictation.contract.ts'
import { enginesContracts } from './engines/engines.contract.ts'
import { loadedContracts } from './engines/loaded/loaded.contract.ts'
import { sidecarContracts } from './engines/sidecar/sidecar.contract.ts'
import { jobsContracts } from './jobs/jobs.contract.ts'
import { lendingContracts } from './lending/lending.contract.ts'
import { historyContracts } from './library/history.contract.ts'
import { modelsContracts } from './models/models.contract.ts'
import { openaiContracts } from './openai/openai.contract.ts'
import { endpointContracts } from './recognition/endpoint/endpoint.contract.ts'
import { recognitionContracts } from './recognition/recognition.contract.ts'
import { setupContracts } from './setup/setup.contract.ts'
import { selftestContracts } from './speech/selftest/selftest.contract.ts'
import { speechContracts } from './speech/speech.contract.ts'
import { takeContracts } from './speech/take/take.contract.ts'
import { docsContracts } from './system/docs.contract.ts'
import { healthContracts } from './system/health.contract.ts'
import { metricsContracts } from './system/metrics.contract.ts'
import { webContracts } from './system/web.contract.ts'
import { eventsContracts } from './tasks/events.contract.ts'
import { tasksContracts } from './tasks/tasks.contract.ts'
import { logsContracts } from './workers/logs.contract.ts'
import { workersContracts } from './workers/workers.contract.ts'

export const CONTRACTS: readonly Contract[] = [
  healthContracts,
  metricsContracts,
  speechContracts,
  takeContracts,
  recognitionContracts,
  openaiContracts,
  endpointContracts,
  enginesContracts,
  selftestContracts,
  sidecarContracts,
  loadedContracts,
  dictationContracts,
  historyContracts,
  jobsContracts,
  workersContracts,
  tasksContracts,
  modelsContracts,
  setupContracts,
  lendingContracts,
  logsContracts,
  authContracts,
  eventsContracts,
  webContracts,
  docsContracts,
].flatMap((noun) => Object.values<Contract>(noun))
