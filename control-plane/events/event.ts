// The events of the bus.

/** Kinds that are merged for each object. Other kinds are delivered immediately. */
export const MERGED_KINDS = ['job', 'worker', 'model', 'notice'] as const
export const PLAIN_KINDS = ['generation_history', 'export_history', 'projects', 'profiles', 'dub_history', 'system_error'] as const
export const KINDS = [...PLAIN_KINDS, ...MERGED_KINDS] as const
export type BusKind = (typeof KINDS)[number]

export type BusEvent = {
  readonly kind: BusKind
  /** Absent if the whole collection changed. */
  readonly action?: string
  readonly id?: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Further fields, with their values at delivery. */
  readonly fields: Readonly<Record<string, unknown>>
}
export type Hint = {
  readonly kind: BusKind
  readonly action?: string
  readonly id?: string
  /** Called at delivery, which may be later or never. */
  readonly fields?: () => Readonly<Record<string, unknown>>
  /** Marks an end of the object. A later event does not replace it before delivery. */
  readonly isTerminal?: boolean
}
/** `ping`: no event for 25 seconds. `reset`: events were lost, and every list must be read again. */
export type ReaderEvent = BusEvent | { readonly kind: 'ping' } | { readonly kind: 'reset'; readonly at: number }
