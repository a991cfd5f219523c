// Jobs of the studio, which go on without this page.
import { ApiError, get } from '../lib/api.ts'
import type { Gets } from '../lib/api-types.ts'

export type Job = Gets[`/jobs/${string}`]

const EVERY_MS = 1000

export const isActive = ({ status }: Pick<Job, 'status'>) => status === 'pending' || status === 'running'

const pause = (signal: AbortSignal) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve(null)
    }
    const timer = setTimeout(end, EVERY_MS)
    signal.addEventListener('abort', end)
  })

/**
 * The job when it has ended; `onChange` gets it until then. While the studio is away the last state stays. Throws ApiError when the
 * studio refuses, and the reason of the signal.
 */
export async function untilEnd(id: string, onChange: (job: Job) => void, signal: AbortSignal): Promise<Job> {
  for (;;) {
    signal.throwIfAborted()
    try {
      const job = await get(`/jobs/${encodeURIComponent(id)}`, signal)
      if (!isActive(job)) return job
      onChange(job)
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) throw error
    }
    await pause(signal)
  }
}
