// The translators of this machine: OPUS-MT, M2M100 and Apertium, whichever has the pair of languages; through English when none has it.

import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { createTranslateHere, type TranslationLeg, translatorsFor } from '#control-plane/inference/translators.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { type TextAnswer, type TextService, tagParts } from './service.ts'

/** One translation, or two with English between them. */
export type LocalRoute = readonly TranslationLeg[]

const ENGLISH = 'en'
type Deps = { readonly offered: () => readonly Offer[]; readonly inference: Pick<Inference, 'run'> }

/** `wanted`: one engine, or null for any. Null when nothing on this machine translates this pair. Throws NOT_READY while its engines start. Pure. */
export function localRoute(offers: readonly Offer[], from: string, to: string, wanted: string | null): LocalRoute | null {
  const usable = requireLocalOffers(offers, 'translate')
  const [source] = tagParts(from)
  const [target] = tagParts(to)
  const direct = translatorsFor(usable, source, target, wanted)
  if (direct.length > 0) return [{ source: from, target: to, engines: direct }]
  if (source === ENGLISH || target === ENGLISH) return null
  const first = translatorsFor(usable, source, ENGLISH, wanted)
  const second = translatorsFor(usable, ENGLISH, target, wanted)
  if (first.length === 0 || second.length === 0) return null
  return [
    { source: from, target: ENGLISH, engines: first },
    { source: ENGLISH, target: to, engines: second },
  ]
}

/** The languages that the translators of this machine read. Those that read any language count as reading English. Throws NOT_READY. Pure. */
export const localSources = (offers: readonly Offer[]): string[] => [
  ...new Set(requireLocalOffers(offers, 'translate').flatMap(({ languages }) => languages.map((code) => (code === '*' ? ENGLISH : code)))),
]

export function createLocalService({ offered, inference }: Deps, wanted: string | null): TextService {
  const translateHere = createTranslateHere({ inference })
  return {
    id: 'local',
    async translate({ texts, source, target }, caller) {
      const route = localRoute(offered(), source, target, wanted)
      if (route === null) return { answers: texts.map(() => ({ error: noPair(source, target) })), notices: [] }
      const used: string[] = []
      const remarks: string[] = []
      let current: readonly string[] = texts
      try {
        for (const part of route) {
          const { texts: translated, engine, notices } = await translateHere(current, part, caller)
          current = translated
          remarks.push(...notices)
          used.push(engine)
        }
      } catch (error) {
        const { message } = Failure.from(error)
        return { answers: texts.map((): TextAnswer => ({ error: message })), notices: [] }
      }
      const notices =
        route.length > 1
          ? [
              `The lines were translated through English (${used.join(', ')}), because no translator of this machine has the pair ${source}-${target}.`,
            ]
          : []
      return {
        answers: current.map(
          (text): TextAnswer => (text.trim() === '' ? { error: `${used.at(-1)} returned no text for this line.` } : { text }),
        ),
        notices: [...notices, ...remarks],
      }
    },
  }
}

export const noPair = (source: string, target: string): string =>
  `No translator of this machine has the pair ${source}-${target}. Install a model such as Xenova/m2m100_418M (${COMMAND} models install Xenova/m2m100_418M), or name a provider with a key.`
