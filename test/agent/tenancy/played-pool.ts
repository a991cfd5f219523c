// A pool whose runs the test controls.
import type { TestContext } from 'node:test'
import type { GivenInput } from '#agent/engine/host/messages.ts'
import type { EnginePool, PoolEvent } from '#agent/engine/host/pool.ts'
import { createEventQueue } from '#agent/engine/seam/event-queue.ts'
import { createAttempts } from '#agent/tenancy/attempts.ts'
import { createFairShare } from '#agent/tenancy/fair-share.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { HeaderMessage } from '#shared/protocol/run-messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

export type PlayedRun = {
  readonly id: string
  readonly params: unknown
  readonly signal: AbortSignal
  readonly inputs: readonly GivenInput[] | undefined
  readonly say: (...events: PoolEvent[]) => void
  /** Without an error: the run is over. */
  readonly end: (error?: Error) => void
}

/** `forgotten`: what the engines were told to forget, as owner and digests. */
export function openPlayedPool() {
  const runs: PlayedRun[] = []
  const forgotten: (readonly [owner: string, digests: readonly string[] | null])[] = []
  let refusal: Error | null = null
  const pool: EnginePool = {
    name: 'played',
    start() {},
    stop: async () => {},
    capabilities: async () => [],
    changes: () => 0,
    refresh() {},
    has: () => true,
    freePermits: () => 1,
    resident: () => [],
    forgetVoices: (owner, digests) => void forgotten.push([owner, digests]),
    unload: async () => {},
    unloadIdle: async () => [],
    check() {},
    run({ id, params, signal, inputs, onEnd }) {
      if (refusal) throw refusal
      const queue = createEventQueue<PoolEvent>(
        () => {},
        () => {},
      )
      const end = (error?: Error) => {
        if (error) queue.fail(error)
        else queue.end()
        onEnd?.()
      }
      signal.addEventListener('abort', () => end(new Failure('CANCELLED', 'the run was cancelled')))
      runs.push({
        id,
        params,
        signal,
        inputs,
        say: (...events) => {
          for (const event of events) queue.push(event)
        },
        end,
      })
      return queue.events
    },
  }
  return {
    pool,
    runs,
    forgotten,
    /** The pool has no room, or what it says it lacks. */
    refuse(error: Error | null): void {
      refusal = error
    },
  }
}

export function openAttempts(t: TestContext) {
  const clock = createFakeClock()
  const workDir = temporaryFolder(t)
  const { pool, runs, refuse } = openPlayedPool()
  const fairShare = createFairShare(pool)
  const attempts = createAttempts({ pool: { run: (request) => fairShare.run('studio', request) }, clock, log, workDir })
  t.after(() => attempts.wipe('the test is over'))
  return {
    attempts,
    clock,
    runs,
    workDir,
    refuse,
  }
}

export const headerOf = (id: string, change: Partial<HeaderMessage> = {}): HeaderMessage => ({
  task_id: `task-${id}`,
  attempt_id: id,
  epoch: 1,
  engine: 'svc-engine',
  model: '',
  operation: 'tts',
  model_digest: '',
  params_json: Buffer.from('{"text":"hi"}'),
  consent_id: 'yes',
  deadline_ms_left: 60_000,
  from_seq: 0,
  traceparent: '',
  inputs: [],
  priority: 0,
  size: 0,
  ...change,
})
