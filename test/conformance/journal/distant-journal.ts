// The SQLite body as if it were behind a connection: it answers later, loses answers, and can be taken over.
import type { CommitOutcome, Journal, Writes } from '#control-plane/store/journal.ts'
import type { DistantFactory } from './harness.ts'
import { sqliteHarness } from './sqlite-harness.ts'

/** `losses`: fate of the answer to a batch, by its number: null arrives, true is lost after the batch was written, false before. */
type Options = { readonly delayMs?: number; readonly losses?: (batch: number) => boolean | null }

export function createDistantJournal(near: Journal, { delayMs = 30, losses = () => null }: Options = {}) {
  const timers = new Set<NodeJS.Timeout>()
  let batches = 0
  let lost: boolean | null = null
  let isTaken = false
  let isNoticed = false
  const later = (run: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      run()
    }, delayMs)
    timers.add(timer)
  }
  const fenced = (outcome: CommitOutcome) => {
    isNoticed = true
    outcome.fenced()
  }

  function send(writes: Writes, outcome: CommitOutcome, isLost: boolean): void {
    if (isTaken) return fenced(outcome)
    if (!isLost) return near.commit(writes, { ...outcome, written() {}, durable: () => confirm(outcome) })
    const resolve = outcome.unknown()
    const found = (isWritten: boolean) => later(() => resolve(isWritten))
    near.commit(writes, { ...outcome, written() {}, durable: () => found(true), failed: () => found(false), defect: () => found(false) })
  }

  const journal: Journal = {
    ...near,
    allowsEarlyOffers: false,
    readiness: () => (isNoticed ? 'standby' : 'ready'),
    commit(writes, outcome) {
      const loss = lost ?? losses(++batches)
      lost = null
      later(() => {
        if (loss !== false || isTaken) return send(writes, outcome, loss === true)
        const resolve = outcome.unknown()
        later(() => resolve(false))
      })
    },
    async close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      await near.close()
    },
  }
  return {
    journal,
    loseAnswer(isWritten: boolean): void {
      lost = isWritten
    },
    takeOver(): void {
      isTaken = true
    },
  }
}

function confirm(outcome: CommitOutcome): void {
  outcome.written()
  outcome.durable()
}

export const distantHarness =
  (options?: Options): DistantFactory =>
  (t) => {
    const near = sqliteHarness(t)
    let distant: ReturnType<typeof createDistantJournal> | null = null
    return {
      ...near,
      async open() {
        const { journal, state } = await near.open()
        distant = createDistantJournal(journal, options)
        return { journal: distant.journal, state }
      },
      async crash() {
        await distant?.journal.close()
        await near.crash()
      },
      loseAnswer: async (isWritten) => distant?.loseAnswer(isWritten),
      takeOver: async () => distant?.takeOver(),
    }
  }
