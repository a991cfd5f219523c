// Cues one after the other, although files show several at once. Pure; linear except for a search.
import type { SubtitleCounts, SubtitleCue } from './cue.ts'

/** No subtitle is shown for longer; what is shown for longer is a sign. */
const LONGEST_JOINED_US = 20e6

type Placed = {
  startUs: number
  endUs: number
  readonly speaker: string | null
  readonly texts: string[]
  /** Its lines; null before they are needed. */
  lines: Set<string> | null
}
type PlaceCounts = Pick<SubtitleCounts, 'droppedOverlaps' | 'clamped' | 'afterEnd'>

/**
 * The start of a cue moves to the end of the one before it. A cue that lies within another one is joined to it, or ends it if it is a sign; it is
 * dropped if the other one has the same lines. `cues`: in order of their start. `mediaUs`: the length of the film; null when it is not known.
 */
export function placed(
  cues: readonly SubtitleCue[],
  mediaUs: number | null,
): { readonly cues: SubtitleCue[]; readonly counts: PlaceCounts } {
  const most = mediaUs ?? Number.POSITIVE_INFINITY
  const counts = { droppedOverlaps: 0, clamped: 0, afterEnd: 0 }
  const all: Placed[] = []
  let from = 0
  const add = (cue: SubtitleCue, startUs: number, endUs: number) => {
    all.push({ startUs, endUs, speaker: cue.speaker, texts: [cue.text], lines: null })
    from = endUs
  }
  for (const cue of cues) {
    if (cue.startUs >= most) {
      counts.afterEnd++
      continue
    }
    const endUs = Math.min(cue.endUs, most)
    if (endUs < cue.endUs) counts.clamped++
    if (endUs > from) {
      add(cue, Math.max(cue.startUs, from), endUs)
      continue
    }
    const around = lastStarted(all, cue.startUs)
    const isSign = around === all.at(-1) && around.endUs - around.startUs > LONGEST_JOINED_US
    if (linesOf(cue.text).every((line) => shownBy(around).has(line))) counts.droppedOverlaps++
    else if (isSign && cue.startUs > around.startUs) {
      around.endUs = cue.startUs
      add(cue, cue.startUs, endUs)
    } else {
      join(around, cue.text)
      if (isSign) around.endUs = from = endUs
    }
  }
  return { cues: all.map(({ startUs, endUs, speaker, texts }) => ({ startUs, endUs, text: texts.join('\n'), speaker })), counts }
}

const linesOf = (text: string): string[] => text.split('\n')
const shownBy = (around: Placed): Set<string> => {
  around.lines ??= new Set(around.texts.flatMap(linesOf))
  return around.lines
}
function join(around: Placed, text: string): void {
  const lines = shownBy(around)
  for (const line of linesOf(text)) lines.add(line)
  around.texts.push(text)
}

/** The last one that starts at a time or before it. */
function lastStarted(all: readonly Placed[], startUs: number): Placed {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (all[middle]!.startUs <= startUs) low = middle + 1
    else high = middle
  }
  return all[Math.max(0, low - 1)]!
}
