// Files that are being made for exports. They belong to no request: a client may leave, and the next call finds the file.

import { createTurns } from '#control-plane/clients/turns.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

export type ExportRuns<T> = {
  /**
   * The result of `make`, which callers with the same key share. Throws what it throws, TASK_DEADLINE_EXCEEDED after `waitMs` while the work goes
   * on, CONFLICT when the dub was aborted meanwhile, and the reason of the signal.
   */
  readonly join: (
    run: { readonly dubId: string; readonly key: string; readonly waitMs: number },
    make: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>
  /** Ends the work of a dub. Returns whether there was any. */
  readonly abort: (dubId: string) => boolean
  readonly abortAll: () => void
}
type Run<T> = { readonly dubId: string; readonly result: Promise<T>; readonly stop: AbortController }
const PER_CLIENT = 2
const WAITING_PER_CLIENT = 100

export function createExportRuns<T>({ clock }: { readonly clock: Pick<Clock, 'sleep'> }): ExportRuns<T> {
  const running = new Map<string, Run<T>>()
  const turn = createTurns({ perClient: PER_CLIENT, what: 'exports', waitingPerClient: WAITING_PER_CLIENT })

  function start(dubId: string, key: string, make: (signal: AbortSignal) => Promise<T>): Run<T> {
    const stop = new AbortController()
    const result = turn(stop.signal, () => make(stop.signal)).finally(() => {
      if (running.get(key)?.stop === stop) running.delete(key)
    })
    // There may be no request that waits for it when it fails.
    result.catch(() => {})
    const run = { dubId, result, stop }
    running.set(key, run)
    return run
  }
  function abortWhere(test: (dubId: string) => boolean, reason: Failure): boolean {
    const found = [...running].filter(([, { dubId }]) => test(dubId))
    for (const [key, { stop }] of found) {
      running.delete(key)
      stop.abort(reason)
    }
    return found.length > 0
  }

  return {
    async join({ dubId, key, waitMs }, make, signal) {
      signal.throwIfAborted()
      const { result } = running.get(key) ?? start(dubId, key, make)
      const leaving = new AbortController()
      const late = clock.sleep(waitMs, AbortSignal.any([signal, leaving.signal])).then(() => {
        signal.throwIfAborted()
        throw new Failure('TASK_DEADLINE_EXCEEDED', 'The export takes longer than this request may wait. It goes on: ask again later.')
      })
      try {
        return await Promise.race([result, late])
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        leaving.abort()
        late.catch(() => {})
      }
    },
    abort: (dubId) => abortWhere((id) => id === dubId, new Failure('CONFLICT', 'The export was aborted together with the dub.')),
    abortAll: () => void abortWhere(() => true, new Failure('NOT_READY', 'The studio is stopping.')),
  }
}
