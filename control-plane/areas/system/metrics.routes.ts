// GET /metrics: figures for an operator, in the text format of Prometheus.
import { bytes, type Route } from '../../http/route.ts'

export type MetricsParts = { readonly metrics: () => Promise<{ readonly type: string; readonly text: string }> }

export const metricsRoutes = ({ metrics }: MetricsParts): Route[] => [
  bytes({
    id: 'system.readMetrics',
    method: 'GET',
    path: '/metrics',
    access: 'consume',
    summary: 'Ours: figures of tasks, workers, requests and this process, for Prometheus.',
    media: ['text/plain'],
    run: async () => {
      const { type, text } = await metrics()
      return { headers: { 'content-type': type, 'cache-control': 'no-store' }, body: Buffer.from(text) }
    },
  }),
]
