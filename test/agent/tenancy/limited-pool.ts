// A pool with a fixed number of permits; the test ends its runs.

import type { PoolEvent, PoolRequest } from '#agent/engine/host/pool.ts'
import { createEventQueue } from '#agent/engine/seam/event-queue.ts'
import type { SharedPool } from '#agent/tenancy/fair-share.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type LimitedRun = {
  readonly id: string
  readonly params: unknown
  readonly say: (bytes: Buffer) => void
  readonly end: (error?: Error) => void
}

/** One engine `svc-engine` with `permits`; any other is not there. */
export function createLimitedPool(permits: number) {
  const running: LimitedRun[] = []
  const begun: string[] = []
  const freePermits = (engine: string) => (engine === 'svc-engine' ? permits - running.length : 0)
  const check: SharedPool['check'] = ({ engine }) => {
    if (engine !== 'svc-engine') throw new Failure('OPERATION_UNSUPPORTED', `no engine ${engine}`)
  }
  const pool: SharedPool = {
    check,
    freePermits,
    run(request: PoolRequest) {
      check(request)
      if (freePermits(request.engine) === 0) throw new Failure('WORKER_AT_CAPACITY', 'full')
      const queue = createEventQueue<PoolEvent>(
        () => {},
        () => run.end(),
      )
      const run: LimitedRun = {
        id: request.id,
        params: request.params,
        say: (bytes) => queue.push({ kind: 'audio', part: 0, bytes }),
        end(error) {
          const at = running.indexOf(run)
          if (at < 0) return
          running.splice(at, 1)
          request.onEnd?.()
          if (error) return queue.fail(error)
          queue.push({ kind: 'result', result: {} })
          queue.end()
        },
      }
      running.push(run)
      begun.push(request.id)
      queue.push({ kind: 'running' })
      const cancelled = () => run.end(new Failure('CANCELLED', 'the run was cancelled'))
      request.signal.addEventListener('abort', cancelled)
      if (request.signal.aborted) cancelled()
      return queue.events
    },
  }
  return { pool, running, begun }
}
