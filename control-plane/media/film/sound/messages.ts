// The messages between the studio and a thread that works on the sound of a film.
import type { Clock } from '#shared/runtime/clock.ts'

export type ThreadContext = {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Microseconds of the result so far. */
  readonly progress: (microseconds: number) => void
}
/** One operation at a time; `abort` is for the one that runs. */
export type ToFilmThread = { readonly kind: 'run'; readonly operation: string; readonly work: unknown } | { readonly kind: 'abort' }
export type FromFilmThread =
  | { readonly kind: 'progress'; readonly microseconds: number }
  | { readonly kind: 'done'; readonly result: unknown }
  /** `code` null: an error of the program. */
  | { readonly kind: 'failed'; readonly code: string | null; readonly message: string }
