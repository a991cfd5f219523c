// Measures the original speech: in a thread, once for each stretch of it.

import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub } from '#control-plane/features/dubbing/store/dub.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import type { MeasuredSpan, VoiceMeasure } from '#control-plane/media/film/sound/measure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

const VERSION = 1
type Spans = Readonly<Record<string, VoiceMeasure>>
const isNumberOrNull = (value: unknown) => value === null || typeof value === 'number'
/** A loop, because Zod takes a whole turn of the event loop for thousands of spans. */
const areSpans = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((span) => isNumberOrNull(span?.levelDb) && isNumberOrNull(span?.pitchHz))
const Known = z.object({ spans: z.custom<Spans>(areSpans) })
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
   * Measures of the isolated voice, otherwise of the whole sound, in the order of the spans; none for a dub without sound. Throws what
   * `requireSound` throws, and the reason of the signal.
   */
  async (dub: Dub, spans: readonly MeasuredSpan[], signal: AbortSignal): Promise<readonly VoiceMeasure[]> => {
    if (!dub.sound) return []
    const vocals = dub.vocals !== null && (await files.find(dub.vocals)) ? dub.vocals : null
    const sound = vocals ?? dub.sound.speech
    const key = keyOf({ kind: 'dub.measures', version: VERSION, inputs: [sound], params: {} })
    const row = await files.find(key)
    await nextTurn()
    const stored: unknown = row ? JSON.parse(row.detail) : { spans: {} }
    await nextTurn()
    const known = new Map(Object.entries(Known.parse(stored).spans))
    await nextTurn()
    const names = spans.map(nameOf)
    await nextTurn()
    const missing = [...names.entries()].filter(([, name]) => !known.has(name))
    if (missing.length > 0) {
      if (vocals === null) await requireSound(dub.id, signal)
      const made = await film.measure({ sound: files.pathOf(sound), spans: missing.map(([at]) => spans[at]!) }, signal)
      await nextTurn()
      for (const [at, [, name]] of missing.entries()) known.set(name, made[at]!)
      await nextTurn()
      // Only what this call needs is kept, so that edits do not pile up; pitches are kept with the choice of the voices.
      const kept = Object.fromEntries(names.map((name) => [name, known.get(name)!]))
      await nextTurn()
      const detail = JSON.stringify({ spans: kept })
      await nextTurn()
      files.note(key, { kind: 'levels', maker: dub.id, detail }, dub.id)
      await nextTurn()
    }
    return names.map((name) => known.get(name)!)
  }
