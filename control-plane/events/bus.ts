// What changes in the studio, as hints for the pages that show it: one bus, any number of readers. An event names an object and what happened
// to it; the routes are where its state is read. Events of kinds that change often are merged, at most four a second for each object.
import type { Clock } from '#shared/runtime/clock.ts'
import { type BusKind, type Hint, MERGED_KINDS } from './event.ts'
import { createReaders } from './readers.ts'

export type Bus = ReturnType<typeof createBus>

const EVERY_MS = 250
const MERGED: ReadonlySet<BusKind> = new Set(MERGED_KINDS)
/** The events of one object that wait for their turn: at most one, except that a terminal one is not replaced. */
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

  /** The object has been quiet for a slot, or its next event is due. */
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
      if (slot.waiting.length > MOST_WAITING) slot.waiting.shift()
    },
    /** Every event from now on. Ends when the signal aborts. Throws QUEUE_FULL when too many listen. */
    listen: readers.listen,
    readers: readers.count,
    /** The studio stops: every reader ends. */
    end(): void {
      for (const { forget } of slots.values()) forget()
      slots.clear()
      readers.end()
    },
  }
}

/** An object that ends and begins again many times within a second keeps its last ends only. */
const MOST_WAITING = 4
