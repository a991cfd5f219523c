// What changes in the studio, as hints for whoever shows it: one bus, any number of readers. An event names an object and what happened
// to it; the routes are where its state is read. Events of kinds that change often are merged, at most four a second for each object.
import type { Clock } from '#shared/runtime/clock.ts'
import { createReaders } from './readers.ts'

/** Merged for each object; every other kind is delivered as it comes. */
export const MERGED_KINDS = ['job', 'worker', 'model', 'notice'] as const
export const PLAIN_KINDS = ['generation_history', 'export_history', 'projects', 'profiles', 'dub_history', 'system_error'] as const
export const KINDS = [...PLAIN_KINDS, ...MERGED_KINDS] as const
export type Kind = (typeof KINDS)[number]

export type BusEvent = {
  readonly kind: Kind
  /** Absent: the whole collection has changed. */
  readonly action?: string
  readonly id?: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Further fields, as they are when the event is delivered. */
  readonly data: Readonly<Record<string, unknown>>
}
export type Notice = {
  readonly kind: Kind
  readonly action?: string
  readonly id?: string
  /** Called when the event is delivered, which may be later or never. */
  readonly data?: () => Readonly<Record<string, unknown>>
  /** The last event of this object for now: no later one takes its place before it is delivered. */
  readonly isTerminal?: boolean
}
export type Bus = ReturnType<typeof createBus>

const EVERY_MS = 250
const MERGED: ReadonlySet<Kind> = new Set(MERGED_KINDS)
/** The events of one object that wait for their turn: at most one, except that a terminal one is not replaced. */
type Slot = { waiting: Notice[]; readonly forget: () => void }

export function createBus({ clock }: { readonly clock: Clock }) {
  const readers = createReaders(clock)
  const slots = new Map<string, Slot>()

  function deliver({ kind, action, id, data }: Notice): void {
    if (readers.count() === 0) return
    readers.deliver({
      kind,
      ...(action !== undefined && { action }),
      ...(id !== undefined && { id }),
      at: clock.now(),
      data: data?.() ?? {},
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

  function open(key: string, waiting: Notice[]): void {
    slots.set(key, { waiting, forget: clock.after(EVERY_MS, () => next(key)) })
  }

  return {
    publish(notice: Notice): void {
      if (!MERGED.has(notice.kind)) return deliver(notice)
      if (readers.count() === 0) return
      const key = `${notice.kind} ${notice.id ?? ''}`
      const slot = slots.get(key)
      if (!slot) {
        open(key, [])
        return deliver(notice)
      }
      if (slot.waiting.at(-1)?.isTerminal !== true) slot.waiting.pop()
      slot.waiting.push(notice)
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
