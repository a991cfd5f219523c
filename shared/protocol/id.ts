// Ids of tasks: 16 hex digits that grow with time, so that rows which are written together lie together in every index.
const COUNTER = 0x1_0000

/** `now`: epoch milliseconds. Never the same twice within a process; two processes would have to start in the same millisecond with the same `start`. */
export function createTaskIds(now: () => number, start: number): () => string {
  let last = 0
  let counter = Math.floor(start * COUNTER)
  return () => {
    last = Math.max(last, now())
    counter = (counter + 1) % COUNTER
    // More than 65,536 within a millisecond, or a clock set back: time is lent from the future.
    if (counter === 0) last++
    return last.toString(16).padStart(12, '0') + counter.toString(16).padStart(4, '0')
  }
}
