// GET /metrics: figures for an operator, in the text format of Prometheus.

import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { metricsContracts } from './metrics.contract.ts'

export type MetricsParts = { readonly metrics: () => Promise<{ readonly type: string; readonly text: string }> }

export const metricsRoutes = ({ metrics }: MetricsParts): Route[] => [
  handle(metricsContracts.readMetrics, async () => {
    const { type, text } = await metrics()
    return { type, cache: 'no-store' as const, body: Buffer.from(text) }
  }),
]
