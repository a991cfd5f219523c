// Fingerprints of the segments of a dub: equal fingerprints mean that the earlier sound can be used again. Clients keep fingerprints for
// years, so the bytes that are hashed must never change: JSON with sorted keys, a blank after `,` and `:`, characters outside of ASCII
// unescaped, and numbers as floats (`1.0`, `1e-05`).
import { hash } from 'node:crypto'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

type Value = string | number | boolean | null | undefined
/** `id`: null, absent or empty: the segment has no fingerprint. Other fields of a segment do not change its sound. */
export type DubSegment = Readonly<Partial<Record<(typeof FIELDS)[number], Value>>> & { readonly id?: string | number | null | undefined }
/** `lang`: the language of the track. `voiceMatch`: how voices are matched. Null for a client that sends none. */
export type Track = { readonly lang: string | null; readonly voiceMatch: string | null }
export type IncrementalPlan = {
  readonly stale: string[]
  readonly fresh: string[]
  readonly total: number
  readonly fingerprints: Record<string, string>
}

/** Fields that change the sound of a segment. */
export const FIELDS = ['text', 'target_lang', 'profile_id', 'instruct', 'speed', 'direction', 'effect_preset'] as const
const USUAL_PRESET = 'broadcast'
const USUAL_MATCH = 'per_line'
const DIGITS = 16
/** UTF-16 units that are written in one turn, and what each segment adds to them. */
const CHARS_A_TURN = 131_072
const SEGMENT_CHARS = 256

/** Sixteen hexadecimal digits. */
export function fingerprintOf(segment: DubSegment, { lang, voiceMatch }: Track): string {
  const entries: [string, Value][] = FIELDS.map((field) => [field, segment[field] ?? ''])
  const inputs = new Map(entries)
  inputs.set('effect_preset', segment.effect_preset || USUAL_PRESET)
  if (lang) inputs.set('track_lang', lang)
  if (voiceMatch && voiceMatch !== USUAL_MATCH) inputs.set('voice_match', voiceMatch)
  const pairs = [...inputs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => `"${key}": ${written(value)}`)
  return hash('sha1', `{${pairs.join(', ')}}`, 'hex').slice(0, DIGITS)
}

/** Segments that have to be generated again, in turns of the event loop. `stored`: fingerprints of the last generation, by id. */
export async function planSegments(
  segments: readonly DubSegment[],
  stored: Readonly<Record<string, string>>,
  track: Track,
): Promise<IncrementalPlan> {
  const named: { readonly id: string; readonly fingerprint: string }[] = []
  let left = CHARS_A_TURN
  for (const segment of segments) {
    const id = String(segment.id ?? '')
    if (id !== '') named.push({ id, fingerprint: fingerprintOf(segment, track) })
    left -= SEGMENT_CHARS
    for (const field of FIELDS) left -= String(segment[field] ?? '').length
    if (left > 0) continue
    await nextTurn()
    left = CHARS_A_TURN
  }
  const isFresh = ({ id, fingerprint }: (typeof named)[number]) => Object.hasOwn(stored, id) && stored[id] === fingerprint
  return {
    stale: named.filter((one) => !isFresh(one)).map(({ id }) => id),
    fresh: named.filter(isFresh).map(({ id }) => id),
    total: segments.length,
    fingerprints: Object.fromEntries(named.map(({ id, fingerprint }) => [id, fingerprint])),
  }
}

const written = (value: Value): string => (typeof value === 'number' ? float(value) : JSON.stringify(value))

/** The shortest decimal that reads back as the same number, as Python writes it: with `.0` or, from 1e16 and below 1e-4, an exponent. */
export function float(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  const [mantissa = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  if (value !== 0 && (power < -4 || power >= 16)) {
    const digits = String(Math.abs(power)).padStart(2, '0')
    return `${mantissa}e${power < 0 ? '-' : '+'}${digits}`
  }
  // Below 1e-6, JavaScript writes an exponent, but those numbers were handled above; so were those from 1e16.
  const plain = String(value)
  return plain.includes('.') ? plain : `${plain}.0`
}
