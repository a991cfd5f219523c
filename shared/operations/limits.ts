// Types that several operations share. Every list stops at its first wrong elements: a report on each element of a hostile list would be
// larger than the list itself.
import { z } from 'zod'

export const DAY_SECONDS = 86_400
/** Samples of 16 bits in the largest artifact, 1 GiB. */
const MAX_SAMPLES = 2 ** 29
const MAX_PARTS = 10_000

/** Elements that are parsed together. A parser that is called once per element takes twice as long for a long transcript. */
const TOGETHER = 128

/** At most `most` elements of `item`. The count is checked before the elements. */
export function list<Item extends z.ZodType>(item: Item, most: number, least = 0): z.ZodType<z.output<Item>[], z.input<Item>[]> {
  const some = z.array(item)
  const checked = z
    .array(z.unknown())
    .min(least)
    .max(most)
    .transform((elements, context): z.output<Item>[] => {
      const read: z.output<Item>[] = []
      for (let from = 0; from < elements.length; from += TOGETHER) {
        const { success, data, error } = some.safeParse(elements.slice(from, from + TOGETHER))
        if (success) read.push(...data)
        else {
          const { path, message } = error.issues[0]!
          context.addIssue({ code: 'custom', path: [from + Number(path[0]), ...path.slice(1)], message })
          return z.NEVER
        }
      }
      return read
    })
  return checked as unknown as z.ZodType<z.output<Item>[], z.input<Item>[]>
}

export const Seconds = z.number().min(0).max(DAY_SECONDS)
/** Hz. */
export const SampleRate = z.int().min(4_000).max(384_000)
/** Sentences for the user: what was requested and not done, or done differently. */
export const Notices = list(z.string().max(2_000), 100).default([])
/** The device of the work, and the reason if it is not the first choice; only from engines that have a choice. */
export const Placed = {
  device: z.string().max(64).optional(),
  device_reason: z.string().max(2_000).optional(),
}
/** The parts of the output in order, in 16-bit samples of one channel. */
export const Parts = list(z.object({ samples: z.int().min(0).max(MAX_SAMPLES) }), MAX_PARTS)
export const Word = z.object({ start: Seconds, end: Seconds, word: z.string().max(1_000) })
export type Word = z.output<typeof Word>

/** Checks the sums of two fields of audio results: the announced samples are exactly the bytes that arrived. */
export function partsDisagree(parts: z.output<typeof Parts>, expected: number, outputBytes: number): string | null {
  if (parts.length > expected) return `it describes ${parts.length} parts where ${expected} were requested`
  const samples = parts.reduce((sum, part) => sum + part.samples, 0)
  return samples * 2 === outputBytes ? null : `it describes ${samples} samples and came with ${outputBytes} bytes`
}

type Sound = { readonly sample_rate: number; readonly parts: z.output<typeof Parts> }
/** Filters add or leave a little at the ends, and the length of the recording is known in whole seconds. */
const LENGTH_TOLERANCE_SECONDS = 2

/**
 * Reason to reject sound that cannot be made of a recording: another rate than requested, or parts of another length. Null if it may be.
 * `seconds`: length of the recording, rounded up; 0 if unknown.
 */
export function soundDisagrees({ sample_rate: rate, parts }: Sound, wantedRate: number | null, seconds: number): string | null {
  if (wantedRate !== null && rate !== wantedRate) return `its sample rate is ${rate} Hz where ${wantedRate} Hz was requested`
  if (parts.some(({ samples }) => samples !== parts[0]!.samples)) return 'its parts have different lengths'
  const length = (parts[0]?.samples ?? 0) / rate
  if (seconds === 0 || Math.abs(length - seconds) <= LENGTH_TOLERANCE_SECONDS) return null
  return `it has ${length.toFixed(1)} s of sound for a recording of ${seconds} s`
}

type Span = { readonly start: number; readonly end: number }
/** True if each span ends no earlier than it starts, and starts no earlier than the one before it. */
export const isAscending = (spans: readonly Span[]): boolean =>
  spans.every(({ start, end }, index) => end >= start && (index === 0 || start >= spans[index - 1]!.start))
export const ASCENDING = 'must be in the order of their start, and none may end before it starts'
