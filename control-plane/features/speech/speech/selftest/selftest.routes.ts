import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { selftestContracts } from './selftest.contract.ts'
import type { createSelftest } from './selftest.service.ts'

export const selftestRoutes = (selftest: ReturnType<typeof createSelftest>): Route[] => [
  handle(selftestContracts.run, ({ params, signal, traceparent }) => selftest.run(params.engine_id, signal, traceparent)),
]
