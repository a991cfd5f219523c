// The engine host: a child process of the agent in which engines of one group run. The agent may kill it at any moment, so it keeps nothing.
// Arguments: the group, 'development' when the test voice is allowed, and the folder of sidecars.

import { Worker } from 'node:worker_threads'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { catalog } from './catalog.ts'
import { type HostRun, startHostRun } from './host-run.ts'
import type { FromHost, ToHost } from './messages.ts'

const TICK_MS = 500
const [, , group, mode, sidecars] = process.argv

const engines = new Map(
  catalog(mode === 'development', sidecars)
    .filter((row) => row.group === group)
    .map((row) => [row.engine, { engine: row.create({ clock: systemClock }), loading: null as Promise<void> | null, loaded: false }]),
)
const runs = new Map<number, HostRun>()

// Ctrl-C and a service manager reach every process of the group; the agent decides when its hosts end, not they.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))

const ticks = new Int32Array(new SharedArrayBuffer(4))
const tick = () => void Atomics.add(ticks, 0, 1)
const beat = new Worker(new URL('./beat.ts', import.meta.url), { workerData: ticks })
// Without the beat the agent would take this host for dead; ending at once says so sooner.
beat.on('error', () => process.exit(1))

const send = (message: FromHost): Promise<void> =>
  new Promise((resolve) => (process.connected ? process.send!(message, undefined, undefined, () => resolve()) : resolve()))

function start({ key, engine: id, operation, params, credit }: Extract<ToHost, { type: 'run' }>): void {
  const ended = (failure: Failure | null) => {
    runs.delete(key)
    // What an engine did not foresee: the agent logs this process's standard error, and the message alone tells too little.
    if (failure?.cause) console.error(failure.cause)
    void send({ type: 'ended', key, failure: failure && { code: failure.code, message: failure.message, detail: failure.detail } })
  }
  const entry = engines.get(id)
  if (!entry) {
    ended(new Failure('OPERATION_UNSUPPORTED', `no engine ${id} in this host`))
    return
  }
  const ready = () => {
    entry.loading ??= entry.engine.load().then(
      () => {
        entry.loaded = true
      },
      (error) => {
        entry.loading = null // the next run tries again: a download may have finished
        throw error
      },
    )
    return entry.loading
  }
  const sendEvent = (event: Extract<FromHost, { type: 'event' }>['event']) => send({ type: 'event', key, event })
  const deps = { engine: entry.engine, ready, isReady: entry.loaded, operation, params, credit, send: sendEvent, ended, onStep: tick }
  runs.set(key, startHostRun(deps))
}

async function unload(): Promise<void> {
  for (const run of runs.values()) run.cancel()
  await Promise.allSettled([...engines.values()].map(({ engine }) => engine.unload()))
  process.exit(0)
}

process.on('message', (message: ToHost) => {
  if (message.type === 'run') start(message)
  else if (message.type === 'cancel') runs.get(message.key)?.cancel()
  else if (message.type === 'credit') runs.get(message.key)?.addCredit(message.amount)
  else void unload()
})

for (;;) {
  tick()
  await systemClock.sleep(TICK_MS)
}
