// Chooses a voice of an engine for each speaker of a film: the nearest in pitch, and another one for each. Pure.

export type PresetVoice = { readonly id: string; readonly name: string }
/** Hz; null while unknown. */
export type FilmSpeaker = { readonly id: string; readonly pitchHz: number | null }

/** Measured with `shared/audio/voice/pitch.ts` over a sentence of six seconds. */
const MEASURED: Readonly<Record<string, number>> = { heart: 196, slt: 166, rms: 102, awb: 127, kal: 88, kal16: 88 }
/** The same voice as another one at a lower rate: after all others. */
const LAST: ReadonlySet<string> = new Set(['kal'])
/** Usual speech. */
const [FEMALE_HZ, MALE_HZ] = [195, 115]
/** Octaves between a speaker and a voice of unknown pitch. */
const UNKNOWN_OCTAVES = 0.5
const LAST_OCTAVES = 4

/** From measurements, otherwise from what the id or the name say; null if they say nothing. */
export function presetPitch({ id, name }: PresetVoice): number | null {
  if (Object.hasOwn(MEASURED, id)) return MEASURED[id]!
  const words = `${id} ${name}`.toLowerCase()
  if (/\b(?:female|woman|girl)\b|^[a-z]f_|^f\d|-f\b/.test(words)) return FEMALE_HZ
  return /\b(?:male|man|boy)\b|^[a-z]m_|^m\d|-m\b/.test(words) ? MALE_HZ : null
}

/**
 * The voice of each speaker, in the order of the speakers. `taken`: voices that other speakers have. A voice is used again only when all are in
 * use. Of equally near ones the first counts. Empty without voices.
 */
export function presetsFor(
  speakers: readonly FilmSpeaker[],
  voices: readonly PresetVoice[],
  taken: readonly string[],
): Map<string, string> {
  const chosen = new Map<string, string>()
  const uses = new Map(voices.map(({ id }) => [id, 0]))
  for (const id of taken) if (uses.has(id)) uses.set(id, uses.get(id)! + 1)
  for (const speaker of speakers) {
    const fewest = [...uses.values()].reduce((least, count) => Math.min(least, count), Number.POSITIVE_INFINITY)
    const free = voices.filter(({ id }) => uses.get(id) === fewest)
    const [first] = free
    if (!first) break
    const best = free.reduce((near, voice) => (distance(speaker, voice) < distance(speaker, near) ? voice : near), first)
    chosen.set(speaker.id, best.id)
    uses.set(best.id, fewest + 1)
  }
  return chosen
}

function distance({ pitchHz }: FilmSpeaker, voice: PresetVoice): number {
  const last = LAST.has(voice.id) ? LAST_OCTAVES : 0
  const own = presetPitch(voice)
  if (pitchHz === null) return last
  return last + (own === null ? UNKNOWN_OCTAVES : Math.abs(Math.log2(own / pitchHz)))
}
