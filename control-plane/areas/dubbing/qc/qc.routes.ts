import { handle, type Route } from '../../../http/handle.ts'
import { dubQcContracts } from './qc.contract.ts'
import type { DubQc } from './qc.service.ts'

export const dubQcRoutes = (qc: DubQc): Route[] => [
  handle(dubQcContracts.check, async ({ params, query, signal, traceparent }) => {
    const { answer } = await qc.check(
      params.job_id,
      { language: query.lang ?? null, threshold: query.drift_threshold },
      { signal, traceparent },
    )
    return answer
  }),
]
