import { handle, type Route } from '../../../http/handle.ts'
import { dubLineContracts } from './lines.contract.ts'
import type { DubLines } from './lines.service.ts'

export const dubLineRoutes = (lines: DubLines): Route[] => [
  handle(dubLineContracts.parse, ({ body }) => lines.parse(body.text)),
  handle(dubLineContracts.import, ({ params, files }) => lines.importFile(params.job_id, files['file']!.bytes)),
  handle(dubLineContracts.store, ({ params, body }) => lines.store(params.job_id, body)),
  handle(dubLineContracts.cleanup, ({ params }) => lines.cleanUp(params.job_id)),
]
