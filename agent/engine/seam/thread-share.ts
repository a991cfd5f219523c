// One thread that several runs share piece by piece. The run that has used it least is next, and a new one counts as having used it as little as
// any other: so a short run waits for one piece of the others at most, and none starves.
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

/** Runs `work`, which blocks the thread, when it is the turn of the run. `cost`: how much it uses the thread, in any unit. */
export type Piece = <T>(cost: number, work: () => T) => Promise<T>
type Run = { used: number }
/**
 * Turns of the event loop between two pieces: messages arrive, such as a cancel; a run that has just begun reports that before its first piece, and
 * one that has made its last piece reports its result. Each takes a few turns, in which nothing else is done.
 */
const TURNS_BETWEEN = 16
type Waiting = { readonly run: Run; readonly begin: () => void }

export function createThreadShare() {
  const runs = new Set<Run>()
  const waiting = new Set<Waiting>()
  let isChoosing = false

  async function choose(): Promise<void> {
    if (isChoosing || waiting.size === 0) return
    isChoosing = true
    for (let turns = 0; turns < TURNS_BETWEEN; turns++) await nextTurn()
    isChoosing = false
    // Of equal ones the last: it has just begun, or has waited for its client.
    const next = [...waiting].reduce((least, one) => (one.run.used <= least.run.used ? one : least))
    waiting.delete(next)
    next.begin()
  }

  return {
    /** Joins one run, which leaves at its end. */
    join(): { readonly piece: Piece; readonly leave: () => void } {
      const run: Run = { used: runs.size === 0 ? 0 : Math.min(...[...runs].map(({ used }) => used)) }
      runs.add(run)
      return {
        async piece(cost, work) {
          await new Promise<void>((begin) => {
            waiting.add({ run, begin })
            void choose()
          })
          run.used += cost
          try {
            return work()
          } finally {
            void choose()
          }
        },
        leave: () => void runs.delete(run),
      }
    },
  }
}
