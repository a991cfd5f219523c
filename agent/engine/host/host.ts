// The engine host: a child process of the agent in which engines of one group run. The agent may kill it at any moment, so it keeps nothing.
// Arguments: the group, 'development' when the test voice is allowed, the folder of the models, and that of the sidecars.

import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { filesIn, noFiles } from '../../models/manifest.ts'
import { catalog } from '../seam/catalog.ts'
import { measureFootprint } from './footprint.ts'
import type { FromHost, GivenInput, ToHost } from './messages.ts'
import { type HostRun, startHostRun } from './run.ts'

const TICK_MS = 500
/** How much larger a footprint must be to be told again. */
const NEWS = 1.05
const [, , group, mode, modelsFolder, sidecars] = process.argv
const filesOf = modelsFolder ? filesIn(modelsFolder) : noFiles

const engines = new Map(
  catalog(mode === 'development', sidecars)
    .filter((row) => row.group === group)
    .map((row) => [
      row.id,
      {
        engine: row.create({ clock: systemClock, path: '', filesOf }),
        loading: null as { readonly model: string; readonly ready: Promise<void> } | null,
        /** The model that is loaded; null while there is none. */
        loaded: null as string | null,
        beforeBytes: 0,
        reportedBytes: 0,
        reportedDeviceBytes: 0,
      },
    ]),
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

/** Tells what the engine holds, when that is news: a run makes room that is not given back before the host ends. */
async function report(id: string): Promise<void> {
  const entry = engines.get(id)
  const placement = entry?.engine.placement?.()
  if (!entry || entry.loaded === null || !placement) return
  const model = entry.loaded
  const footprint = await measureFootprint(placement.device)
  const { memoryBytes, deviceBytes } = footprint
  if (memoryBytes < entry.reportedBytes * NEWS && deviceBytes <= entry.reportedDeviceBytes) return
  entry.reportedBytes = Math.max(memoryBytes, entry.reportedBytes)
  entry.reportedDeviceBytes = Math.max(deviceBytes, entry.reportedDeviceBytes)
  const measured = {
    ...placement,
    beforeBytes: entry.beforeBytes,
    memoryBytes: entry.reportedBytes,
    deviceBytes: entry.reportedDeviceBytes,
  }
  await send({ type: 'measured', engine: id, model, measured })
}

function start({ key, engine: id, model, operation, params, credit, inputs }: Extract<ToHost, { type: 'run' }>): void {
  const ended = (failure: Failure | null) => {
    runs.delete(key)
    void report(id)
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
    const beforeBytes = process.memoryUsage.rss()
    if (entry.loading?.model !== model) {
      entry.loaded = null
      const ready = entry.engine.load(model).then(
        () => {
          Object.assign(entry, { loaded: model, beforeBytes, reportedBytes: 0, reportedDeviceBytes: 0 })
          void report(id)
        },
        (error) => {
          entry.loading = null // the next run tries again: a download may have finished
          throw error
        },
      )
      entry.loading = { model, ready }
    }
    return entry.loading!.ready
  }
  const sendEvent = (event: Extract<FromHost, { type: 'event' }>['event']) => send({ type: 'event', key, event })
  const { engine } = entry
  const isReady = entry.loaded === model
  const given = async () => {
    const read = await readInputs(inputs)
    // The weights may have gone since this was offered; what stands in for them must not speak in a voice that nobody asked for.
    if (operation === 'tts' && read.has('reference') && !engine.describe().some((one) => one.operation === 'tts' && one.cloning))
      throw new Failure('OPERATION_UNSUPPORTED', `${id} follows no reference recording on this machine`)
    return read
  }
  runs.set(
    key,
    startHostRun({ engine, ready, isReady, operation, model, params, inputs: given, credit, send: sendEvent, ended, onStep: tick }),
  )
}

async function readInputs(inputs: readonly GivenInput[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = await Promise.all(
    inputs.map(async ({ name, bytes, file }): Promise<[string, Uint8Array]> => [name, bytes ?? (await readFile(file!))]),
  )
  return new Map(read)
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

// A host that is killed, as most are, would write nothing at its end.
flushCompileCache()
for (;;) {
  tick()
  await systemClock.sleep(TICK_MS)
}
