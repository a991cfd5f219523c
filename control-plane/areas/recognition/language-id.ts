// Which language is spoken, where nobody named one and whoever would listen understands only some and does not tell which: it is identified
// first, and then somebody listens who understands it.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Ask, Recording } from '../../inference/run.ts'
import { type Chosen, findListener, type IsPreferred, type Listener, onThisMachine, tellsLanguage, understands } from './recognisers.ts'

/** What an identifier answers; it may run on another version of this program. */
const Identified = z.object({ language: z.string().regex(/^([a-z]{2})?$/) })
/** How much of a recording is looked at, whatever its length. */
const LOOKED_AT_SECONDS = 30
/** Somebody waits for the words: a machine that is short of memory or busy for longer is not waited for. */
export const PATIENCE_MS = 60_000
const names = new Intl.DisplayNames(['en'], { type: 'language' })

type Wish = { readonly model: string; readonly language: string | null }
/** `language`: '' where it was not asked for or nobody can tell. */
export type ChosenFor = Chosen & { readonly language: string; readonly notice: string | null }

/** Who listens once the language is known; null: nobody here understands it. */
export function whoUnderstands(
  offered: readonly Listener[],
  first: Chosen,
  model: string,
  language: string,
  isPreferred?: IsPreferred,
): Chosen | null {
  if (understands(first.listener, language)) return first
  // Whoever named an engine is given no other one.
  const candidates = first.listener.engine === model ? offered.filter(({ engine }) => engine === model) : offered
  return findListener(candidates, model, language, isPreferred)
}

const nameOf = ({ engine, model }: Listener): string => (model === '' ? engine : `${engine} (${model})`)

/** What is missing for it, or went wrong with it, takes nothing from what is heard: the first choice listens then. */
export const createSpoken =
  ({ offered, ask }: { readonly offered: () => readonly Listener[]; readonly ask: Ask }) =>
  async (
    first: Chosen,
    { model, language: named }: Wish,
    isPreferred: IsPreferred,
    beginning: () => Promise<Recording>,
  ): Promise<ChosenFor> => {
    const unasked = { ...first, language: '', notice: null }
    if (named !== null || tellsLanguage(first.listener)) return unasked
    const [identifier] = onThisMachine(offered(), 'identify')
    if (!identifier) return unasked
    const whole = await beginning()
    const recording = { ...whole, seconds: Math.min(whole.seconds, LOOKED_AT_SECONDS) }
    try {
      const { language } = Identified.parse(await ask(identifier, 'identify', {}, recording))
      if (language === '') return unasked
      const able = whoUnderstands(offered(), first, model, language, isPreferred)
      if (able) return { ...able, language, notice: null }
      const notice = `The recording seems to be in ${names.of(language)} (${language}), which ${nameOf(first.listener)} does not know.`
      return { ...first, language, notice }
    } catch (error) {
      recording.signal.throwIfAborted()
      return { ...unasked, notice: `Which language is spoken is not told: ${identifier.engine} failed (${Failure.from(error).code}).` }
    }
  }
