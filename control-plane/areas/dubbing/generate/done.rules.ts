// The last event of a generation. Pure.
import type { JobFrame } from '../../../jobs/job-type.ts'
import type { Json } from '../../../jobs/key.ts'

/** Below the limit of an event, which is 256 KiB. */
const MOST_CHARS = 240 * 1024
/** What is left out of an event that would be too large, in this order. The history of dubs has the fingerprints. */
const DISPENSABLE = ['fit_status', 'seg_num_step', 'seg_hashes', 'sync_scores'] as const

export function dubDoneFrame(result: { readonly [name: string]: Json | undefined }): JobFrame {
  const frame: Record<string, Json | undefined> = { ...result }
  const omitted: string[] = []
  let chars = JSON.stringify(frame).length
  for (const name of DISPENSABLE) {
    if (chars <= MOST_CHARS) break
    chars -= JSON.stringify(frame[name] ?? '').length
    delete frame[name]
    omitted.push(name)
  }
  return { ...frame, ...(omitted.length > 0 && { omitted }), type: 'done' }
}
