// The table of contents: every route of the studio, in order. An area may use another's services only if build.ts hands them over.
import { docsRoutes } from '../http/docs.routes.ts'
import { checkBound, type Route } from '../http/handle.ts'
import { webRoutes } from '../http/web.routes.ts'
import { CONTRACTS } from './contracts.ts'
import { dictationRoutes } from './dictation/dictation.routes.ts'
import type { Dictation } from './dictation/dictation.service.ts'
import { type EnginesParts, enginesRoutes } from './engines/engines.routes.ts'
import { loadedRoutes } from './engines/loaded.routes.ts'
import type { Loaded } from './engines/loaded.service.ts'
import { sidecarRoutes } from './engines/sidecar.routes.ts'
import type { Sidecars } from './engines/sidecar.service.ts'
import { historyRoutes } from './library/history.routes.ts'
import type { History } from './library/history.store.ts'
import { type ModelsParts, modelsRoutes } from './models/models.routes.ts'
import { type EndpointParts, endpointRoutes } from './recognition/endpoint.routes.ts'
import { type RecognitionParts, recognitionRoutes } from './recognition/recognition.routes.ts'
import { type SetupParts, setupRoutes } from './setup/setup.routes.ts'
import { type SpeechParts, speechRoutes } from './speech/speech.routes.ts'
import { healthRoutes } from './system/health.routes.ts'
import { type MetricsParts, metricsRoutes } from './system/metrics.routes.ts'
import { type EventsParts, eventsRoutes } from './workers/events.routes.ts'
import { lendingRoutes } from './workers/lending.routes.ts'
import type { LendingService } from './workers/lending.service.ts'
import { type LogsParts, logsRoutes } from './workers/logs.routes.ts'
import { type WorkersParts, workersRoutes } from './workers/workers.routes.ts'

export type AreaParts = SpeechParts &
  EnginesParts &
  RecognitionParts &
  EndpointParts &
  WorkersParts &
  EventsParts &
  MetricsParts &
  LogsParts &
  ModelsParts &
  SetupParts & {
    readonly dictation: Dictation
    readonly loaded: Loaded
    readonly sidecars: Sidecars
    readonly lending: LendingService
    readonly history: History
    readonly device: () => string
    readonly version: string
  }

export function routes(parts: AreaParts): Route[] {
  const rows = [
    ...healthRoutes(parts),
    ...metricsRoutes(parts),
    ...speechRoutes(parts),
    ...recognitionRoutes(parts),
    ...endpointRoutes(parts),
    ...enginesRoutes(parts),
    ...sidecarRoutes(parts),
    ...loadedRoutes(parts),
    ...dictationRoutes(parts),
    ...historyRoutes(parts.history),
    ...workersRoutes(parts),
    ...modelsRoutes(parts),
    ...setupRoutes(parts),
    ...lendingRoutes(parts.lending),
    ...logsRoutes(parts),
    ...eventsRoutes(parts),
    ...webRoutes(parts.version),
  ]
  const all = [...rows, ...docsRoutes(CONTRACTS, { title: 'Voice Studio', version: parts.version })]
  checkBound(CONTRACTS, all)
  return all
}
