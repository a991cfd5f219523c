/**
 * The results of `work` for all items, in their order. `atOnce` of them run at the same time. When one fails, the signal of the others is aborted, no
 * further one begins, and the error is thrown once they have ended. Throws the reason of `signal`.
 */
export async function inParallel<T, R>(
  items: Iterable<T>,
  { atOnce, signal }: { readonly atOnce: number; readonly signal: AbortSignal },
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const failed = new AbortController()
  const own = AbortSignal.any([signal, failed.signal])
  const queue = items[Symbol.iterator]()
  let next = 0
  const lane = async (): Promise<void> => {
    for (;;) {
      own.throwIfAborted()
      const { done, value } = queue.next()
      if (done) return
      const at = next++
      results[at] = await work(value, own)
    }
  }
  const stop = (error: unknown) => failed.abort(error)
  await Promise.all(Array.from({ length: atOnce }, () => lane().catch(stop)))
  own.throwIfAborted()
  return results
}
