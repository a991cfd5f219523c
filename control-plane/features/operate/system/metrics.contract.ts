// GET /metrics: figures for an operator, in the text format of Prometheus.

import { contract } from '#control-plane/http/contract/contract.ts'

export const metricsContracts = {
  readMetrics: contract({
    id: 'system.readMetrics',
    method: 'GET',
    path: '/metrics',
    access: 'consume',
    summary: 'Returns metrics of tasks, workers, requests and this process for Prometheus.',
    extension: true,
    media: ['text/plain'],
  }),
}
