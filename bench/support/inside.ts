// A studio in its own process that is controlled over the parent channel: submits tasks without HTTP and measures its event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { buildStudio } from '#control-plane/build.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { logPath } from '#shared/runtime/log/paths.ts'
import { createRollingFile } from '#shared/runtime/log/rolling-file.ts'
import { createLog } from '#shared/runtime/log.ts'
import { letHeapGrow } from '#shared/runtime/memory/collect-garbage.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { type Block, noteBlocks } from './dubbing/loop-blocks.ts'
import { flood } from './rounds.ts'

type Request = {
  readonly end?: boolean
  readonly flood?: { readonly count: number; readonly width: number }
  readonly bytes?: number
  /** Id of the worker that produces the bytes. Default: the local agent. */
  readonly from?: string
  readonly enqueue?: { readonly count: number }
  readonly interactive?: number
  readonly delay?: 'start' | 'read'
  readonly memory?: boolean
}
const MIN_BLOCK_MS = 5
const startedAt = performance.now()
const callsOnly = process.env['BENCH_CALLS_ONLY'] === '1' // each attempt on a call of its own, to compare
requireTls13()
restrictNewFiles()
const settings = readSettings(process.env)
const environment = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
delete environment['STUDIO_PORT']
const studio = await buildStudio({
  settings,
  environment,
  clock: systemClock,
  random: systemRandom,
  log: createLog(settings.logLevel, 'studio'),
  logFile: createRollingFile({ path: logPath(settings.dataDir), clock: systemClock }),
  secrets: [],
  usesExchange: !callsOnly,
  checkReplies: false, // as in production; only development validates every response
})
await studio.start()
const address = studio.address()
const port = typeof address === 'object' && address ? address.port : 0
letHeapGrow() // as in the program
while (!studio.isReady()) await systemClock.sleep(5)
const delay = monitorEventLoopDelay({ resolution: 5 })

let takeBlocks: (() => Block[]) | undefined

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

async function answer(request: Request): Promise<object> {
  if (request.flood) return flood(request.flood.count, request.flood.width, () => one())
  if (request.bytes) {
    const from = performance.now()
    const { pieces } = await studio.tasks.open(
      { ...spec({ bytes: request.bytes }), target: request.from ?? 'local', ephemeral: false },
      '',
      new AbortController().signal,
    )
    let received = 0
    let last = 0
    for await (const { bytes } of pieces) {
      received += bytes.length
      last = performance.now()
    }
    if (received !== request.bytes) throw new Error(`${received} of ${request.bytes} bytes`)
    return { seconds: (last - from) / 1000 }
  }
  if (request.enqueue) {
    // Batch tasks for an engine whose permits are all taken by tasks that do not end.
    const hang = { segments: [{ text: 'waits' }], fault: { kind: 'slow', msPerChar: 60_000 } }
    for (let index = 0; index < request.enqueue.count; index += 500)
      await Promise.all(
        Array.from({ length: Math.min(500, request.enqueue.count - index) }, () =>
          studio.tasks.submit(spec(hang, { engine: 'tone', priority: 1 })),
        ),
      )
    return { queued: studio.tasks.queued() }
  }
  if (request.interactive) return flood(request.interactive, 1, () => one())
  if (request.delay === 'start') {
    delay.enable()
    delay.reset()
    takeBlocks ??= noteBlocks(MIN_BLOCK_MS)
    takeBlocks()
    return {}
  }
  if (request.delay === 'read') return { maxMs: delay.max / 1e6, p99Ms: delay.percentile(99) / 1e6, blocks: takeBlocks?.() ?? [] }
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return { studioRss: rss, heapBytes: heapUsed, bufferBytes: arrayBuffers, agentPid: studio.local.pid() }
}

process.on('message', async (request: Request) => {
  if (request.end) {
    await studio.stop()
    process.exit(0)
  }
  process.send?.(await answer(request))
})
process.once('disconnect', () => process.exit())
process.send?.({ ready: true, port, startMs: performance.now() - startedAt })
