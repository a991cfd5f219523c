// An engine in a separate program that the owner installs. Its description is stored with the installation, and runs are passed to the
// process. A sidecar that is silent for too long, violates the protocol or does not stop on request is killed and restarted for the next
// run.

import { fromS16le } from '#agent/engine/audio/pcm.ts'
import { assembleEngine, type EngineDefinition, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type Engine, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { createEventQueue, type EventQueue } from '#agent/engine/seam/event-queue.ts'
import { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { readSidecarManifest } from '#shared/sidecar/manifest.ts'
import type { FromSidecar, SidecarManifest, SidecarResult } from '#shared/sidecar/messages.ts'
import { type Sidecar, startSidecar } from '#shared/sidecar/process.ts'

type Deps = {
  readonly engine: string
  /** The folder of all sidecars. */
  readonly folder: string
  readonly clock: Clock
  readonly limits?: Partial<Limits>
}
type Limits = { readonly helloMs: number; readonly cancelMs: number; readonly endMs: number; readonly queuedBytes: number }
type Run = {
  readonly queue: EventQueue<EngineEvent>
  /** Received samples by part. */
  readonly samples: Map<number, number>
  readonly segments: number
  progress: number
  /** When its progress was reported last, on the monotonic clock. */
  reportedAt: number
  forgetSilence: () => void
}
/** Progress is reported at most this often; every message counts as a sign of life. */
const PROGRESS_MS = 100
const LIMITS: Limits = { helloMs: 60_000, cancelMs: 1_500, endMs: 1_500, queuedBytes: 4 * 1024 * 1024 }

/** The sidecar that is installed in `folder`/`engine`. */
export const sidecar = (engine: string, folder: string): EngineDefinition => ({
  id: engine,
  group: `sidecar-${engine}`,
  maxBlockSeconds: 20,
  isReloaded: true,
  create: ({ clock }) => createSidecar({ engine, folder, clock }),
})

export const createSidecar = (deps: Deps): Engine => assembleEngine(deps.engine, partsFor(deps))

/** Long factory: the process, its runs and their flow control share one state. */
function partsFor({ engine, folder, clock, limits: limitOverrides }: Deps): EngineParts {
  const limits = { ...LIMITS, ...limitOverrides }
  let sidecar: Sidecar | null = null
  let starting: Promise<Sidecar> | null = null
  let manifest: SidecarManifest | null = null
  let lastId = 0
  let queued = 0
  const runs = new Map<number, Run>()

  function describe(): Capability[] {
    const { manifest: found } = readSidecarManifest(folder, engine)
    if (!found) return []
    const { describe: described } = found
    return [
      capability({
        engine,
        operation: described.operation,
        implementation: 'sidecar',
        languages: described.languages,
        voices: described.voices,
        cloning: described.cloning,
        downloaded: true,
        device: described.device,
        sampleRate: described.sample_rate,
        memoryBytes: described.memory_bytes,
      }),
    ]
  }

  async function start(): Promise<Sidecar> {
    const { manifest: found, error } = readSidecarManifest(folder, engine)
    if (!found) throw new Failure('MODEL_NOT_INSTALLED', error ?? `The sidecar of ${engine} is not installed.`)
    manifest = found
    const started = await startSidecar({
      engine,
      command: found.command,
      folder: `${folder}/${engine}`,
      clock,
      helloMs: limits.helloMs,
      onMessage: receive,
      onLog: (line) => console.error(line), // the agent logs what its hosts print there
    })
    sidecar = started
    void started.ended.then((failure) => {
      if (sidecar === started) sidecar = null
      for (const id of [...runs.keys()]) finish(id, failure ?? new Failure('ENGINE_CRASHED', `The sidecar of ${engine} exited.`))
    })
    return started
  }
  const running = (): Promise<Sidecar> => {
    if (sidecar) return Promise.resolve(sidecar)
    starting ??= start().finally(() => {
      starting = null
    })
    return starting
  }

  function finish(id: number, failure: Failure | null): void {
    const run = runs.get(id)
    if (!run) return
    runs.delete(id)
    run.forgetSilence()
    if (failure) run.queue.fail(failure)
    else run.queue.end()
  }

  /** A sidecar that waits for a slow consumer does not count as silent. */
  function watchSilence(run: Run): void {
    run.forgetSilence()
    const seconds = manifest?.describe.silence_seconds ?? 120
    run.forgetSilence = clock.after(seconds * 1000, () => {
      if (queued > limits.queuedBytes) return watchSilence(run)
      sidecar?.kill(new Failure('ENGINE_HUNG', `The sidecar of ${engine} sent nothing for ${seconds} s and was killed.`))
    })
  }

  function receive(message: FromSidecar, payload: Buffer): void {
    if (message.type === 'hello' || message.type === 'describe') return
    const run = runs.get(message.id)
    if (!run) return // the run has ended
    watchSilence(run)
    if (message.type === 'error') return finish(message.id, new Failure(message.code, message.message))
    if (message.type === 'progress') {
      run.progress = Math.max(run.progress, message.progress)
      if (clock.mono() - run.reportedAt < PROGRESS_MS) return
      run.reportedAt = clock.mono()
      return run.queue.push({ kind: 'progress', progress: run.progress, stage: message.stage })
    }
    if (message.type === 'audio') {
      if (payload.length !== message.bytes || message.part >= run.segments) throw violation('audio for a part that was not requested')
      run.samples.set(message.part, (run.samples.get(message.part) ?? 0) + payload.length / 2)
      queued += payload.length
      if (queued > limits.queuedBytes) sidecar?.pause()
      return run.queue.push({ kind: 'audio', part: message.part, samples: fromS16le(payload) })
    }
    checkResult(run, message.result)
    run.queue.push({ kind: 'result', result: message.result })
    finish(message.id, null)
  }

  const violation = (what: string) => new Failure('WORKER_FAILED', `it sent ${what}`)
  function checkResult(run: Run, { parts }: SidecarResult): void {
    if (parts.length !== run.segments) throw violation(`${parts.length} parts instead of ${run.segments}`)
    for (const [part, { samples }] of parts.entries())
      if ((run.samples.get(part) ?? 0) !== samples) throw violation(`a wrong sample count for part ${part}`)
  }

  async function* run(params: TtsParams, { signal }: RunContext): AsyncGenerator<EngineEvent> {
    const to = await running()
    signal.throwIfAborted()
    const id = ++lastId
    const onTaken = (event: EngineEvent) => {
      if (event.kind !== 'audio') return
      queued -= event.samples.length * 2
      if (queued <= limits.queuedBytes / 2) to.resume()
    }
    const queue = createEventQueue<EngineEvent>(onTaken, () => {})
    const mine: Run = {
      queue,
      samples: new Map(),
      segments: params.segments.length,
      progress: 0,
      reportedAt: Number.NEGATIVE_INFINITY,
      forgetSilence: () => {},
    }
    runs.set(id, mine)
    let forgetCancel = () => {}
    const cancel = () => {
      to.send({ type: 'cancel', id })
      to.resume()
      forgetCancel = clock.after(limits.cancelMs, () => {
        if (runs.has(id)) to.kill(new Failure('CANCELLED', `The sidecar of ${engine} did not stop on request and was killed.`))
      })
    }
    signal.addEventListener('abort', cancel, { once: true })
    watchSilence(mine)
    to.send({ type: 'run', id, operation: 'tts', params: params })
    try {
      for await (const event of queue.events) {
        if (!signal.aborted) yield event
      }
      signal.throwIfAborted()
    } finally {
      signal.removeEventListener('abort', cancel)
      if (runs.has(id)) {
        // The consumer left first.
        to.send({ type: 'cancel', id })
        finish(id, new Failure('CANCELLED', 'The consumer left.'))
      }
      forgetCancel()
      if (runs.size === 0) queued = 0
      to.resume()
    }
  }

  return {
    describe,
    async load() {
      await running()
    },
    operations: { tts: withParams(TtsParams, run) },
    async unload() {
      await sidecar?.end(limits.endMs)
    },
  }
}
