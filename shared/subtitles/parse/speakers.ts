// Names of speakers at the start of cues, as in "JOHN: Good morning.". Pure.

/** A capital or a letter of a script without cases, then at most 40 characters of at most four words. */
const PREFIX = /^[-–—]?\s?([\p{Lu}\p{Lo}][\p{L}\p{M}\p{N}.'’ -]{0,40})[:：](?=\s|[\p{Lo}])/u
const MAX_WORDS = 4
const MIN_TIMES = 2

type Spoken = { readonly text: string; readonly speaker: string | null }

/**
 * Removes a name before a colon that starts at least two cues, and keeps it as speaker. A name that occurs once may be part of the sentence.
 * A cue that is nothing but a name keeps its text.
 */
export function namedSpeakers<T extends Spoken>(cues: readonly T[]): T[] {
  const found = cues.map(({ text }) => PREFIX.exec(text))
  const nameOf = (match: RegExpExecArray | null) => {
    const name = match?.[1]?.trim()
    return name && name.split(' ').length <= MAX_WORDS ? name : null
  }
  const counts = new Map<string, number>()
  for (const match of found) {
    const name = nameOf(match)
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return cues.map((cue, at) => {
    const match = found[at] ?? null
    const name = nameOf(match)
    if (match === null || name === null || (counts.get(name) ?? 0) < MIN_TIMES) return cue
    const text = cue.text.slice(match[0].length).trim()
    return text === '' ? cue : { ...cue, text, speaker: cue.speaker ?? name }
  })
}
