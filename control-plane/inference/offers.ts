// Offers of the connected machines: an operation of a model of an engine, each as its machine describes it now.

import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { engineRow, unpronouncedLanguage } from '#shared/engines.ts'
import { modelOfOwnId } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseBlend } from '#shared/voices/blend.ts'

export type Offer = {
  readonly workerId: string
  readonly engine: string
  /** '' is the default model of the engine. */
  readonly model: string
  readonly operation: string
  /** The program that runs, such as `flite`. */
  readonly implementation: string
  /** A sentence for users if the machine substitutes another engine for the named one; '' otherwise. */
  readonly stands_in: string
  readonly languages: readonly string[]
  readonly voices: readonly {
    readonly id: string
    readonly name: string
    readonly language: string
    /** Same as in the message of the agent; absent from an older one. */
    readonly default_for?: readonly string[] | undefined
  }[]
  readonly cloning: boolean
  /** SHA-256 of the files of the model; '' or absent if it is unknown. */
  readonly model_digest?: string | undefined
  /** Accepts the parameter `partial` of recognition. */
  readonly continues?: boolean | undefined
  /** Accepts the parameter `stream` of recognition. */
  readonly streams?: boolean | undefined
  /** The alphabet of pronunciations that it takes within a text; '' or absent for none. */
  readonly phones?: Alphabet | '' | undefined
  /** Words with letters of other scripts are left out; empty or absent: none are, or it is unknown. */
  readonly scripts?: readonly string[] | undefined
  readonly supported: boolean
  readonly installed: boolean
  readonly downloaded: boolean
  readonly device: string
  /** Tasks that it runs at once. */
  readonly permits: number
  /** Hz of the default voice; a result has its own rate. */
  readonly sample_rate: number
}
export type Alphabet = 'ipa' | 'cmu'
/** The part of a session that this file needs. */
type Session = { readonly workerId: string; readonly capabilities: () => readonly Omit<Offer, 'workerId'>[] }

/** Every offer of these sessions. Cheap enough to compute for each request, so that an answer is never older than the machines. */
export const offersOf = (sessions: Iterable<Session>): Offer[] =>
  [...sessions].flatMap((session) => session.capabilities().map((capability) => ({ ...capability, workerId: session.workerId })))

/** The offers of the machines that a target allows: 'auto' for all, 'local', or a worker id. */
export const offersAt = (offers: readonly Offer[], target: string): Offer[] =>
  offers.filter(({ workerId }) => target === 'auto' || workerId === target)

/** False for an engine of this program that makes no voices from descriptions, and for a substitute; a separate program may follow them. */
export function followsInstructions({ engine, stands_in }: Pick<Offer, 'engine' | 'stands_in'>): boolean {
  const row = engineRow(engine)
  return stands_in === '' && (row?.designs === true || !['built-in', 'program'].includes(row?.packaging ?? ''))
}

/** True if it can run now: nothing needs to be installed or downloaded. */
export const runs = ({ supported, installed, downloaded }: Offer): boolean => supported && installed && downloaded

/** True if it is the own model of this id, of the engine that it was added for; another engine may read its files, too. */
export const isOwnOffer = ({ engine, model }: Pick<Offer, 'engine' | 'model'>, id: string): boolean =>
  model !== '' && modelOfOwnId(id) === model && engineRow(engine)?.modelsOf === undefined

/** The offers of this machine that can do the operation now. */
export const localOffers = (offers: readonly Offer[], operation: string): Offer[] =>
  offers.filter((offer) => offer.workerId === LOCAL && offer.operation === operation && runs(offer))

/** Throws NOT_READY while the agent of this machine is not connected, after a start or a crash: what it offers is not known then. */
export function requireLocal(offers: readonly Offer[]): void {
  if (!offers.some(({ workerId }) => workerId === LOCAL))
    throw new Failure('NOT_READY', 'The engines of this machine are starting. Try again in a moment.')
}

/** Same as `localOffers`, for lasting decisions: a missing engine is certain only while the agent is connected. Throws NOT_READY before. */
export function requireLocalOffers(offers: readonly Offer[], operation: string): Offer[] {
  requireLocal(offers)
  return localOffers(offers, operation)
}

