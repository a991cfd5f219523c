// The last event of a generation. Pure.
import type { MadeTrack } from './assembling.ts'
import type { GenerateDone } from './generate-events.schema.ts'

/** Below the limit of an event, which is 256 KiB. */
const MAX_CHARS = 240 * 1024
/** Quotes, colon and comma of a field. */
const AROUND_CHARS = 4
/** Fields left out of an event that would be too large, in this order. The history of dubs has the fingerprints. */
const DISPENSABLE = ['fit_status', 'seg_num_step', 'seg_hashes', 'sync_scores'] as const

export function dubDoneFrame(result: MadeTrack): GenerateDone {
  const frame: Omit<GenerateDone, 'type'> = { ...result }
  const omitted: (typeof DISPENSABLE)[number][] = []
  // Each field is written once: together they have a megabyte for a film of hours.
  const sizes = new Map(Object.entries(frame).map(([name, field]) => [name, field === undefined ? 0 : JSON.stringify(field).length]))
  let chars = [...sizes].reduce((sum, [name, size]) => sum + name.length + size + AROUND_CHARS, 0)
  for (const name of DISPENSABLE) {
    if (chars <= MAX_CHARS) break
    chars -= sizes.get(name) ?? 0
    delete frame[name]
    omitted.push(name)
  }
  return { ...frame, ...(omitted.length > 0 && { omitted }), type: 'done' }
}
