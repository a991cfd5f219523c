// The translators of this machine: OPUS-MT, M2M100 and Apertium, whichever has the pair of languages; through English when none has it.
import { Failure } from '#shared/protocol/failure.ts'
import { localOffers, type Offer } from '../../../inference/offers.ts'
import type { Inference } from '../../../inference/run.ts'
import { LOCAL } from '../../../workers/worker.store.ts'
import { type TextAnswer, type TextCaller, type TextService, tagParts } from './service.ts'

/** Best first. */
export const LOCAL_ENGINES = ['opus-mt', 'm2m100', 'apertium'] as const
/** One translation, or two with English between them. Each leg has the engines that can do it, best first. */
export type LocalRoute = readonly { readonly source: string; readonly target: string; readonly engines: readonly string[] }[]

const ENGLISH = 'en'
const AT_ONCE = 500
const WITHIN_MS = 900_000
type Deps = { readonly offered: () => readonly Offer[]; readonly inference: Pick<Inference, 'run'> }

/** The engines of this machine with this pair. An engine that lists its pairs as models has no other ones. */
function enginesFor(offers: readonly Offer[], source: string, target: string, wanted: string | null): string[] {
  return LOCAL_ENGINES.filter((engine) => {
    if (wanted !== null && wanted !== engine) return false
    const rows = offers.filter((offer) => offer.engine === engine)
    const pairs = rows.filter(({ model, languages }) => model !== '' && languages.length === 2)
    if (pairs.length > 0) return pairs.some(({ model }) => model === `${source}-${target}` || model.endsWith(`-${source}-${target}`))
    return rows.some(({ languages }) => languages.includes('*') || [source, target].every((code) => languages.includes(code)))
  })
}

/** `wanted`: one engine, or null for any. Null when nothing on this machine translates this pair. Pure. */
export function localRoute(offers: readonly Offer[], from: string, to: string, wanted: string | null): LocalRoute | null {
  const usable = localOffers(offers, 'translate')
  const [source] = tagParts(from)
  const [target] = tagParts(to)
  const direct = enginesFor(usable, source, target, wanted)
  if (direct.length > 0) return [{ source: from, target: to, engines: direct }]
  if (source === ENGLISH || target === ENGLISH) return null
  const first = enginesFor(usable, source, ENGLISH, wanted)
  const second = enginesFor(usable, ENGLISH, target, wanted)
  if (first.length === 0 || second.length === 0) return null
  return [
    { source: from, target: ENGLISH, engines: first },
    { source: ENGLISH, target: to, engines: second },
  ]
}

/** The languages that the translators of this machine read. Those that read any language count as reading English. Pure. */
export const localSources = (offers: readonly Offer[]): string[] => [
  ...new Set(localOffers(offers, 'translate').flatMap(({ languages }) => languages.map((code) => (code === '*' ? ENGLISH : code)))),
]

export function createLocalService({ offered, inference }: Deps, wanted: string | null): TextService {
  /** Throws the failure of the last engine. */
  async function leg(texts: readonly string[], { source, target, engines }: LocalRoute[number], { signal, traceparent }: TextCaller) {
    let last: unknown = null
    const notices: string[] = []
    for (const engine of engines) {
      try {
        const translated: string[] = []
        for (let at = 0; at < texts.length; at += AT_ONCE) {
          const params = { texts: texts.slice(at, at + AT_ONCE), source, target }
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
        return { translated, engine, notices }
      } catch (error) {
        signal.throwIfAborted()
        last = error
        notices.push(`${engine} did not translate ${source} to ${target}: ${Failure.from(error).message}`)
      }
    }
    throw last
  }

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
          const { translated, engine, notices } = await leg(current, part, caller)
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
  `No translator of this machine has the pair ${source}-${target}. Install a model such as Xenova/m2m100_418M (./studio models install Xenova/m2m100_418M), or name a provider with a key.`
