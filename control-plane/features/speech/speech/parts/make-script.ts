// The script of a new take, from its plan and the output of its task. Pure.
import type { GenerateForm } from '../speech.schema.ts'
import type { KeptPart, TakePlan } from '../take.ts'
import { NO_SPEAKER } from '../voice/voicing.ts'
import { type PartSound, scriptParts, type TakeScript } from './take-script.ts'

export type PlannedPart = {
  readonly spoken: string
  readonly pauseMs: number
  readonly seed: number
  /** Its sound, if the part is not spoken again. */
  readonly kept: KeptPart | null
}

/** All parts of a take in order. */
export function partsOf({ params: { segments }, whole }: Pick<TakePlan, 'params' | 'whole'>): PlannedPart[] {
  let next = 0
  const parts = whole ?? segments.map(({ text, pause_after_ms: pauseMs = 0 }) => ({ spoken: text, pauseMs, kept: null }))
  return parts.map((part) => ({ ...part, seed: part.kept?.seed ?? segments[next++]?.seed ?? 0 }))
}

/** SHA-256 of nothing. */
const NO_FILE = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** A file with parts one after the other; null for one without bytes. */
export type MadeFile = { readonly digest: string | null; readonly parts: readonly { readonly samples: number }[] }

/** The place of the sound of each part. */
export function soundsOf(parts: readonly PlannedPart[], files: readonly MadeFile[], silent: ReadonlySet<number>): PartSound[] {
  const made = files.flatMap(({ digest, parts: those }) => {
    let at = 0
    return those.map(({ samples }) => {
      const sound = { digest: digest ?? NO_FILE, at, samples }
      at += 2 * samples
      return sound
    })
  })
  let next = 0
  return parts.map(({ kept }, index) => {
    const { digest, at, samples } = kept ?? made[next++]!
    return { digest, at, samples, silent: silent.has(index) }
  })
}

/** The settings of a form as they were asked for, without the text and without what concerns one request. */
export function askedOf({
  text: _text,
  stream: _stream,
  keep_from: _from,
  ...asked
}: GenerateForm): Omit<GenerateForm, 'text' | 'stream' | 'keep_from'> {
  return asked
}

type Made = {
  readonly sampleRate: number
  /** Samples. */
  readonly crossfade: number
  readonly engine: string
  readonly voice: string | null
  readonly parts: readonly PlannedPart[]
  readonly sounds: readonly PartSound[]
}

/** Undefined for a plan of an earlier version, which has no text. */
export function scriptOf(plan: TakePlan, { sampleRate, crossfade, engine, voice, parts, sounds }: Made): TakeScript | undefined {
  const { script, leadMs, form, reference, speaker = NO_SPEAKER } = plan
  if (!script) return undefined
  const placed = parts.map(({ spoken, pauseMs, seed }, index) => ({
    ...(script.places[index] ?? { from: 0, to: 0 }),
    ...{ spoken, pauseMs, seed, sound: sounds[index]! },
  }))
  return {
    ...{ sampleRate, leadMs, crossfade, engine },
    effects: form.effect_preset,
    speed: plan.params.speed ?? 1,
    language: plan.params.language ?? null,
    asked: askedOf(form),
    voice: speaker.profileId ?? (reference ? '' : (voice ?? '')),
    reference: reference?.sha256 ?? '',
    wasUploaded: script.wasUploaded,
    ...scriptParts(placed),
  }
}
