// The figures that bound connections, derived from the number of files that this process may open.

export type ConnectionLimits = {
  readonly total: number
  /** Per IPv4 address, or per /64 network of IPv6. */
  readonly perAddress: number
  /** Time for the headers of a request, from the first byte or from the connection. */
  readonly headersMs: number
  /** Milliseconds between two searches for late headers. */
  readonly headersCheckMs: number
  /** Time for a body, and a second more for every `bodyBytesPerSecond` that arrived. */
  readonly bodyMs: number
  readonly bodyBytesPerSecond: number
  /** Time for a whole request, and a second more for every `fastBytesPerSecond` that arrived: films take hours. */
  readonly requestMs: number
  readonly fastBytesPerSecond: number
}

const MOST = 1_000
const LEAST = 16
/** Open files if the system reports no limit. */
const USUAL_OPEN_FILES = 1_024

/** A quarter of the files for connections. Each may open another one, and the rest is for the agent port and the disk. */
export function connectionLimits(openFiles: number | null): ConnectionLimits {
  const total = Math.max(LEAST, Math.min(MOST, Math.floor((openFiles ?? USUAL_OPEN_FILES) / 4)))
  return {
    total,
    // Half, because all clients of a reverse proxy have one address.
    perAddress: Math.ceil(total / 2),
    headersMs: 10_000,
    headersCheckMs: 1_000,
    bodyMs: 20_000,
    bodyBytesPerSecond: 1024, // below the rate of speech that is recorded while it is sent
    requestMs: 600_000,
    fastBytesPerSecond: 1024 ** 2,
  }
}

/** Limit of this process's open files; null if the system reports none. */
export function openFileLimit(): number | null {
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report
  report.excludeNetwork = true // it would look up the names of the peers
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
  const limit = userLimits?.open_files?.soft
  return typeof limit === 'number' ? limit : null
}
