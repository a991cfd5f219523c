// Amounts that the limits of a person bound.

/** Upper bounds for one task before it runs. */
export type TaskEstimate = { readonly soundMs: number; readonly gpuMs: number; readonly bytes: number }
/** Amounts that one task took. */
export type Spent = { readonly soundMs: number; readonly gpuMs: number }

/** The local day of a moment (YYYY-MM-DD), its month (YYYY-MM), and when the next ones begin, in epoch ms. */
export type Period = { readonly day: string; readonly month: string; readonly nextDayAt: number; readonly nextMonthAt: number }

export const MINUTE_MS = 60_000
