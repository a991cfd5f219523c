import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { contextContracts } from './context.contract.ts'
import { type ContextCore, createVideoContext } from './context.service.ts'

export function contextRoutes(core: ContextCore): Route[] {
  const videoContext = createVideoContext(core)
  return [handle(contextContracts.videoContext, ({ params, signal }) => videoContext(params.job_id, signal))]
}
