import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { scoreOfReport } from '../repair/repair.rules.ts'
import type { DubRepairs } from '../repair/repair-job.ts'
import { dubQcContracts } from './qc.contract.ts'
import type { DubQc } from './qc.service.ts'

export const dubQcRoutes = (qc: DubQc, repairs: DubRepairs): Route[] => [
  handle(dubQcContracts.check, async ({ params: { job_id: id }, query, signal, traceparent }) => {
    const { lang, drift_threshold: threshold, repair, words } = query
    const isRepairing = ['true', '1'].includes(repair)
    if (isRepairing) repairs.requireIdle(id)
    const { track, reports, answer } = await qc.check(
      id,
      { language: lang ?? null, threshold, needsWords: words === 'required' },
      { signal, traceparent },
    )
    if (!isRepairing) return answer
    const failed = reports.map((report) => ({ ...report.time, id: report.id, score: scoreOfReport(report) }))
    return { ...answer, repair_task_id: await repairs.start(id, track.languageCode, threshold, failed) }
  }),
]
