// The voices and the recogniser of the studio, in the form that clients of the Wyoming protocol read.
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { VoicesApi } from '#control-plane/features/voices/profiles/api.ts'
import { type Offer, runs } from '#control-plane/inference/offers.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type DescribeDeps = {
  readonly engines: Pick<EnginesApi, 'tts'>
  readonly recognition: Pick<RecognitionApi, 'recogniserOf'>
  readonly voices: Pick<VoicesApi, 'list'>
  readonly offered: () => readonly Offer[]
  readonly version: string
}

const MOST_VOICES = 500
/** Named by engines that do not list their languages: clients offer only what is listed. */
const MANY = (
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms ne nl no pl pt ro ru sk sl sr sv ' +
  'sw ta th tl tr uk ur vi zh'
).split(' ')
const ATTRIBUTION = { name: 'Voice Studio', url: '' }

const isAny = (language: string): boolean => ['', 'auto', '*'].includes(language.toLowerCase())
const listed = (languages: readonly string[]): string[] => {
  const named = [...new Set(languages)].filter((language) => !isAny(language))
  return languages.some(isAny) || named.length === 0 ? [...new Set([...MANY, ...named])] : named
}

/** Throws NOT_READY while no machine is connected: a client stores what it was told first. */
export function describeStudio({ engines, recognition, voices, offered, version }: DescribeDeps): Readonly<Record<string, unknown>> {
  const offers = offered()
  if (offers.length === 0) throw new Failure('NOT_READY', 'The engines of this machine are starting. Try again in a moment.')
  const artifact = (name: string, description: string) => ({ name, description, attribution: ATTRIBUTION, installed: true, version })

  const recogniser = recognition.recogniserOf(null)
  const recognised = offers
    .filter(({ engine, operation }) => engine === recogniser?.engine && operation === 'asr')
    .flatMap(({ languages }) => languages)
  const asr = recogniser && {
    ...artifact('voice-studio', 'Voice Studio'),
    models: [{ ...artifact(recogniser.engine, 'The recogniser that is selected in the studio'), languages: listed(recognised) }],
    supports_transcript_streaming: false,
  }

  const { active, backends } = engines.tts()
  const speaking = backends.find(({ id, available }) => id === active && available) ?? backends.find(({ available }) => available)
  const spoken = offers
    .filter((offer) => offer.engine === speaking?.id && offer.operation === 'tts' && runs(offer))
    .flatMap(({ languages }) => languages)
  const saved = speaking?.supports_cloning ? voices.list() : []
  const named = [
    { id: 'default', name: 'Default voice', language: '' },
    ...saved.map(({ id, name, language }) => ({ id, name, language })),
    ...(speaking?.voices ?? []),
  ].slice(0, MOST_VOICES)
  const tts = speaking && {
    ...artifact('voice-studio', 'Voice Studio'),
    voices: named.map(({ id, name, language }) => ({ ...artifact(id, name), languages: isAny(language) ? listed(spoken) : [language] })),
    supports_synthesize_streaming: true,
  }
  const none: readonly unknown[] = []
  return { asr: asr ? [asr] : none, tts: tts ? [tts] : none, handle: none, intent: none, wake: none, mic: none, snd: none }
}
