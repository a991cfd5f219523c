// The translators of this machine, and texts sent to them in parts: for lines of films and for transcripts.

import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Offer } from './offers.ts'
import type { Inference } from './run.ts'

/** Best first. */
export const LOCAL_TRANSLATORS = ['opus-mt', 'm2m100', 'apertium'] as const
const AT_ONCE = 500
const WITHIN_MS = 900_000

/** `engines`: those that have the pair, best first, at least one. */
export type TranslationLeg = { readonly source: string; readonly target: string; readonly engines: readonly string[] }
export type TranslatedTexts = { readonly texts: string[]; readonly engine: string; readonly notices: string[] }
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }

/**
 * The engines with this pair of languages, best first. An engine that lists its pairs as models has no other ones. `offers`: of `translate`, of one
 * machine. `wanted`: one engine, or null for any. Pure.
 */
export function translatorsFor(offers: readonly Offer[], source: string, target: string, wanted: string | null): string[] {
  return LOCAL_TRANSLATORS.filter((engine) => {
    if (wanted !== null && wanted !== engine) return false
    const rows = offers.filter((offer) => offer.engine === engine)
    const pairs = rows.filter(({ model, languages }) => model !== '' && languages.length === 2)
    if (pairs.length > 0) return pairs.some(({ model }) => model === `${source}-${target}` || model.endsWith(`-${source}-${target}`))
    return rows.some(({ languages }) => languages.includes('*') || [source, target].every((code) => languages.includes(code)))
  })
}

export const createTranslateHere =
  ({ inference }: { readonly inference: Pick<Inference, 'run'> }) =>
  /** One text for each text. An engine that fails is followed by the next and named in the notices. Throws the failure of the last engine. */
  async (texts: readonly string[], { source, target, engines }: TranslationLeg, caller: Caller): Promise<TranslatedTexts> => {
    let last: unknown = null
    const notices: string[] = []
    for (const engine of engines) {
      try {
        const translated: string[] = []
        for (let at = 0; at < texts.length; at += AT_ONCE) {
          const params = { texts: texts.slice(at, at + AT_ONCE), source, target }
          const { signal, traceparent } = caller
          const request = {
            operation: 'translate',
            engine,
            params,
            target: LOCAL,
            withinMs: WITHIN_MS,
            ephemeral: true,
            traceparent,
          } as const
          const result = await inference.run(request, signal)
          translated.push(...result.texts)
          for (const notice of result.notices) if (!notices.includes(notice)) notices.push(notice)
        }
        return { texts: translated, engine, notices }
      } catch (error) {
        caller.signal.throwIfAborted()
        last = error
        notices.push(`${engine} did not translate ${source} to ${target}: ${Failure.from(error).message}`)
      }
    }
    throw last
  }
