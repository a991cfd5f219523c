import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { rangedBytes } from '#control-plane/http/contract/respond.ts'
import { demoContracts } from './demo.contract.ts'
import type { createDemo } from './demo.service.ts'

export const demoRoutes = (demo: ReturnType<typeof createDemo>): Route[] => [
  handle(demoContracts.dubbing, () => ({ source: null, dubbed: [] })),
  handle(demoContracts.clip, async ({ signal, traceparent }) => ({
    type: 'audio/wav',
    body: rangedBytes(await demo.clip(signal, traceparent)),
  })),
]
