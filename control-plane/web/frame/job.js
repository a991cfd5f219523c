// @ts-check
// Jobs of the studio, which go on without this page.
import { ApiError, get } from '../lib/api.js'

/** @import { Gets } from '../lib/api-types.ts' */
/** @typedef {Gets[`/jobs/${string}`]} Job */

const EVERY_MS = 1000

/** @param {Pick<Job, 'status'>} job */
export const isActive = ({ status }) => status === 'pending' || status === 'running'

/** @param {AbortSignal} signal */
const pause = (signal) =>
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
 * The job when it has ended; `onChange` gets it until then. While the studio is away the last state stays. Throws ApiError when the studio
 * refuses, and the reason of the signal.
 * @param {string} id
 * @param {(job: Job) => void} onChange
 * @param {AbortSignal} signal
 * @returns {Promise<Job>}
 */
export async function untilEnd(id, onChange, signal) {
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
