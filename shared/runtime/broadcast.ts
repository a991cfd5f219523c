// One producer, many listeners who come and go and may be slow. Nothing waits for a listener: one that falls behind loses lines, and is
// told so if there is a word for it.
import type { Clock } from './clock.ts'

export type Broadcast<E> = ReturnType<typeof createBroadcast<E>>
type Listener<E> = { readonly wants: (event: E) => boolean; readonly queue: string[]; wake: () => void }

/**
 * `lines`: how many may wait for one listener. `overflow`: the line that takes the place of all that waited; without it the oldest is lost.
 * A quiet stream carries a comment every `keepaliveMs`, so that proxies keep it open.
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
    /** From now on, not from the first pull: an event in between is for this listener too. Ends when the signal aborts. */
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
              let forget = () => {}
              await new Promise<void>((resolve) => {
                listener.wake = resolve
                forget = clock.after(keepaliveMs, () => {
                  listener.queue.push(': keepalive\n\n')
                  resolve()
                })
              })
              forget()
            }
          }
        } finally {
          leave()
          signal.removeEventListener('abort', leave)
        }
      }
      return stream()
    },
    /** Whoever listens is done. */
    end(): void {
      isOver = true
      for (const { wake } of listeners) wake()
    },
  }
}
