// How many frames are decoded at once while speech is being made: one at first, so that sound begins soon, then more, because fewer and larger
// decodings cost less. The numbers do not depend on the clock: the same seed must give the same bytes on a slow machine and on a fast one.

const MOST = 8

/** `decoded`: frames of this piece that were decoded already. */
export const batchAfter = (decoded: number): number => (decoded < 1 ? 1 : decoded < 3 ? 2 : decoded < 7 ? 4 : MOST)

/** Collects frames and hands out a batch when it is full. */
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
