// The parts of an earlier take that a new one has in common with it: they are not spoken again.
import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { GenerateForm } from '../speech.schema.ts'
import type { KeptPart, TakePlan } from '../take.ts'
import { askedOf } from './make-script.ts'
import { chosenSound, parsedScript, seedOfSound, type TakeScript } from './take-script.ts'

export type Keeping = ReturnType<typeof createKeeping>
type Deps = { readonly history: Pick<LibraryApi['history'], 'has' | 'scriptOf'>; readonly makers: Pick<Makers, 'requireMaker'> }

export function createKeeping({ history, makers }: Deps) {
  return {
    /**
     * The take that `keep_from` names, if it was made with these settings; null if nothing of it can be kept. Throws NOT_FOUND for one that does
     * not exist, FORBIDDEN for one of another client.
     */
    baseOf(form: GenerateForm, hasUpload: boolean): TakeScript | null {
      const { keep_from: id } = form
      if (!id) return null
      makers.requireMaker('take', id)
      if (!history.has(id)) throw new Failure('NOT_FOUND', 'The take whose parts were to be kept does not exist. Speak all of the text.')
      const stored = history.scriptOf(id)
      const script = stored && parsedScript(stored.script)
      if (!script || script.wasUploaded || hasUpload || form.duration !== null || form.text_format === 'ssml') return null
      return isAskedAlike(script.asked, form) ? script : null
    },
  }
}

/** A seed that is left open fits any. */
function isAskedAlike(asked: Readonly<Record<string, unknown>>, form: GenerateForm): boolean {
  const { seed, ...settings } = askedOf(form)
  return (seed === null || seed === asked['seed']) && Object.entries(settings).every(([name, value]) => (asked[name] ?? null) === value)
}

const keyOf = (spoken: string, pauseMs: number): string => `${pauseMs} ${spoken}`

/** The plan with the parts of `base` that have the same words. At least one part is spoken, because a task makes the take. */
export function withKept(plan: TakePlan, base: TakeScript): TakePlan {
  const { segments } = plan.params
  if ((plan.reference?.sha256 ?? '') !== base.reference) return plan
  const found = new Map<string, KeptPart[]>()
  for (const part of base.parts) {
    const { silent, ...sound } = chosenSound(base, part)
    const key = keyOf(part.spoken, part.pauseMs)
    const kept = { ...sound, seed: seedOfSound(part), rate: base.sampleRate }
    if (!silent) found.set(key, [...(found.get(key) ?? []), kept])
  }
  const parts = segments.map(({ text: spoken, pause_after_ms: pauseMs = 0 }) => ({
    ...{ spoken, pauseMs },
    kept: found.get(keyOf(spoken, pauseMs))?.shift() ?? null,
  }))
  if (parts.every(({ kept }) => kept === null)) return plan
  const whole = parts.every(({ kept }) => kept !== null) ? parts.with(-1, { ...parts.at(-1)!, kept: null }) : parts
  const spoken = segments.filter((_, index) => whole[index]!.kept === null)
  return { ...plan, params: { ...plan.params, segments: spoken }, whole, chunks: spoken.length }
}
