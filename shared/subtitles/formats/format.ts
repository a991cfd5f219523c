// The format of a text, found by its content: names of files lie. Pure; linear.
import { isWebVtt } from '../parse/parse.ts'
import { timesOf } from '../parse/times.ts'
import { isAssLine, isSsa } from './ass.ts'
import type { SubtitleFormat } from './format-names.ts'
import { isLrcLine, isMicroDvdLine, isSbvLine } from './lines.ts'
import { isTtml } from './ttml.ts'

/** In the order of precedence for files with as many lines of two. */
const MARKS: readonly (readonly [SubtitleFormat, (line: string) => boolean])[] = [
  ['srt', (line) => timesOf(line) !== null],
  ['ass', isAssLine],
  ['sbv', isSbvLine],
  ['microdvd', isMicroDvdLine],
  ['lrc', isLrcLine],
]

/** SRT for a text of no format. The lines of a cue may look like another format, so the format with the most lines wins. */
export function subtitleFormatOf(text: string, lines: readonly string[]): SubtitleFormat {
  if (isWebVtt(lines)) return 'vtt'
  if (isTtml(text)) return 'ttml'
  let [best, most]: [SubtitleFormat, number] = ['srt', 0]
  for (const [format, isMark] of MARKS) {
    const count = lines.filter(isMark).length
    if (count > most) [best, most] = [format, count]
  }
  return best === 'ass' && isSsa(lines) ? 'ssa' : best
}
