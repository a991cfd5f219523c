// One producer and any number of subscribers, which may be slow. The producer never waits: a slow subscriber loses lines, and receives a
// marker if one is defined.
import type { Clock } from './clock.ts'

export type Broadcast<E> = ReturnType<typeof createBroadcast<E>>
type Listener<E> = { readonly wants: (event: E) => boolean; readonly queue: string[]; wake: () => void }

/**
 * `lines`: the queue length per subscriber. `overflow`: a line that replaces a full queue; without it the oldest line is dropped. An idle
 * stream carries a comment every `keepaliveMs`, so that proxies keep it open.
 */
export function createBroadcast<E>({
  clock,
  lines,
  keepaliveMs,
  overflow,
}: {
  readonly clock: Clock
  readonly lines: number
  readonly keepaliveMs: number
  readonly overflow?: () => string
}) {
  const listeners = new Set<Listener<E>>()
  let isOver = false

  function put({ queue, wake }: Listener<E>, line: string): void {
    if (queue.length >= lines) {
      if (overflow) queue.splice(0, queue.length, overflow())
      else queue.shift()
    }
    queue.push(line)
    wake()
  }

  return {
    listeners: () => listeners.size,
    publish(event: E, line: string): void {
      for (const listener of listeners) if (listener.wants(event)) put(listener, line)
    },
    /** Subscribes now, not at the first pull, so that no event in between is missed. Ends when the signal aborts. */
    subscribe(first: readonly string[], wants: (event: E) => boolean, signal: AbortSignal): AsyncGenerator<string> {
      const listener: Listener<E> = { wants, queue: [...first], wake: () => {} }
      listeners.add(listener)
      const leave = () => {
        listeners.delete(listener)
        listener.wake()
      }
      signal.addEventListener('abort', leave, { once: true })
      async function* stream(): AsyncGenerator<string> {
        try {
          while (!signal.aborted && !isOver) {
            const line = listener.queue.shift()
            if (line !== undefined) yield line
            else {
              let cancelTimer = () => {}
              await new Promise<void>((resolve) => {
                listener.wake = resolve
                cancelTimer = clock.after(keepaliveMs, () => {
                  listener.queue.push(': keepalive\n\n')
                  resolve()
                })
              })
              cancelTimer()
            }
          }
        } finally {
          leave()
          signal.removeEventListener('abort', leave)
        }
      }
      return stream()
    },
    /** Ends every subscription. */
    end(): void {
      isOver = true
      for (const { wake } of listeners) wake()
    },
  }
}
