// Takes the cell when no other process holds it, and gives it up. A challenger looks every second and takes a cell whose writer has not moved
// for six seconds of its own monotonic clock, or that was handed over. Two challengers cannot both succeed: a take names the term it has seen.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import { connect, type DatabaseConnection } from './connection.ts'
import { createHold } from './hold.ts'
import { type OpenedPostgres, openPostgresJournal } from './journal.ts'
import { schemaVersion } from './migrate.ts'
import { type CellLook, lookAt, takeTerm, type WriterId } from './term.ts'

/** Milliseconds between two looks at the cell. */
export const LOOK_MS = 1_000
/** Milliseconds without a sign of its writer after which a cell is taken. It exceeds the time after which a writer suspends itself. */
export const SILENCE_MS = 6_000
/** Refused connections, within one look, that say that the process of the writer has ended; believed once a minute at most. */
const REFUSALS = 3
const REFUSALS_EVERY_MS = 60_000

type Deps = {
  readonly url: string
  readonly id: WriterId
  readonly clock: Clock
  readonly log: Log
  /** The cell is ours; its state is as of this moment. The promise is waited for before the next step. */
  readonly onTaken: (opened: OpenedPostgres) => Promise<void>
  /**
   * planned: the cell is handed over when the promise has resolved, so that what is staged can still be written. lost: another process has it,
   * and nothing in memory counts any more.
   */
  readonly onEnd: (why: 'planned' | 'lost') => Promise<void>
  /** True if the port of the writer refuses connections, which a process that runs does not. It is no proof, so it only shortens the wait. */
  readonly isRefused?: (address: string) => Promise<boolean>
}

/**
 * True if the cell may be taken. `since`: when a look first showed what this one shows, by the monotonic clock; looks that failed between them
 * do not count, because a database that is away says nothing about the writer.
 */
const mayTake = (look: CellLook | null, since: number, now: number) => look === null || look.writer === '' || now - since >= SILENCE_MS
const isSame = (a: CellLook | null, b: CellLook | null) =>
  a?.term === b?.term && a?.beat === b?.beat && a?.last_batch === b?.last_batch && a?.writer === b?.writer

export function createChallenger({ url, id, clock, log, onTaken, onEnd, isRefused }: Deps): Service & {
  /** The last look: where the writer is. Null before the first one, and for a cell that was never taken. */
  readonly seen: () => CellLook | null
} {
  let connection: DatabaseConnection | null = null
  let last: CellLook | null = null
  let since = 0
  let highest = 0
  let goneAt: number | null = null
  let held: { readonly opened: OpenedPostgres; readonly lost: Promise<void> } | null = null

  function forget(): void {
    connection?.destroy()
    connection = null
    last = null
  }

  async function look(): Promise<boolean> {
    connection ??= await connect(url, clock)
    const now = clock.mono()
    const seen = await lookAt(connection, id.cell)
    if (last === null || !isSame(seen, last)) since = now
    last = seen
    highest = Math.max(highest, seen?.term ?? 0)
    return mayTake(seen, since, clock.mono()) || isGone(seen?.address ?? '')
  }

  /** The writer refuses several connections in a row; asked rarely, so that a cell does not move to and fro. */
  async function isGone(address: string): Promise<boolean> {
    if (!isRefused || address === '' || (goneAt !== null && clock.mono() - goneAt < REFUSALS_EVERY_MS)) return false
    for (let refusals = 0; refusals < REFUSALS; refusals++) {
      if (refusals > 0) await clock.sleep(LOOK_MS / REFUSALS)
      if (!(await isRefused(address))) return false
    }
    goneAt = clock.mono()
    return true
  }

  async function take(): Promise<void> {
    const own = connection!
    const sentAt = clock.mono()
    const taken = await takeTerm(own, id, last?.term ?? 0, { version: schemaVersion(), seen: highest })
    last = null
    if (!taken) return
    connection = null // it is the writer's now
    const { promise: lost, resolve: onLost } = Promise.withResolvers<void>()
    const hold = createHold({ cell: id.cell, term: taken.term, writer: id.writer }, clock, sentAt)
    const opened = await openPostgresJournal({ url, connection: own, hold, lastBatch: taken.lastBatch, clock, log, onLost }).catch(
      (error: unknown) => {
        own.destroy()
        throw error
      },
    )
    held = { opened, lost }
    log.info({ cell: id.cell, term: taken.term }, 'this process writes the cell now')
    try {
      await onTaken(opened)
    } catch (error) {
      // A writer that could not start leaves the cell to another process.
      await end(true)
      throw error
    }
  }

  async function pass(signal: AbortSignal): Promise<void> {
    if (held) {
      const { promise, resolve } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => resolve(), { once: true })
      await Promise.race([held.lost, promise])
      await end(signal.aborted)
      return
    }
    try {
      if (await look()) await take()
    } catch (error) {
      forget()
      log.warn({ err: (error as Error).message }, 'the database of the cell does not answer')
    }
    if (!held) await clock.sleep(LOOK_MS, signal).catch(() => {})
  }

  /** `isPlanned`: the next writer need not wait. */
  async function end(isPlanned: boolean): Promise<void> {
    const ending = held
    held = null
    if (!ending) return
    await onEnd(isPlanned ? 'planned' : 'lost')
    if (isPlanned) await ending.opened.release()
    await ending.opened.journal.close()
  }

  const running = loop(`writer of ${id.cell}`, pass, (error) => log.error({ err: (error as Error).message }, 'the challenger ended'))
  return {
    name: running.name,
    start: running.start,
    async stop() {
      await running.stop()
      await end(true)
      forget()
    },
    seen: () => last,
  }
}
