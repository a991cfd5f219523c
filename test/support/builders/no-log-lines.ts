import type { LogSource } from '#agent/connection/log-lines.ts'

/** A machine without a log. */
export const noLogLines: LogSource = async function* () {}
