// GET /metrics: figures for an operator, in the text format of Prometheus.

import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { metricsContracts } from './metrics.contract.ts'

type Parts = {
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>
  /** Called once, before the first answer. */
  readonly addFigures: () => Promise<void>
}

export function metricsRoutes({ metrics, addFigures }: Parts): Route[] {
  let added: Promise<void> | null = null
  return [
    handle(metricsContracts.readMetrics, async () => {
      // A file that could not be read, such as without file handles, is read again by the next scrape.
      added ??= addFigures().catch((error: unknown) => {
        added = null
        throw error
      })
      await added
      const { type, text } = await metrics()
      return { type, cache: 'no-store' as const, body: Buffer.from(text) }
    }),
  ]
}
