import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { verifyContracts } from './verify.contract.ts'
import type { createVerify } from './verify.service.ts'

export const verifyRoutes = (verify: ReturnType<typeof createVerify>): Route[] => [
  handle(verifyContracts.run, ({ body, signal, traceparent }) => verify.run(body.repo_id, body.target, signal, traceparent)),
]
