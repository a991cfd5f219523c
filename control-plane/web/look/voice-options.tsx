// The voices of a select, in groups: the saved ones, then those that are built into the engines of the studio.

import { strings } from '#messages/shared.ts'
import type { ProfileVoice, SpeechEngines } from '../lib/api-types.ts'

type Backend = SpeechEngines['backends'][number]
/** The sound of a test, which is no voice. */
const TEST_TONE = 'tone'

/** Engines with voices that can speak now; each voice once, with the engine that has it of its own. Pure. */
export function builtInVoices(engines: readonly Backend[]) {
  const known = new Set<string>()
  const ofEngines = engines.filter(({ available, hint, id, voices }) => available && !hint && id !== TEST_TONE && voices.length > 0)
  return ofEngines
    .toSorted((one, other) => one.voices.length - other.voices.length)
    .map(({ id, display_name: name, voices }) => ({
      id,
      name,
      voices: voices.filter((voice) => !known.has(voice.id) && known.add(voice.id)),
    }))
    .filter(({ voices }) => voices.length > 0)
}

/** `value`: the chosen voice, which stays in the list when it is in no group. */
export function VoiceOptions({
  profiles,
  engines,
  value,
}: {
  profiles: readonly ProfileVoice[]
  engines: readonly Backend[]
  value: string
}) {
  const groups = builtInVoices(engines)
  const isKnown =
    value === '' || profiles.some((one) => one.voice_id === value) || groups.some(({ voices }) => voices.some(({ id }) => id === value))
  return (
    <>
      {profiles.length > 0 && (
        <optgroup label={strings.myVoices}>
          {profiles.map((one) => (
            <option key={one.voice_id} value={one.voice_id}>
              {one.name}
            </option>
          ))}
        </optgroup>
      )}
      {groups.map(({ id, name, voices }) => (
        <optgroup key={id} label={strings.builtIn(name)}>
          {voices.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </optgroup>
      ))}
      {!isKnown && <option value={value}>{value}</option>}
    </>
  )
}
