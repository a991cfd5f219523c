// The cost of the process itself, under the names that common dashboards use.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Registry } from 'prom-client'
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import type { Service } from '#shared/runtime/service.ts'

const RESOLUTION_MS = 50

export function createProcessMetrics(registry: Registry): Service {
  const registers = [registry]
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  new Gauge({
    name: 'studio_event_loop_lag_seconds',
    help: 'How late the event loop came to a timer, since the scrape before; 0 at the first.',
    // Prometheus reserves the label `quantile` for summaries.
    labelNames: ['percentile'],
    registers,
    collect() {
      // The monitor measures whole intervals; the time beyond the requested interval is the lag.
      const lag = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000) || 0
      this.set({ percentile: '50' }, lag(delay.percentile(50)))
      this.set({ percentile: '99' }, lag(delay.percentile(99)))
      this.set({ percentile: '100' }, lag(delay.max))
      delay.reset()
      // Each measurement wakes the process: an idle studio without scrapes would spend most of its time on it.
      delay.enable()
    },
  })
  let counted = 0
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the studio, without its agent and the programs it starts.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.inc((user + system - counted) / 1e6)
      counted = user + system
    },
  })
  new Gauge({
    name: 'process_start_time_seconds',
    help: 'Time at which the studio was started.',
    registers,
    collect() {
      this.set(performance.timeOrigin / 1000)
    },
  })
  new Gauge({
    name: 'process_resident_memory_bytes',
    help: 'Main memory of the studio.',
    registers,
    collect() {
      this.set(process.memoryUsage.rss())
    },
  })
  new Gauge({
    name: 'studio_heap_bytes',
    help: 'Memory of JavaScript objects and of buffers outside their heap.',
    labelNames: ['kind'],
    registers,
    collect() {
      const { heapUsed, external } = process.memoryUsage()
      this.set({ kind: 'heap' }, heapUsed)
      this.set({ kind: 'external' }, external)
    },
  })
  return {
    name: 'process-metrics',
    start: () => {},
    stop: async () => void delay.disable(),
  }
}
