// The plan that a voice track was assembled from, as its row keeps it: enough to fit it again into another time line without speaking it
// again.

import { z } from 'zod'
import type { PlacedTake } from '#control-plane/media/film/mix/plan.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { FitOptions, FitPlan, FittedLine } from '#shared/timing/fit.ts'
import type { FitLine } from '#shared/timing/slots.ts'
import { TIMING_STRATEGIES } from '../dub.ts'

const Us = z.int()
/** A value that the planner of this version returned or took: its other fields are not checked again. */
const stored = <T>(needed: Readonly<Record<string, 'number' | 'string'>>) =>
  z.custom<T>((value) => Object.entries(needed).every(([name, type]) => typeof (value as Record<string, unknown> | null)?.[name] === type))
const Fitted = stored<FittedLine>({ id: 'string', startUs: 'number', lengthUs: 'number', rate: 'number' })
const Line = stored<FitLine>({ id: 'string', startUs: 'number', endUs: 'number', naturalUs: 'number' })
const Options = stored<FitOptions>({ strategy: 'string', mediaUs: 'number' })
const TakeSound = z.object({
  /** The name of its file in the store of dubs, with effects: s16le mono. */
  digest: z.string(),
  sampleRate: z.int().positive(),
  offsetBytes: z.int().min(0),
  samples: z.int().min(0),
  /** Samples without the silence at its head and tail. */
  part: z.object({ from: z.int(), to: z.int() }).nullable(),
})
const StoredTake = TakeSound.extend({
  id: z.string(),
  gainDb: z.number(),
  /** The line again, spoken in about the length that it has in this plan. */
  fitted: TakeSound.optional(),
})
export type StoredTake = z.output<typeof StoredTake>

/** The plan of `fitLines`, what it was made from, and the take of each line that is heard. */
export const TrackPlan = z.object({
  strategy: z.enum(TIMING_STRATEGIES),
  lines: z.array(Fitted),
  pieces: z.array(z.object({ startUs: Us, endUs: Us, slope: z.number() })),
  totalUs: Us,
  input: z.object({ lines: z.array(Line), options: Options }),
  takes: z.array(StoredTake),
})
export type TrackPlan = z.output<typeof TrackPlan>

const LISTS = { lines: z.array(Fitted), takes: z.array(StoredTake), inputs: z.array(Line) }
const LINES_A_TURN = 200

/** Null for a plan of another form. In several turns of the event loop, because a film of hours has thousands of lines. */
export async function planOfParts(plan: unknown): Promise<TrackPlan | null> {
  const given = plan as Partial<TrackPlan> | null
  if (!Array.isArray(given?.lines) || !Array.isArray(given.takes) || !Array.isArray(given.input?.lines)) return null
  const head = TrackPlan.safeParse({ ...given, lines: [], takes: [], input: { ...given.input, lines: [] } }).data
  const lines = await listOf(LISTS.lines, given.lines)
  const takes = await listOf(LISTS.takes, given.takes)
  const inputs = await listOf(LISTS.inputs, given.input.lines)
  return head && lines && takes && inputs ? { ...head, lines, takes, input: { ...head.input, lines: inputs } } : null
}
async function listOf<T>(schema: z.ZodType<T[]>, list: readonly unknown[]): Promise<T[] | null> {
  const all: T[] = []
  for (let from = 0; from < list.length; from += LINES_A_TURN) {
    await nextTurn()
    const { data } = schema.safeParse(list.slice(from, from + LINES_A_TURN))
    if (!data) return null
    all.push(...data)
  }
  return all
}

/** The takes where the lines of a plan have them. Lines without a take are silent. `pathOf`: of a file by its name. */
export function placedTakes(
  { lines, takes }: Pick<TrackPlan, 'takes'> & Pick<FitPlan, 'lines'>,
  pathOf: (digest: string) => string,
): PlacedTake[] {
  const byId = new Map(takes.map((take) => [take.id, take]))
  return lines.flatMap((line) => {
    const { id, startUs, lengthUs } = line
    const take = byId.get(id)
    if (!take || lengthUs === 0) return []
    const { sound, tempo } = soundFor(take, line)
    const { digest, sampleRate, offsetBytes, samples, part } = sound
    return [{ take: { path: pathOf(digest), sampleRate, offsetBytes, samples }, part, startUs, tempo, lengthUs, gainDb: take.gainDb }]
  })
}

/** The natural take, or the fitted one where that needs less change of tempo. Rates of lines count from the natural one. */
function soundFor(take: StoredTake, { rate, naturalUs }: Pick<FittedLine, 'rate' | 'naturalUs'>) {
  const natural = { sound: take, tempo: rate }
  const { fitted } = take
  if (!fitted?.part || naturalUs === 0) return natural
  const fittedUs = ((fitted.part.to - fitted.part.from) * 1e6) / fitted.sampleRate
  const tempo = fittedUs / (naturalUs / rate)
  return Math.abs(Math.log(tempo)) < Math.abs(Math.log(rate)) ? { sound: fitted, tempo } : natural
}
