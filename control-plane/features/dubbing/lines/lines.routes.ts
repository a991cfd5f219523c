import { readFile } from 'node:fs/promises'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { dubLineContracts } from './lines.contract.ts'
import type { DubLines } from './lines.service.ts'

export const dubLineRoutes = (lines: DubLines): Route[] => [
  handle(dubLineContracts.parse, ({ body }) => lines.parse(body.text)),
  handle(dubLineContracts.parseFile, async ({ body, uploads }) => lines.parse(await readFile(uploads['file']!.path), body)),
  handle(
    dubLineContracts.import,
    async ({ params, body, uploads }) => lines.importFile(params.job_id, await readFile(uploads['file']!.path), body),
    ({ params }) => lines.require(params.job_id),
  ),
  handle(
    dubLineContracts.store,
    ({ params, body }) => lines.store(params.job_id, body),
    ({ params }) => lines.require(params.job_id),
  ),
  handle(dubLineContracts.cleanup, ({ params }) => lines.cleanUp(params.job_id)),
]
