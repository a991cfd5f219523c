// Task ids: 16 hex digits that grow with time, so that rows written together are adjacent in every index.
const COUNTER = 0x1_0000

/** `now`: epoch milliseconds. Unique within a process; two processes collide only if they start in the same millisecond with the same `start`. */
export function createTaskIds(now: () => number, start: number): () => string {
  let last = 0
  let counter = Math.floor(start * COUNTER)
  return () => {
    last = Math.max(last, now())
    counter = (counter + 1) % COUNTER
    // More than 65,536 ids in a millisecond, or a clock that was set back: use the next millisecond.
    if (counter === 0) last++
    return last.toString(16).padStart(12, '0') + counter.toString(16).padStart(4, '0')
  }
}
