// A voice that can be chosen: its value for the studio, and what the value is called. Pure.

import { strings } from '#messages/shared.ts'
import type { ProfileVoice, SpeechEngines } from '../lib/api-types.ts'

type Backend = SpeechEngines['backends'][number]
export type Voices = { profiles: readonly ProfileVoice[]; engines: readonly Backend[] }
export type VoiceChoice = {
  /** for the studio: a saved voice, a voice with its engine, or '' for none */
  value: string
  name: string
  about: string
  /** tag; '' for any */
  language: string
  /** seed of its picture */
  print: string
  /** null without a sound to hear */
  sample: { engine: string; voice: string } | null
}

/** The sound of a test, which is no voice. */
const TEST_TONE = 'tone'

/** A voice with its engine, as one value. */
export const voiceValue = (engine: string, voice: string) => (engine !== '' && voice !== '' ? `${engine}:${voice}` : voice)

/** Engines with voices that can speak now, those with few voices first. */
export const speaking = (engines: readonly Backend[]) =>
  engines
    .filter(({ available, hint, id, voices }) => available && !hint && id !== TEST_TONE && voices.length > 0)
    .toSorted((one, other) => one.voices.length - other.voices.length)

const tagOf = (language: string) => (['', '*', 'Auto'].includes(language) ? '' : language)

export const savedRow = (one: ProfileVoice): VoiceChoice => ({
  value: one.voice_id,
  name: one.name,
  about: strings.savedVoice,
  language: tagOf(one.language),
  print: one.voice_id,
  sample: { engine: '', voice: one.voice_id },
})
export const builtInRow = (
  { id: engine, display_name: about }: Backend,
  { id, name, language }: Backend['voices'][number],
): VoiceChoice => ({
  value: voiceValue(engine, id),
  name,
  about,
  language: tagOf(language),
  print: id,
  sample: { engine, voice: id },
})

/** Row of a value, which may be the name of a built-in voice without its engine; null if it is none of these voices. */
export function voiceOf({ profiles, engines }: Voices, value: string): VoiceChoice | null {
  const saved = profiles.find(({ voice_id }) => voice_id === value)
  if (saved) return savedRow(saved)
  for (const engine of speaking(engines))
    for (const voice of engine.voices) if (voice.id === value || voiceValue(engine.id, voice.id) === value) return builtInRow(engine, voice)
  return null
}

/** True for the name of a voice in a text that means one of these. */
export const hasVoice = (voices: Voices, name: string) => voiceOf(voices, name) !== null || voices.profiles.some((one) => one.name === name)

/**
 * Fields of a request that names engine and voice apart. `engine`: the one that is chosen so far, which stays where it can speak in a saved
 * voice
 */
export function voiceFields(value: string, engine: string, engines: readonly Backend[]): { engine: string; voice: string } {
  const at = value.indexOf(':')
  const own = at > 0 && engines.find(({ id }) => id === value.slice(0, at))
  if (own) return { engine: own.id, voice: value.slice(at + 1) }
  const clones = value !== '' && engines.find(({ id }) => id === engine)?.supports_cloning === true
  return { engine: clones ? engine : '', voice: value }
}
