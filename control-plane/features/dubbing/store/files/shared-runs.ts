// Runs that several callers wait for. A run is aborted when the last of them has left.

type Entry<T> = { readonly result: Promise<T>; readonly abort: AbortController; callers: number }

export function createSharedRuns<T>() {
  const running = new Map<string, Entry<T>>()

  function start(key: string, make: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const abort = new AbortController()
    const result = make(abort.signal).finally(() => running.delete(key))
    // All callers may have left when it fails.
    result.catch(() => {})
    const entry: Entry<T> = { result, abort, callers: 0 }
    running.set(key, entry)
    return entry
  }

  return {
    /**
     * Rejects with what `make` throws, or with the reason of `signal` when this caller leaves; the last one to leave waits until the run has
     * ended.
     */
    async join(key: string, make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted()
      for (let ending = running.get(key); ending?.abort.signal.aborted; ending = running.get(key)) await ending.result.catch(() => {})
      signal.throwIfAborted()
      const entry = running.get(key) ?? start(key, make)
      entry.callers++
      return await new Promise<T>((resolve, reject) => {
        const leave = () => {
          if (--entry.callers > 0) return reject(signal.reason)
          entry.abort.abort(signal.reason)
          void entry.result.catch(() => {}).then(() => reject(signal.reason))
        }
        signal.addEventListener('abort', leave, { once: true })
        entry.result.then(resolve, reject).finally(() => {
          if (!signal.aborted) entry.callers--
          signal.removeEventListener('abort', leave)
        })
      })
    },
  }
}
