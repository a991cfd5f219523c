// One run for equal requests: a call with the key of a run that has not ended receives the result of that run.

export type SingleFlight<T> = (key: string, run: () => Promise<T>) => Promise<T>

export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>()
  return (key, run) => {
    const earlier = running.get(key)
    if (earlier) return earlier
    const own = run().finally(() => running.delete(key))
    running.set(key, own)
    return own
  }
}
