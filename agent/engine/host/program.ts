// The engine host: a child process of the agent that runs the engines of one group. The agent may kill it at any time, so it stores
// nothing.
// Arguments: the group, 'development' or 'production', the folder of the models, the folder of the sidecars, the device family.

import { readFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { Worker } from 'node:worker_threads'
import { enginesOfGroup } from '#agent/engine/catalog/loaders.ts'
import { restrictDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { createVerifier } from '#agent/engine/verify/run.ts'
import { filesIn, noFiles } from '#agent/models/manifest.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { onGroupsChanged } from '#shared/runtime/child/group.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { measureFootprint } from './footprint.ts'
import type { FromHost, GivenInput, ToHost } from './messages.ts'
import { type HostRun, startHostRun } from './run.ts'

const TICK_INTERVAL_MS = 500
/** Growth factor of the footprint for a new report. */
const REPORT_GROWTH = 1.05
const [, , group = '', mode, modelsFolder, sidecars, deviceFamily = 'auto'] = process.argv
restrictDevices(deviceFamily)
const filesOf = modelsFolder ? filesIn(modelsFolder) : noFiles

// Ctrl-C and service managers signal every process of the group, but the agent decides when its hosts end.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})
process.on('disconnect', () => process.exit(0))

const engines = new Map(
  (await enginesOfGroup(group, mode === 'development', sidecars ?? '')).map((row) => [
    row.id,
    {
      definition: row,
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
type HostEngine = NonNullable<ReturnType<typeof engines.get>>
const runs = new Map<number, HostRun>()

const ticks = new Int32Array(new SharedArrayBuffer(4))
const tick = () => void Atomics.add(ticks, 0, 1)
const beat = new Worker(new URL('./beat.ts', import.meta.url), { workerData: ticks })
// Without a heartbeat the agent would kill this host later anyway.
beat.on('error', () => process.exit(1))

const send = (message: FromHost): Promise<void> =>
  new Promise((resolve) => (process.connected ? process.send!(message, undefined, undefined, () => resolve()) : resolve()))

onGroupsChanged((pids) => void send({ type: 'programs', pids }))

/** Reports the memory of an engine when it has grown. Memory that a run allocates is freed only when the host ends. */
async function report(id: string): Promise<void> {
  const entry = engines.get(id)
  const placement = entry?.engine.placement?.()
  if (!entry || entry.loaded === null || !placement) return
  const model = entry.loaded
  const footprint = await measureFootprint(placement.device)
  const { memoryBytes, deviceBytes } = footprint
  if (memoryBytes < entry.reportedBytes * REPORT_GROWTH && deviceBytes <= entry.reportedDeviceBytes) return
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

/** Loads the model of an engine unless it is loaded or loading. */
function load(id: string, entry: HostEngine, model: string): Promise<void> {
  const beforeBytes = process.memoryUsage.rss()
  if (entry.loading?.model !== model) {
    entry.loaded = null
    const ready = entry.engine.load(model).then(
      () => {
        Object.assign(entry, { loaded: model, beforeBytes, reportedBytes: 0, reportedDeviceBytes: 0 })
        void report(id)
      },
      (error) => {
        entry.loading = null // the next run tries again, because a download may have finished
        throw error
      },
    )
    entry.loading = { model, ready }
  }
  return entry.loading!.ready
}

function start({ key, engine: id, model, operation, params, owner, credit, inputs }: Extract<ToHost, { type: 'run' }>): void {
  const ended = (failure: Failure | null) => {
    runs.delete(key)
    void report(id)
    // The agent logs standard error of this process; the message alone is not enough to find the cause.
    if (failure?.cause) console.error(failure.cause)
    void send({ type: 'ended', key, failure: failure && { code: failure.code, message: failure.message, detail: failure.detail } })
  }
  const entry = engines.get(id)
  if (!entry) {
    ended(new Failure('OPERATION_UNSUPPORTED', `This host has no engine ${id}.`))
    return
  }
  const { verification } = entry.definition
  const isVerified = operation === 'verify' && verification !== undefined
  const sendEvent = (event: Extract<FromHost, { type: 'event' }>['event']) => send({ type: 'event', key, event })
  // A verification loads the model itself: that it does not load is one of its results.
  const engine = isVerified
    ? createVerifier({
        definition: { ...entry.definition, verification },
        engine: entry.engine,
        filesOf,
        load: (wanted) => load(id, entry, wanted),
        clock: systemClock,
        secrets: modelsFolder ? [modelsFolder] : [],
      })
    : entry.engine
  const ready = isVerified ? async () => {} : () => load(id, entry, model)
  const isReady = isVerified || entry.loaded === model
  const given = async () => {
    const read = await readInputs(inputs)
    // The weights may have been deleted since the offer; the substitute must not ignore the reference voice.
    if (operation === 'tts' && read.has('reference') && !entry.engine.describe().some((one) => one.operation === 'tts' && one.cloning))
      throw new Failure('OPERATION_UNSUPPORTED', `The engine ${id} does not support a reference recording on this machine.`)
    return read
  }
  runs.set(
    key,
    startHostRun({ engine, ready, isReady, operation, model, params, owner, inputs: given, credit, send: sendEvent, ended, onStep: tick }),
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
  else if (message.type === 'forget') for (const { engine } of engines.values()) engine.forgetVoices?.(message.owner, message.digests)
  else void unload()
})

// Most hosts are killed and would not write the cache at exit.
flushCompileCache()
for (;;) {
  tick()
  await systemClock.sleep(TICK_INTERVAL_MS)
}
