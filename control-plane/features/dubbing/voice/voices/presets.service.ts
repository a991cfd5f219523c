// The voices of an engine for the speakers of a film, chosen once: later generations and previews keep them.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub } from '#control-plane/features/dubbing/store/dub.ts'
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'
import type { MeasuredSpan } from '#control-plane/media/film/sound/measure.ts'
import type { DubMeasures } from './measures.service.ts'
import { type PresetVoice, presetsFor } from './presets.rules.ts'

/** Speech that is measured of each speaker. */
const MEASURED_US = 30_000_000
const MEASURED_LINES = 12
export type PresetRequest = {
  readonly engine: string
  readonly language: string
  /** Voices of the engine in this language. */
  readonly voices: readonly PresetVoice[]
  /** Speakers without a voice of their own, in the order in which they appear. */
  readonly speakers: readonly string[]
}
export type DubPresets = ReturnType<typeof createDubPresets>
type Deps = { readonly core: Pick<DubCore, 'store'>; readonly measures: DubMeasures }

export function createDubPresets({ core: { store }, measures }: Deps) {
  /** The median pitch of each speaker in Hz; null if nothing was found. */
  async function pitchesOf(dub: Dub, speakers: readonly string[], signal: AbortSignal): Promise<(number | null)[]> {
    const lines = store.segments.list(dub.id)
    const spans = speakers.map((speaker) => longest(lines.filter(({ speakerId }) => speakerId === speaker)))
    // A film whose sound is gone has voices all the same.
    const found = await measures(dub, spans.flat(), signal).catch(() => {
      signal.throwIfAborted()
      return []
    })
    let at = 0
    return spans.map((own) => {
      const pitches = own.flatMap(() => found[at++]?.pitchHz ?? []).sort((left, right) => left - right)
      return pitches.length === 0 ? null : pitches[Math.floor(pitches.length / 2)]!
    })
  }

  /** The voice of each speaker. Throws STORAGE_FULL, and the reason of the signal. */
  return async (
    dubId: string,
    { engine, language, voices, speakers }: PresetRequest,
    signal: AbortSignal,
  ): Promise<Map<string, string>> => {
    const cast = `${engine} ${language}`
    const exists = (id: string) => voices.some((voice) => voice.id === id)
    const keptOf = (dub: Dub | null) => new Map(Object.entries(dub?.options.cast_presets[cast] ?? {}).filter(([, id]) => exists(id)))
    const dub = store.dubs.find(dubId)
    const without = speakers.filter((speaker) => !keptOf(dub).has(speaker))
    if (!dub || without.length === 0) return keptOf(dub)
    const pitches = await pitchesOf(dub, without, signal)
    // Another generation may have chosen in the meantime.
    const now = store.dubs.find(dubId)
    const kept = keptOf(now)
    const open = without.flatMap((id, at) => (kept.has(id) ? [] : [{ id, pitchHz: pitches[at]! }]))
    const chosen = new Map([...kept, ...presetsFor(open, voices, [...kept.values()])])
    if (now) store.dubs.changeOptions(dubId, { cast_presets: { ...now.options.cast_presets, [cast]: Object.fromEntries(chosen) } })
    return chosen
  }
}

function longest(lines: readonly DubLine[]): MeasuredSpan[] {
  let left = MEASURED_US
  const byLength = lines.toSorted((one, other) => other.endUs - other.startUs - (one.endUs - one.startUs) || one.startUs - other.startUs)
  return byLength.slice(0, MEASURED_LINES).flatMap(({ startUs, endUs }) => {
    if (left <= 0 || endUs <= startUs) return []
    left -= endUs - startUs
    return [{ startUs, endUs, wantsPitch: true }]
  })
}
