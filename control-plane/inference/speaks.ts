// What a machine must offer to speak a request: machines have different voices and languages of one engine. Pure.
import { parseBlend } from '#shared/voices/blend.ts'
import type { Spoken } from '../tasks/record.ts'
import { LOCAL } from '../workers/worker.store.ts'
import { defaultVoiceOf, findVoice, type Offer, runs } from './offers.ts'
import { isAnyLanguage, offersLanguage, tagCode } from './substitutes.ts'

type Asked = { readonly voice: string | null; readonly language: string | null }

/**
 * The voices that were asked for, where any of these machines has them; else the language, where any of them speaks it. A voice speaks its own
 * language. Undefined when none has either: the engine then refuses the language, or uses its default voice and reports it.
 */
export function spokenBy(engine: string, { voice, language }: Asked, offers: readonly Offer[]): Spoken | undefined {
  const able = offers
    .filter((offer) => offer.engine === engine && offer.operation === 'tts' && runs(offer))
    // A name means a voice of this machine first, whatever another one calls its own.
    .toSorted((one, two) => Number(two.workerId === LOCAL) - Number(one.workerId === LOCAL))
  const found = voice === null ? undefined : able.map((offer) => voiceIn(offer, voice)).find((one) => one !== undefined)
  if (found) return { voices: parseBlend(found.id, (name) => name)?.parts.map((part) => part.voice) ?? [found.id], language: '' }
  if (language === null || isAnyLanguage(language)) return undefined
  const speakers = able.filter((offer) => offersLanguage(offer, language))
  if (speakers.length === 0) return undefined
  const codes = speakers.flatMap(({ languages }) => languages).filter((code) => code !== '*')
  return { voices: [], language: codes.find((code) => offersLanguage({ languages: [code] }, language)) ?? tagCode(language) }
}

/** Without the offers of this engine that lack the voice, where another one has it. */
export function havingVoice(offers: readonly Offer[], engine: string, voice: string | null): Offer[] {
  const voices = spokenBy(engine, { voice, language: null }, offers)?.voices ?? []
  return offers.filter((offer) => offer.engine !== engine || voices.every((id) => offer.voices.some((one) => one.id === id)))
}

/** A model of several speakers stands for its usual one. */
const voiceIn = ({ engine, model, voices }: Offer, name: string) =>
  findVoice(engine, voices, name) ??
  (model !== '' && model.toLowerCase() === name.toLowerCase() ? (defaultVoiceOf(voices, null) ?? undefined) : undefined)
