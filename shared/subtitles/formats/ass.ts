// Reads Advanced SubStation Alpha (ASS) and its predecessor SSA. Pure; linear.
import { cueText, tidy } from '../parse/plain.ts'
import type { RawSubtitles } from '../parse/raw.ts'
import { timeOf } from '../parse/times.ts'

/** Fields of the version that most programs write; a file names its own. The text is the last one and may have commas. */
const USUAL_FIELDS = 'layer,start,end,style,name,marginl,marginr,marginv,effect,text'.split(',')
const MAX_FIELDS = 40
/** Name that old programs write for none. */
const NO_NAME = 'NTP'
const EVENT = /^\s{0,20}(Dialogue|Comment):(.*)$/i
const SECTION = /^\s{0,20}\[([^\]]{1,40})\]\s*$/
const FORMAT = /^\s{0,20}Format:(.*)$/i

type Event = {
  readonly isComment: boolean
  readonly start: string
  readonly end: string
  readonly name: string
  readonly effect: string
  readonly text: string
}

export const isAssLine = (line: string): boolean => /^\s{0,20}Dialogue:.{0,80},/i.test(line)

/** The older format calls its layer `Marked` and its styles V4 without a plus. */
export const isSsa = (lines: readonly string[]): boolean =>
  lines.some((line) => /^\s{0,20}(?:\[V4 Styles\]|ScriptType:\s{0,20}v[1-4](?:\.\d{1,2})?\s*$)/i.test(line))

export function readAss(lines: readonly string[]): RawSubtitles {
  const events = eventsOf(lines)
  // A program writes a sung line as one event for each effect, and keeps the line as a comment.
  const isSung = ({ isComment, effect }: Event) => isComment && effect === 'karaoke'
  const isEffect = ({ isComment, effect }: Event) => !isComment && effect === 'fx'
  const hasEffects = events.some(isEffect) && events.some(isSung)
  const shown = events.filter((event) => (hasEffects ? isSung(event) || !(event.isComment || isEffect(event)) : !event.isComment))
  let [skipped, drawings] = [0, 0]
  const cues = shown.flatMap((event) => {
    const { text, hasDrawing } = withoutOverrides(event.text)
    const [startUs, endUs, plain] = [timeOf(event.start), timeOf(event.end), cueText(text).text]
    if (plain === '' && hasDrawing) drawings++
    else if (startUs === null || endUs === null || startUs >= endUs || plain === '') skipped++
    else return [{ startUs, endUs, text: plain, speaker: speakerOf(event.name) }]
    return []
  })
  const notices =
    drawings === 0 ? [] : [`${drawings === 1 ? 'One drawing was' : `${drawings.toLocaleString('en')} drawings were`} left out.`]
  return { cues, skipped, hasWordTimes: false, notices }
}

const speakerOf = (name: string): string | null => {
  const plain = tidy(name).replaceAll('\n', ' ')
  return plain === '' || plain === NO_NAME ? null : plain
}

function eventsOf(lines: readonly string[]): Event[] {
  const found: Event[] = []
  let fields = USUAL_FIELDS
  // A file may have lost its headings.
  let isInEvents = true
  for (const line of lines) {
    const section = SECTION.exec(line)?.[1]
    if (section !== undefined) isInEvents = section.toLowerCase() === 'events'
    if (!isInEvents) continue
    const named = FORMAT.exec(line)?.[1]
    if (named !== undefined) fields = fieldsOf(named) ?? fields
    const [, kind, values] = EVENT.exec(line) ?? []
    if (kind === undefined || values === undefined) continue
    const value = (name: string) => split[fields.indexOf(name)]?.trim() ?? ''
    const split = splitInto(values, fields.length)
    found.push({
      isComment: kind.toLowerCase() === 'comment',
      ...{ start: value('start'), end: value('end'), text: value('text'), effect: value('effect').toLowerCase() },
      name: value('name') || value('actor'),
    })
  }
  return found
}

/** Null for fields that do not say where times and text are. */
function fieldsOf(line: string): string[] | null {
  const fields = line
    .toLowerCase()
    .split(',', MAX_FIELDS)
    .map((field) => field.trim())
  return fields.at(-1) === 'text' && fields.includes('start') && fields.includes('end') ? fields : null
}

function splitInto(line: string, count: number): string[] {
  const parts: string[] = []
  let from = 0
  while (parts.length < count - 1) {
    const comma = line.indexOf(',', from)
    if (comma < 0) break
    parts.push(line.slice(from, comma))
    from = comma + 1
  }
  return [...parts, line.slice(from)]
}

/** Without blocks in braces, and without what a block with `\p1` draws until the next `\p0`. */
function withoutOverrides(text: string): { readonly text: string; readonly hasDrawing: boolean } {
  const parts: string[] = []
  let [isDrawing, hasDrawing, from] = [false, false, 0]
  while (from < text.length) {
    const open = text.indexOf('{', from)
    const end = open < 0 ? -1 : text.indexOf('}', open)
    if (!isDrawing) parts.push(text.slice(from, end < 0 ? text.length : open))
    if (end < 0) break
    for (const [, scale] of text.slice(open, end).matchAll(/\\p(\d{1,3})/g)) isDrawing = Number(scale) > 0
    hasDrawing ||= isDrawing
    from = end + 1
  }
  return { text: parts.join(''), hasDrawing }
}
