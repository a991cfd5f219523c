// Subtitles as people read them: short pictures of balanced lines, timed by the voice, the cuts of the film and the speed of reading. Pure.
import { weightOfText } from '#shared/text/weight.ts'
import { linesOfPicture, pictures } from './split.ts'
import { type LineLimits, lineLimitsOf, widthOf } from './width.ts'
import { type DisplayWord, displayWords } from './words.ts'

/** A spoken line. `wordStartsUs`: the start of each word between blanks, from an alignment; null or of another count when there is none. */
export type SpokenLine = {
  readonly startUs: number
  readonly endUs: number
  readonly text: string
  readonly wordStartsUs: readonly number[] | null
}
/** `lines`: at most two, without markup. */
export type DisplayCue = { readonly startUs: number; readonly endUs: number; readonly lines: readonly string[] }
/** `cutsUs`: where the picture changes, ascending. */
export type DisplayOptions = { readonly language: string; readonly framesPerSecond: number; readonly cutsUs: readonly number[] }

const SHORTEST_US = 833_333
const LONGEST_US = 7_000_000
/** Shorter gaps between two pictures flicker. */
const CLOSED_GAP_US = 500_000
const GAP_FRAMES = 2
/** Most frames between the voice and the start of a picture. */
const IN_FRAMES = 3
/** Most frames between the voice and the end of a picture, and the distance within which a cut attracts that end. */
const OUT_FRAMES = 12

type Voiced = DisplayCue & { readonly voiceEndUs: number }

/** In order of their start. Cues overlap only where their voices do. A line without words has none. */
export function displayCues(lines: readonly SpokenLine[], { language, framesPerSecond, cutsUs }: DisplayOptions): DisplayCue[] {
  const limits = lineLimitsOf(language)
  const frameUs = 1e6 / (framesPerSecond > 0 ? framesPerSecond : 25)
  const cues = lines
    .filter(({ startUs, endUs }) => endUs > startUs)
    .flatMap((line) => cuesOfLine(line, language, limits))
    .sort((left, right) => left.startUs - right.startUs)
  const timed = cues.map((cue) => toCuts(cue, cutsUs, frameUs, limits))
  return timed.map((cue, at) => withGap(cue, timed[at + 1] ?? null, frameUs))
}

function cuesOfLine({ startUs, endUs, text, wordStartsUs }: SpokenLine, language: string, limits: LineLimits): Voiced[] {
  const words = displayWords(text, language, limits)
  if (words.length === 0) return []
  const starts = startsOf(words, startUs, endUs, wordStartsUs)
  let first = 0
  return pictures(words, limits).map((picture) => {
    const start = starts[first]!
    first += picture.length
    const end = starts[first] ?? endUs
    return { startUs: start, endUs: end, voiceEndUs: end, lines: linesOfPicture(picture, limits) }
  })
}

/** When each word starts: as aligned, else in proportion to the weight of the words. */
function startsOf(words: readonly DisplayWord[], startUs: number, endUs: number, aligned: readonly number[] | null): number[] {
  if (aligned?.length === words.length) {
    let from = startUs
    return aligned.map((us, at) => {
      from = at === 0 ? startUs : Math.min(endUs, Math.max(from, Math.round(us)))
      return from
    })
  }
  // The blank after a word gives even a word without letters some time.
  const weights = words.map(({ text }) => weightOfText(text) + 0.2)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let before = 0
  return weights.map((weight) => {
    const start = startUs + Math.round(((endUs - startUs) * before) / total)
    before += weight
    return start
  })
}

/** Begins at a cut that is very near; lasts long enough to be read; ends at a cut that is near. */
function toCuts(cue: Voiced, cutsUs: readonly number[], frameUs: number, limits: LineLimits): Voiced {
  const cutIn = nearest(cutsUs, cue.startUs, IN_FRAMES * frameUs)
  const startUs = cutIn !== null && cutIn < cue.voiceEndUs ? Math.round(cutIn) : cue.startUs
  const readUs = (cue.lines.reduce((sum, line) => sum + widthOf(line, limits), 0) / limits.perSecond) * 1e6
  const late = Math.max(cue.voiceEndUs, Math.min(startUs + readUs, cue.voiceEndUs + OUT_FRAMES * frameUs))
  const wanted = Math.min(Math.max(late, startUs + SHORTEST_US), startUs + LONGEST_US)
  const cutOut = nearest(cutsUs, wanted, OUT_FRAMES * frameUs)
  const snapped = cutOut === null ? wanted : cutOut - GAP_FRAMES * frameUs
  const endUs = snapped - startUs >= SHORTEST_US ? Math.min(snapped, startUs + LONGEST_US) : wanted
  return { ...cue, startUs, endUs: Math.round(endUs) }
}

/** Two frames before the next picture when they would touch or nearly touch. */
function withGap({ startUs, endUs, voiceEndUs, lines }: Voiced, next: Voiced | null, frameUs: number): DisplayCue {
  if (next === null || next.startUs - endUs >= CLOSED_GAP_US) return { startUs, endUs, lines }
  const last = Math.round(next.startUs - GAP_FRAMES * frameUs)
  // Two voices at once: both stay readable.
  const isTogether = next.startUs < voiceEndUs
  if (isTogether || last <= startUs)
    return { startUs, endUs: isTogether ? endUs : Math.max(startUs + 1, Math.min(endUs, next.startUs)), lines }
  return { startUs, endUs: Math.min(last, startUs + LONGEST_US), lines }
}

/** The nearest of ascending moments within a distance; null when there is none. */
function nearest(ascending: readonly number[], us: number, within: number): number | null {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (ascending[middle]! < us) low = middle + 1
    else high = middle
  }
  const [before, after] = [ascending[low - 1] ?? Number.NEGATIVE_INFINITY, ascending[low] ?? Number.POSITIVE_INFINITY]
  const found = us - before <= after - us ? before : after
  return Math.abs(found - us) <= within ? found : null
}
