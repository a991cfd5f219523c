import { handle, type Route } from '../../../http/handle.ts'
import { dubQcContracts } from './qc.contract.ts'
import type { createDubQc } from './qc.service.ts'

export const dubQcRoutes = (qc: ReturnType<typeof createDubQc>): Route[] => [
  handle(dubQcContracts.check, ({ params, query, signal, traceparent }) =>
    qc.check(params.job_id, { language: query.lang ?? null, threshold: query.drift_threshold }, { signal, traceparent }),
  ),
]
