// Runs asynchronous changes one at a time, in order. A failed change does not stop the next one.
export function createSerialQueue(): <T>(change: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const result = last.then(change, change)
    last = result.catch(() => {})
    return result
  }
}
