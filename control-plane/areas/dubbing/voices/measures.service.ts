// What is measured of the original speech: in a thread, once for each stretch of it.
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { keyOf } from '../../../jobs/key.ts'
import type { MeasuredSpan, VoiceMeasure } from '../../../media/film/sound/measure.ts'
import type { DubCore } from '../core.ts'
import type { Dub } from '../store/dub.ts'

const VERSION = 1
const Measure = z.object({ levelDb: z.number().nullable(), pitchHz: z.number().nullable() })
const Known = z.object({ spans: z.record(z.string(), Measure) })
export type DubMeasures = ReturnType<typeof createDubMeasures>
type Deps = {
  readonly core: Pick<DubCore, 'files' | 'film'>
  /** Makes the sound of a dub again if it was evicted. */
  readonly requireSound: (dubId: string, signal: AbortSignal) => Promise<void>
}
const nameOf = ({ startUs, endUs, wantsPitch }: MeasuredSpan): string => `${startUs}-${endUs}${wantsPitch ? ' pitch' : ''}`

export const createDubMeasures =
  ({ core: { files, film }, requireSound }: Deps) =>
  /**
   * Of the isolated voice, otherwise of the whole sound, in the order of the spans; none for a dub without sound. Throws what `requireSound` throws,
   * and the reason of the signal.
   */
  async (dub: Dub, spans: readonly MeasuredSpan[], signal: AbortSignal): Promise<readonly VoiceMeasure[]> => {
    if (!dub.sound) return []
    const vocals = dub.vocals !== null && (await files.find(dub.vocals)) ? dub.vocals : null
    const sound = vocals ?? dub.sound.speech
    const key = keyOf({ kind: 'dub.measures', version: VERSION, inputs: [sound], params: {} })
    const row = await files.find(key)
    const known = new Map(Object.entries(row ? Known.parse(JSON.parse(row.detail)).spans : {}))
    await turn()
    const missing = spans.filter((span) => !known.has(nameOf(span)))
    if (missing.length > 0) {
      if (vocals === null) await requireSound(dub.id, signal)
      const made = await film.measure({ sound: files.pathOf(sound), spans: missing }, signal)
      for (const [at, span] of missing.entries()) known.set(nameOf(span), made[at]!)
      // Only what this call needs is kept, so that edits do not pile up; pitches are kept with the choice of the voices.
      const kept = Object.fromEntries(spans.map((span) => [nameOf(span), known.get(nameOf(span))!]))
      files.note(key, { kind: 'levels', maker: dub.id, detail: JSON.stringify({ spans: kept }) }, dub.id)
    }
    await turn()
    return spans.map((span) => known.get(nameOf(span))!)
  }
