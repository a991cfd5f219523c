// One bus for changes of the studio's objects, with any number of readers. An event names an object and an action; readers fetch the state
// from the routes. Events of kinds that change often are merged to at most four a second for each object.
import type { Clock } from '#shared/runtime/clock.ts'
import { type BusKind, type Hint, MERGED_KINDS } from './event.ts'
import { createReaders } from './readers.ts'

export type Bus = ReturnType<typeof createBus>

const EVERY_MS = 250
const MERGED: ReadonlySet<BusKind> = new Set(MERGED_KINDS)
/** The pending events of one object: at most one, plus terminal ones, which are never replaced. */
type Slot = { waiting: Hint[]; readonly forget: () => void }

export function createBus({ clock }: { readonly clock: Clock }) {
  const readers = createReaders(clock)
  const slots = new Map<string, Slot>()

  function deliver({ kind, action, id, fields }: Hint): void {
    if (readers.count() === 0) return
    readers.deliver({
      kind,
      ...(action !== undefined && { action }),
      ...(id !== undefined && { id }),
      at: clock.now(),
      fields: fields?.() ?? {},
    })
  }

  /** Called at the end of a slot: delivers the next event, or forgets an object without events. */
  function next(key: string): void {
    const [due, ...rest] = slots.get(key)?.waiting ?? []
    slots.delete(key)
    if (!due) return
    open(key, rest)
    deliver(due)
  }

  function open(key: string, waiting: Hint[]): void {
    slots.set(key, { waiting, forget: clock.after(EVERY_MS, () => next(key)) })
  }

  return {
    publish(hint: Hint): void {
      if (!MERGED.has(hint.kind)) return deliver(hint)
      if (readers.count() === 0) return
      const key = `${hint.kind} ${hint.id ?? ''}`
      const slot = slots.get(key)
      if (!slot) {
        open(key, [])
        return deliver(hint)
      }
      if (slot.waiting.at(-1)?.isTerminal !== true) slot.waiting.pop()
      slot.waiting.push(hint)
      if (slot.waiting.length > MAX_WAITING) slot.waiting.shift()
    },
    /** Every event from now on. Ends when the signal aborts. Throws QUEUE_FULL for too many readers. */
    listen: readers.listen,
    readers: readers.count,
    /** Ends every reader when the studio stops. */
    end(): void {
      for (const { forget } of slots.values()) forget()
      slots.clear()
      readers.end()
    },
  }
}

/** Limits the terminal events of an object that ends and restarts many times within a second to the last ones. */
const MAX_WAITING = 4
