// The line of a writer to the database: one connection, one batch at a time. After a lost connection it takes the cell again, which ends the
// batch that may still be on its way, and then reads the number of the last batch: it says whether that one was written.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Writes } from '../journal.ts'
import { refusedTask } from './batch/diagnosis.ts'
import { statementOf } from './batch/statement.ts'
import { connect, type DatabaseConnection } from './connection.ts'
import { type Hold, TERM_BEAT_MS } from './hold.ts'
import { endingOf, rowRefusal, storageRefusal } from './refusal.ts'
import { beatTerm, releaseTerm, retakeTerm } from './term.ts'

export type Answer =
  | { readonly by: 'written' | 'fenced' }
  | { readonly by: 'failed'; readonly failure: Failure }
  | { readonly by: 'defect'; readonly error: Error; readonly taskSeq: number | null }
  /** Null when another writer has taken the cell, or the line was closed. */
  | { readonly by: 'unknown'; readonly found: Promise<boolean | null> }

export type LineDeps = {
  readonly url: string
  /** It holds the term of `hold`. */
  readonly connection: DatabaseConnection
  readonly hold: Hold
  /** Number of the last batch of the cell. */
  readonly lastBatch: number
  readonly clock: Pick<Clock, 'mono' | 'sleep' | 'after'>
  readonly log: Log
  /** Called once when another writer has taken the cell, or the database has lost what it had confirmed. */
  readonly onLost?: () => void
}

const TRIES = 3
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

export function createWriteLine({ url, connection: first, hold, lastBatch: lastOfAll, clock, log, onLost = () => {} }: LineDeps) {
  let connection = first
  let lastBatch = lastOfAll
  let restoring: Promise<void> | null = null
  let isBusy = false
  const closing = new AbortController()
  const isEnded = () => closing.signal.aborted || hold.isLost()

  function lose(why: string): void {
    if (hold.isLost()) return
    hold.lose()
    log.error({ cell: hold.fence().cell, term: hold.fence().term }, why)
    onLost()
  }

  async function restore(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !isEnded(); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      let next: DatabaseConnection | null = null
      try {
        next = await connect(url, clock)
        const sentAt = clock.mono()
        const taken = await retakeTerm(next, hold.fence())
        if (isEnded()) return next.destroy()
        if (!taken) lose('another process has taken over while the database was away')
        else if (taken.lastBatch < lastBatch) lose('the database has lost batches that it had confirmed; the state is read again')
        else {
          lastBatch = taken.lastBatch
          hold.retaken(taken.term, sentAt)
          connection = next
          log.warn({ term: taken.term }, 'the database answers again')
          return
        }
        next.destroy()
      } catch (error) {
        next?.destroy()
        log.debug({ err: (error as Error).message }, 'the database does not answer')
        await clock.sleep(pause, closing.signal).catch(() => {})
      }
    }
  }
  /** Resolves when the line has a connection again, or has ended. */
  function restored(): Promise<void> {
    connection.destroy()
    restoring ??= restore().finally(() => {
      restoring = null
    })
    return restoring
  }

  async function beat(): Promise<void> {
    const sentAt = clock.mono()
    try {
      if (await beatTerm(connection, hold.fence())) hold.confirm(sentAt)
      else lose('another process has taken over')
    } catch {
      await restored()
    }
  }

  /** Null when the line has ended. A suspended writer waits here until a beat has met its term. */
  async function usable(): Promise<DatabaseConnection | null> {
    while (!isEnded()) {
      if (!connection.isOpen()) await restored()
      else if (hold.isHeld()) return connection
      else await beat()
    }
    return null
  }

  async function refused(error: unknown, on: DatabaseConnection, writes: Writes): Promise<Answer> {
    const taskSeq = await refusedTask(on, writes, hold.fence(), lastBatch + 1)
    return { by: 'defect', error: rowRefusal(error), taskSeq }
  }

  async function find(batch: number): Promise<boolean | null> {
    await restored()
    return isEnded() ? null : lastBatch >= batch
  }

  async function sendOnce(on: DatabaseConnection, writes: Writes, tries: number): Promise<Answer> {
    const batch = lastBatch + 1
    const sentAt = clock.mono()
    try {
      const met = await on.rows(statementOf(writes, hold.fence(), batch))
      if (met.length === 0) {
        lose('another process has taken over')
        return { by: 'fenced' }
      }
      lastBatch = batch
      hold.confirm(sentAt)
      return { by: 'written' }
    } catch (error) {
      switch (endingOf(error)) {
        case 'refused':
          return refused(error, on, writes)
        case 'storage':
          return { by: 'failed', failure: storageRefusal(error) }
        case 'again':
          return tries < TRIES ? sendOnce(on, writes, tries + 1) : { by: 'failed', failure: storageRefusal(error) }
        case 'lost':
          return { by: 'unknown', found: find(batch) }
        case 'defect':
          return { by: 'defect', error: Failure.from(error, 'INTERNAL'), taskSeq: null }
      }
    }
  }

  function beatLater(): void {
    clock.after(TERM_BEAT_MS / 2, async () => {
      if (!isBusy && !restoring && !isEnded() && hold.age() >= TERM_BEAT_MS / 2) await beat()
      if (!isEnded()) beatLater()
    })
  }
  beatLater()

  return {
    /** The caller waits for the answer before it sends the next one, and for `found` of an unknown one. Null when the line was closed. */
    async send(writes: Writes): Promise<Answer | null> {
      isBusy = true
      try {
        const on = connection.isOpen() && hold.isHeld() ? connection : await usable()
        if (on) return await sendOnce(on, writes, 1)
        return hold.isLost() ? { by: 'fenced' } : null
      } finally {
        isBusy = false
      }
    },
    isReady: () => connection.isOpen() && hold.isHeld(),
    /** Hands the cell over to the next writer, which need not wait. Nothing is written afterwards. */
    async release(): Promise<void> {
      if (!isEnded() && connection.isOpen()) await releaseTerm(connection, hold.fence()).catch(() => {})
      hold.lose()
    },
    close(): void {
      closing.abort()
      connection.destroy()
    },
  }
}
