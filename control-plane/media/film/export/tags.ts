// The metadata file of an export: titles are data of users, so they are in no argument. Pure.
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import type { FilmChapter } from '../probe/probe.rules.ts'

const TITLE_CHARACTERS = 200

export type ExportTags = {
  readonly title: string | null
  readonly chapters: readonly FilmChapter[]
  /** Titles of the streams of the result, in the order in which they are mapped. */
  readonly streams: readonly (string | null)[]
}

/** ffmpeg joins a line that ends with a backslash with the next one, also when the backslash is escaped: a blank keeps them apart. */
const escaped = (text: string): string => `${text.replace(/[=;#\\]/g, '\\$&')}${text.endsWith('\\') ? ' ' : ''}`
const lineOf = (text: string | null): string => [...cleanLine(text ?? '').trim()].slice(0, TITLE_CHARACTERS).join('')

/** The FFMETADATA file. */
export function exportMetadata({ title, chapters, streams }: ExportTags): string {
  const heading = lineOf(title)
  const ofStreams = streams.flatMap((each) => {
    const name = lineOf(each)
    return ['[STREAM]', ...(name ? [`title=${escaped(name)}`, `handler_name=${escaped(name)}`] : [])]
  })
  const marks = chapters.flatMap(({ title: name, startUs, endUs }, index) => [
    ...['[CHAPTER]', 'TIMEBASE=1/1000000', `START=${Math.round(startUs)}`, `END=${Math.round(endUs)}`],
    `title=${escaped(lineOf(name) || `Chapter ${index + 1}`)}`,
  ])
  return `${[';FFMETADATA1', ...(heading ? [`title=${escaped(heading)}`] : []), ...ofStreams, ...marks].join('\n')}\n`
}
