// A studio in a process of its own that can be driven from inside: tasks submitted without HTTP, its event loop measured.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildStudio } from '#control-plane/build.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { createLog } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { flood } from './rounds.ts'

type Ask = {
  readonly end?: boolean
  readonly flood?: { readonly count: number; readonly width: number }
  readonly bytes?: number
  /** Who makes the bytes; the local agent unless told. */
  readonly from?: string
  readonly enqueue?: { readonly count: number }
  readonly interactive?: number
  readonly delay?: 'start' | 'read'
  readonly memory?: boolean
}
const startedAt = performance.now()
requireTls13()
const settings = readSettings(process.env)
const environment = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
delete environment['STUDIO_PORT']
const studio = await buildStudio({
  settings,
  environment,
  clock: systemClock,
  random: systemRandom,
  log: createLog(settings.logLevel, 'studio'),
  checkReplies: false, // as it runs for its users; only development looks at every answer
})
await studio.start()
const address = studio.address()
const port = typeof address === 'object' && address ? address.port : 0
while (!studio.isReady()) await systemClock.sleep(5)
const delay = monitorEventLoopDelay({ resolution: 5 })

const spec = (params: object, more: { engine?: string; priority?: 0 | 1 } = {}) => ({
  operation: more.engine === 'tone' ? 'tts' : 'probe',
  engine: more.engine ?? 'probe',
  model: '',
  params: JSON.stringify(params),
  priority: more.priority ?? (0 as const),
  target: 'local',
  size: 1,
  deadlineAt: systemClock.now() + 3_600_000,
  idempotencyKey: null,
  ephemeral: true,
})
const ECHO = { echo: 'x'.repeat(1024) }
const one = async (params: object = ECHO) => {
  const { task } = await studio.tasks.submit(spec(params))
  const ended = await studio.tasks.outcome(task.id)
  if (ended.task.phase !== 'succeeded') throw new Error(`${ended.task.phase} ${ended.task.failure?.message}`)
  return ended
}

async function answer(ask: Ask): Promise<object> {
  if (ask.flood) return flood(ask.flood.count, ask.flood.width, () => one())
  if (ask.bytes) {
    const from = performance.now()
    const { pieces } = await studio.tasks.open(
      { ...spec({ bytes: ask.bytes }), target: ask.from ?? 'local', ephemeral: false },
      '',
      new AbortController().signal,
    )
    let seen = 0
    let last = 0
    for await (const { bytes } of pieces) {
      seen += bytes.length
      last = performance.now()
    }
    if (seen !== ask.bytes) throw new Error(`${seen} of ${ask.bytes} bytes`)
    return { seconds: (last - from) / 1000 }
  }
  if (ask.enqueue) {
    // Batch work for an engine whose permits are all taken by tasks that never end by themselves.
    const hang = { segments: [{ text: 'waits' }], fault: { kind: 'slow', msPerChar: 60_000 } }
    for (let index = 0; index < ask.enqueue.count; index += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, ask.enqueue.count - index) }, () =>
          studio.tasks.submit(spec(hang, { engine: 'tone', priority: 1 })),
        ),
      )
    return { queued: studio.tasks.queued() }
  }
  if (ask.interactive) return flood(ask.interactive, 1, () => one())
  if (ask.delay === 'start') {
    delay.enable()
    delay.reset()
    return {}
  }
  if (ask.delay === 'read') return { maxMs: delay.max / 1e6, p99Ms: delay.percentile(99) / 1e6 }
  return { studioRss: process.memoryUsage.rss(), agentPid: studio.local.pid() }
}

process.on('message', async (ask: Ask) => {
  if (ask.end) {
    await studio.stop()
    process.exit(0)
  }
  process.send?.(await answer(ask))
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true, port, startMs: performance.now() - startedAt })
