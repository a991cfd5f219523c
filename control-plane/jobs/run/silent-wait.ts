/** Milliseconds that work waits for a machine before its job says so: pages promise five seconds, and after a start machines need a moment. */
export const SILENT_WAIT_MS = 3_000
