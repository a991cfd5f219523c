// Reads the Timed Text Markup Language: TTML, DFXP and IMSC with texts. Pure; linear. Declarations of types and entities are refused.
import { SaxesParser } from 'saxes'
import { tidy } from '../parse/plain.ts'
import { closed, type RawSubtitles } from '../parse/raw.ts'
import { UnreadableSubtitles } from '../unreadable.ts'
import { clockOf, type TtmlClock, timeIn } from './ttml-times.ts'

const MAX_DEPTH = 64
const MAX_ELEMENTS = 200_000
/** The root element, perhaps behind a declaration and remarks. */
const ROOT = /^\ufeff?\s{0,1000}<(?:[?!]|(?:[\w.-]{1,40}:)?tt[\s>])/
const HAS_ROOT = /<(?:[\w.-]{1,40}:)?tt[\s>]/
const HEAD_CHARS = 20_000

export const isTtml = (text: string): boolean => ROOT.test(text) && HAS_ROOT.test(text.slice(0, HEAD_CHARS))

/** Properties that an element passes on to those in it. */
type Scope = {
  readonly name: string
  readonly startUs: number
  readonly endUs: number | null
  readonly isTimed: boolean
  readonly agent: string | null
  readonly isPreserved: boolean
  /** True if its elements follow each other: times in each count from the end of the one before. */
  readonly isSequence: boolean
  /** Start of the next element in a sequence; elsewhere the latest end of its elements. */
  nextUs: number
  /** Gets the texts; null outside of paragraphs, and in what is not spoken. */
  readonly cue: Open | null
}
type Open = {
  readonly startUs: number
  readonly endUs: number | null
  readonly isTimed: boolean
  /** True if the element itself has times, and not only one around it. */
  readonly hasOwnTimes: boolean
  agent: string | null
  readonly parts: string[]
}

/** Throws UnreadableSubtitles for XML that is not well-formed, declares types or entities, or is deeper or larger than subtitles are. */
export function readTtml(text: string): RawSubtitles {
  const scopes: Scope[] = []
  const cues: Open[] = []
  const names = new Map<string, string>()
  let clock: TtmlClock = clockOf(() => undefined)
  let named: string | null = null
  let elements = 0
  const parser = new SaxesParser()
  parser.on('doctype', () => refuse('It declares a document type'))
  parser.on('error', (error) => refuse(`Its XML is damaged: ${error.message}`))
  parser.on('opentag', (tag) => {
    if (++elements > MAX_ELEMENTS) refuse(`It has more than ${MAX_ELEMENTS.toLocaleString('en')} elements`)
    if (scopes.length >= MAX_DEPTH) refuse(`Its elements are nested more than ${MAX_DEPTH} deep`)
    const attributes = new Map(Object.entries(tag.attributes).map(([name, value]) => [localName(name), value]))
    const name = localName(tag.name)
    if (scopes.length === 0) clock = clockOf((key) => attributes.get(key))
    if (name === 'agent') named = attributes.get('id') ?? null
    const scope = scopeOf(name, attributes, scopes.at(-1) ?? ROOT_SCOPE, clock)
    if (name === 'br') scope.cue?.parts.push('\n')
    if (scope.cue !== null && scope.cue !== scopes.at(-1)?.cue) cues.push(scope.cue)
    scopes.push(scope)
  })
  parser.on('closetag', () => {
    const [own, outer] = [scopes.pop(), scopes.at(-1)]
    if (own && outer) outer.nextUs = Math.max(outer.nextUs, own.endUs ?? own.nextUs)
  })
  const add = (words: string) => {
    const scope = scopes.at(-1)
    if (scope?.name === 'name' && named !== null && !names.has(named)) names.set(named, tidy(words).replaceAll('\n', ' '))
    scope?.cue?.parts.push(scope.isPreserved ? words : words.replaceAll(/\s+/g, ' '))
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(withEscapedSigns(text)).close()
  return { ...cuesOf(cues, names), hasWordTimes: false, notices: [] }
}

const CDATA = ['<![CDATA[', ']]>'] as const
/** An "and" sign that begins no reference, as careless programs write it. */
const BARE = /&(?!(?:[A-Za-z]\w{0,30}|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/g
function withEscapedSigns(text: string): string {
  const [first = '', ...sections] = text.split(CDATA[0])
  const escaped = (part: string) => part.replace(BARE, '&amp;')
  const rest = sections.map((section) => {
    const end = section.indexOf(CDATA[1])
    return end < 0 ? section : section.slice(0, end) + escaped(section.slice(end))
  })
  return [escaped(first), ...rest].join(CDATA[0])
}

const ROOT_SCOPE: Scope = {
  ...{ name: '', startUs: 0, endUs: null, isTimed: false, agent: null, isPreserved: false, isSequence: false, nextUs: 0, cue: null },
}
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function scopeOf(name: string, attributes: ReadonlyMap<string, string>, outer: Scope, clock: TtmlClock): Scope {
  const [begin, end, dur] = ['begin', 'end', 'dur'].map((key) => timeIn(attributes.get(key), clock))
  const fromUs = outer.isSequence ? outer.nextUs : outer.startUs
  const startUs = fromUs + (begin ?? 0)
  const ends = [outer.endUs, end == null ? null : fromUs + end, dur == null ? null : startUs + dur].filter((one) => one !== null)
  const own = {
    name,
    startUs,
    endUs: ends.length === 0 ? null : Math.min(...ends),
    isTimed: outer.isTimed || begin != null || end != null || dur != null,
    agent: attributes.get('agent')?.trim().split(/\s/, 1)[0] || outer.agent,
    isPreserved: attributes.has('space') ? attributes.get('space') === 'preserve' : outer.isPreserved,
    isSequence: attributes.get('timeContainer') === 'seq',
    nextUs: startUs,
  }
  // Remarks of authors are not shown, and words beside a ruby base say it again.
  const isSilent =
    /^(?:metadata|title|desc|copyright)$/.test(name) || /^(?:text|textContainer|delimiter)$/.test(attributes.get('ruby') ?? '')
  return { ...own, cue: isSilent ? null : cueFor(own, outer, begin != null || end != null || dur != null) }
}

function cueFor(own: Omit<Scope, 'cue'>, outer: Scope, hasOwnTimes: boolean): Open | null {
  const { name, startUs, endUs, isTimed, agent } = own
  const made: Open = { startUs, endUs, isTimed, hasOwnTimes, agent, parts: [] }
  if (name === 'p') return made
  if (outer.cue === null) return null
  // Times in a line that has times of its own are those of its words.
  if (name === 'span' && hasOwnTimes && !outer.cue.hasOwnTimes) return made
  outer.cue.agent ??= agent
  return outer.cue
}

function cuesOf(all: readonly Open[], names: ReadonlyMap<string, string>) {
  const read = all.map((one) => ({ ...one, text: tidy(one.parts.join('')), speaker: (one.agent !== null && names.get(one.agent)) || null }))
  const isRead = ({ text, isTimed, startUs, endUs }: (typeof read)[number]) =>
    text !== '' && isTimed && startUs < (endUs ?? Number.POSITIVE_INFINITY)
  const kept = read.filter(isRead).map(({ startUs, endUs, text, speaker }) => ({ startUs, endUs, text, speaker }))
  const damaged = read.filter((one) => one.text !== '' && !isRead(one)).length
  return { cues: closed(kept), skipped: damaged }
}

function refuse(why: string): never {
  throw new UnreadableSubtitles(`This TTML file is not read. ${why.replace(/\.?$/, '.')} Save it again in its program, or as SRT.`)
}
