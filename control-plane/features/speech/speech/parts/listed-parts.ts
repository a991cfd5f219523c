// The parts of a take as clients read them: by sentence, with their times. Pure.
import { toSentences } from '#shared/text/sentences.ts'
import type { TakeParts } from './parts.contract.ts'
import { placesIn } from './places.ts'
import { chosenSound, partTimes, type TakeScript } from './take-script.ts'

type Row = TakeParts['parts'][number]
const MS = 1000
const rounded = (seconds: number): number => Math.round(seconds * MS) / MS

/** The sentences of a longer part, with times by their length. */
function bySentence(row: Row, text: string, language: string): Row[] {
  const words = text.slice(row.from, row.to)
  const places = placesIn(words, toSentences(words, language)).filter(({ from, to }) => to > from)
  if (places.length < 2) return [row]
  const length = places.reduce((sum, { from, to }) => sum + to - from, 0)
  let at = row.start
  return places.map(({ from, to }) => {
    const start = at
    at += ((row.end - row.start) * (to - from)) / length
    return { ...row, from: row.from + from, to: row.from + to, start: rounded(start), end: rounded(at), exact: false }
  })
}

/** Parts without sound or place are left out. `text`: that the places belong to. */
export function listedParts(text: string, script: TakeScript): Row[] {
  const sounds = script.parts.map((part) => chosenSound(script, part))
  const times = partTimes(script, sounds)
  return script.parts.flatMap(({ from, to, sounds: { length }, chosen }, part) => {
    if (to <= from || sounds[part]!.silent) return []
    const { start, end } = times[part]!
    const row = { from, to, start: rounded(start), end: rounded(end), exact: true, part, sounds: length, chosen }
    return bySentence(row, text, script.language ?? '')
  })
}

type Chunks = {
  readonly sampleRate: number
  readonly leadMs: number
  readonly crossfade: number
  readonly parts: readonly { readonly text: string; readonly samples: number; readonly silent?: true | undefined }[]
}
/** The parts that are known of a take of an earlier version. */
export function earlierParts(text: string, chunks: Chunks): Row[] {
  const parts = chunks.parts.map(({ samples, silent = false }) => ({ samples, silent }))
  const times = partTimes(chunks, parts)
  const places = placesIn(
    text,
    chunks.parts.map((part) => part.text),
  )
  return places.flatMap(({ from, to }, part) => {
    if (to <= from || parts[part]!.silent) return []
    const { start, end } = times[part]!
    return bySentence({ from, to, start: rounded(start), end: rounded(end), exact: true, part, sounds: 1, chosen: 0 }, text, '')
  })
}