/** Tasks of an operation that the machines of a target can run at once, with one engine. */
export function tasksAtOnce(
  offers: readonly Offer[],
  { engine, operation, target }: Pick<Offer, 'engine' | 'operation'> & { readonly target: string },
): number {
  const most = new Map<string, number>()
  for (const offer of offersAt(offers, target))
    if (offer.engine === engine && offer.operation === operation && runs(offer))
      most.set(offer.workerId, Math.max(offer.permits, most.get(offer.workerId) ?? 0))
  return [...most.values()].reduce((sum, permits) => sum + permits, 0)
}

/** The alphabet that all of these machines take with an engine, because any of them may speak; null if none, or if they differ. */
export function alphabetOf(offers: readonly Offer[], engine: string): Alphabet | null {
  const able = offers.filter((offer) => offer.engine === engine && offer.operation === 'tts' && runs(offer))
  const first = able[0]?.phones || null
  return able.every(({ phones }) => (phones || null) === first) ? first : null
}

/** The best offer that can run: the named engine before a substitute, a GPU before a CPU. */
export function bestOf(offers: readonly Offer[], engine: string, operation: string): Offer | undefined {
  const candidates = offers.filter((offer) => offer.engine === engine && offer.operation === operation && runs(offer))
  const rank = (offer: Offer) => (offer.stands_in === '' ? 0 : 2) + (offer.device === 'cpu' ? 1 : 0)
  return candidates.toSorted((left, right) => rank(left) - rank(right))[0]
}

/**
 * The voice that speaks when a task names none, as the machine declares it; null if it declares none for this language. `language`: the
 * tag that the task has; null or '' for none.
 */
export function defaultVoiceOf(voices: Offer['voices'], language: string | null): Offer['voices'][number] | null {
  const tag = (language ?? '').toLowerCase().replaceAll('_', '-')
  const tags = [tag === 'auto' ? '' : tag, tag.split('-')[0]!, '*']
  return tags.map((each) => voices.find(({ default_for = [] }) => default_for.includes(each))).find((voice) => voice !== undefined) ?? null
}

type Named = { readonly id: string; readonly name: string }
/** The voice of an engine that a name means: by id, else by id or name in any case, else as a blend of such voices. */
export function findVoice<V extends Named>(engine: string, voices: readonly V[], asked: string): V | Named | undefined {
  const find = (name: string) => {
    const wanted = name.toLowerCase()
    const inAnyCase = (key: 'id' | 'name') => voices.find((voice) => voice[key].toLowerCase() === wanted)
    return voices.find(({ id }) => id === name) ?? inAnyCase('id') ?? inAnyCase('name')
  }
  const found = find(asked)
  if (found || engineRow(engine)?.blends !== true) return found
  const blend = parseBlend(asked, (name) => find(name)?.id)
  return blend ? { id: blend.id, name: blend.id } : undefined
}

/** Throws INVALID_TASK_PARAMS for a voice whose language the engine cannot pronounce, because it must not speak with another one instead. */
export function refuseUnpronounced(engine: string, asked: string): void {
  const language = unpronouncedLanguage(engine, asked)
  if (language === null) return
  throw new Failure(
    'INVALID_TASK_PARAMS',
    `voice: ${asked.slice(0, 64)} speaks ${language}, which ${engineRow(engine)?.name ?? engine} cannot pronounce here. Choose another voice, or another engine for ${language}.`,
  )
}

/** Says which voice spoke instead of one that does not exist; `spoken` undefined: it is not known. */
export const replacedVoice = (asked: string, spoken: string | undefined): string =>
  `There is no voice ${asked.slice(0, 128)}. The default voice ${spoken === undefined ? '' : `${spoken} `}was used.`

/**
 * The same before anything is spoken, for a voice of an engine that was resolved: `preset` was asked for, `sent` goes to the engine. Null if
 * the voice exists.
 */
export const replacedPreset = (
  { preset, sent }: { readonly preset: string | null; readonly sent: string | null | undefined },
  { voices }: Pick<Offer, 'voices'>,
  language: string | null,
): string | null => (preset === null || sent ? null : replacedVoice(preset, defaultVoiceOf(voices, language)?.id))
