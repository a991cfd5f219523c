// Sizes of decoder batches while speech is generated: one frame at first, so that sound starts early, then more, because larger batches
// cost less. The sizes do not depend on the clock, because the same seed must give the same bytes on every machine.

const MAX_BATCH_FRAMES = 8

/** Frames in the next batch. `decoded`: frames of this piece so far. */
export const batchAfter = (decoded: number): number => (decoded < 1 ? 1 : decoded < 3 ? 2 : decoded < 7 ? 4 : MAX_BATCH_FRAMES)

/** Collects frames and returns a batch when it is full. */
export function batches<T>(): { readonly add: (frame: T) => T[] | null; readonly rest: () => T[] } {
  let waiting: T[] = []
  let decoded = 0
  const all = (): T[] => {
    const batch = waiting
    waiting = []
    decoded += batch.length
    return batch
  }
  return {
    add(frame) {
      waiting.push(frame)
      return waiting.length >= batchAfter(decoded) ? all() : null
    },
    rest: all,
  }
}
