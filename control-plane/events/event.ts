// The events of the bus.

/** Merged for each object; every other kind is delivered as it comes. */
export const MERGED_KINDS = ['job', 'worker', 'model', 'notice'] as const
export const PLAIN_KINDS = ['generation_history', 'export_history', 'projects', 'profiles', 'dub_history', 'system_error'] as const
export const KINDS = [...PLAIN_KINDS, ...MERGED_KINDS] as const
export type BusKind = (typeof KINDS)[number]

export type BusEvent = {
  readonly kind: BusKind
  /** Absent: the whole collection has changed. */
  readonly action?: string
  readonly id?: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Further fields, as they are when the event is delivered. */
  readonly fields: Readonly<Record<string, unknown>>
}
export type Hint = {
  readonly kind: BusKind
  readonly action?: string
  readonly id?: string
  /** Called when the event is delivered, which may be later or never. */
  readonly fields?: () => Readonly<Record<string, unknown>>
  /** The last event of this object for now: no later one takes its place before it is delivered. */
  readonly isTerminal?: boolean
}
/** `ping`: nothing has happened for 25 seconds. `reset`: events were lost; every list has to be read again. */
export type ReaderEvent = BusEvent | { readonly kind: 'ping' } | { readonly kind: 'reset'; readonly at: number }
