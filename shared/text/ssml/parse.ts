// Reads SSML 1.1 into spans. Pure; linear. Document types and entities beyond the five of XML are refused, so nothing grows or is fetched.
import { SaxesParser } from 'saxes'
import { detectLanguage } from '../language.ts'
import { phoneObjection } from '../pronunciation/phones.ts'
import { isMarkName, MARK_NAME_CHARS } from '../script/mark.ts'
import { LONGEST_PAUSE_MS } from '../script/pause.ts'
import { createNotes } from './notes.ts'
import { SsmlRefusal } from './refusal.ts'
import { isSayAs, sayAs } from './say-as.ts'
import { breakMs, emphasisRate, rateOf, volumeDb } from './values.ts'
import { createSsmlWriter, type SsmlSpan, type Style } from './writer.ts'
import { ipaOfXSampa } from './x-sampa.ts'

export type Ssml = {
  /** Language tag of the document; null if it names none. */
  readonly language: string | null
  /** Silence before the first words. */
  readonly pauseMsBefore: number
  readonly spans: readonly SsmlSpan[]
  /** Names of the marks behind the last word. */
  readonly marksAfter: readonly string[]
  /** Sentences for the user about what was not followed, each once. */
  readonly notices: readonly string[]
}
type Attributes = Readonly<Record<string, string>>
/** An element whose text is read as a whole. */
type Held = { readonly name: string; readonly attributes: Attributes; readonly depth: number; readonly parts: string[] }

/** UTF-16 units: some tenths of a second of work at most. */
const MAX_CHARS = 500_000
const MAX_DEPTH = 64
const MAX_ELEMENTS = 100_000
/** Spans and marks. */
const MAX_CHANGES = 5_000
/** UTF-16 units from which a language is guessed. */
const GUESS_CHARS = 20_000
const NAME_CHARS = 128
/** An inline pronunciation has at most this many characters on each side, and none of these signs. */
const INLINE_CHARS = 250
const NOT_INLINE = /[[\]|\n]/
const LANGUAGE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/
const ROOT = /^\ufeff?\s{0,1000}<(?:\?xml|speak[\s/>]|!)/
/** Elements whose text is not for the listener. */
const SILENT: ReadonlySet<string> = new Set(['metadata', 'meta', 'lexicon', 'lookup', 'desc', 'title'])
const HOLDING: ReadonlySet<string> = new Set(['sub', 'say-as', 'phoneme'])
const PLAIN: ReadonlySet<string> = new Set(['speak', 'p', 's', 'w', 'token', 'break', 'mark', 'prosody', 'emphasis', 'voice', 'lang'])

/**
 * `text`: a document, or a fragment without `speak`. `language`: the tag that `say-as` uses where the document names none; null if it is
 * unknown. Throws SsmlRefusal for XML that is not well-formed, and for what is not read at all.
 */
export function parseSsml(text: string, language: string | null = null): Ssml {
  if (text.length > MAX_CHARS) refuse(`It has more than ${MAX_CHARS} characters. Split it.`)
  const writer = createSsmlWriter()
  const notes = createNotes()
  const styles: Style[] = [{ voice: null, language: null, speed: 1, gainDb: 0 }]
  const open: string[] = []
  let documentLanguage: string | null = null
  let held: Held | null = null
  /** Depth of the outermost silent element; 0 outside of one. */
  let silentFrom = 0
  let elements = 0
  let guessed: string | null | undefined

  const styleNow = (): Style => styles.at(-1)!
  /** '' if it is unknown. */
  const languageNow = (): string => {
    guessed ??= language ?? detectLanguage(text.slice(0, GUESS_CHARS).replaceAll(/<[^<>]{0,500}>/g, ' '))?.code ?? ''
    return styleNow().language ?? documentLanguage ?? guessed
  }

  function enter(name: string, attributes: Attributes): void {
    const style = styleOf(name, attributes, styleNow(), notes.add)
    styles.push(style)
    if (name === 'speak' && open.length === 1) {
      documentLanguage = tagOf(attributes)
      styles[styles.length - 1] = { ...style, language: null }
    }
    if (name === 'p') writer.paragraph()
    if (name === 's') writer.sentence()
    if (name === 'break') pause(attributes)
    else if (name === 'mark') mark(attributes['name'])
    else writer.style(styleNow())
    if (writer.count() > MAX_CHANGES) refuse(`It changes its voice, speed, pauses or marks more than ${MAX_CHANGES} times. Split it.`)
  }

  function pause({ time, strength }: Attributes): void {
    const ms = breakMs(time, strength)
    if (ms === null)
      notes.add(`A break of ${JSON.stringify((time ?? strength ?? '').slice(0, 32))} is none of SSML, so it has the usual length.`)
    else if (ms === LONGEST_PAUSE_MS) notes.add(`A pause lasts at most ${LONGEST_PAUSE_MS / 1000} s.`)
    const wanted = ms ?? breakMs(undefined, undefined)!
    if (wanted > 0) writer.pause(wanted)
  }

  function mark(name = ''): void {
    if (!isMarkName(name)) refuse(`A mark needs a name of at most ${MARK_NAME_CHARS} characters, without blanks and brackets.`)
    writer.mark(name)
  }

  function leave(name: string): void {
    styles.pop()
    if (name === 'p') writer.paragraph()
    else if (name === 's') writer.sentence()
    writer.style(styleNow())
  }

  const parser = new SaxesParser()
  parser.on('doctype', () => refuse('It declares a document type, which could define entities. Remove the DOCTYPE.'))
  parser.on('error', (error) => refuse(`Its XML is damaged: ${error.message.replace(/\.?$/, '.')} Write & as &amp; and < as &lt;.`))
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name)
    if (++elements > MAX_ELEMENTS) refuse(`It has more than ${MAX_ELEMENTS} elements. Split it.`)
    if (open.length > MAX_DEPTH) refuse(`Its elements are nested more than ${MAX_DEPTH} deep.`)
    if (name === 'audio') refuse('It has an <audio> element, and the studio plays no sound of others in a speech. Remove it.')
    if (open.length === 1 && name !== 'speak') refuse('Its root element is not <speak>.')
    if (silentFrom > 0) return
    if (SILENT.has(name)) {
      silentFrom = open.length
      if (name === 'lexicon') notes.add('The studio loads no <lexicon>. Add its words to the pronunciation dictionary.')
    } else if (held !== null) {
      notes.add('Elements inside of <sub>, <say-as> and <phoneme> have no effect.')
    } else if (HOLDING.has(name)) {
      held = { name, attributes, depth: open.length, parts: [] }
    } else {
      if (!PLAIN.has(name)) notes.unknown(name)
      enter(name, attributes)
    }
  })
  parser.on('closetag', ({ name }) => {
    const depth = open.length
    open.pop()
    if (silentFrom > 0) {
      if (depth === silentFrom) silentFrom = 0
    } else if (held === null) leave(name)
    else if (depth === held.depth) {
      const { name: holder, attributes, parts } = held
      held = null
      writer.say(saidBy(holder, attributes, parts.join(''), { language: languageNow(), before: writer.tail() }, notes.add))
    }
  })
  const add = (words: string): void => {
    if (silentFrom > 0 || open.length === 0) return
    if (held) held.parts.push(words)
    else writer.say(words)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.write(ROOT.test(text) ? text.replace(/^\ufeff?\s{1,1000}/, '') : `<speak>${text}</speak>`).close()
  return { language: documentLanguage, ...writer.end(), notices: notes.all() }
}

function styleOf(name: string, attributes: Attributes, outer: Style, note: (sentence: string) => void): Style {
  const language = tagOf(attributes) ?? outer.language
  if (name === 'voice') {
    if (attributes['name'] === undefined) note('A <voice> without a name has no effect.')
    return { ...outer, language, voice: attributes['name']?.trim().slice(0, NAME_CHARS) || outer.voice }
  }
  if (name === 'emphasis') return { ...outer, language, speed: outer.speed * (emphasisRate(attributes['level']) ?? 1) }
  if (name !== 'prosody') return { ...outer, language }
  const { rate, volume } = attributes
  const [share, db] = [rate === undefined ? 1 : rateOf(rate), volume === undefined ? 0 : volumeDb(volume)]
  if (share === null) note(`A rate of ${JSON.stringify(rate!.slice(0, 32))} is none of SSML and has no effect.`)
  if (db === null) note(`A volume of ${JSON.stringify(volume!.slice(0, 32))} is none of SSML and has no effect.`)
  const unused = ['pitch', 'contour', 'range', 'duration'].filter((key) => attributes[key] !== undefined)
  for (const key of unused) note(`No engine follows the ${key} of <prosody>.`)
  return { ...outer, language, speed: outer.speed * (share ?? 1), gainDb: outer.gainDb + (db ?? 0) }
}

function tagOf(attributes: Attributes): string | null {
  const tag = attributes['xml:lang']?.trim() ?? ''
  return LANGUAGE.test(tag) ? tag : null
}

type Place = { readonly language: string; readonly before: string }

/** The text of an element that is read as a whole, with inline pronunciations. */
function saidBy(name: string, attributes: Attributes, written: string, place: Place, note: (sentence: string) => void): string {
  const text = written.replaceAll(/\s+/g, ' ')
  if (name === 'sub') return substituted(text, attributes['alias'], note)
  if (name === 'phoneme') return pronounced(text, attributes, note)
  const as = (attributes['interpret-as'] ?? '').trim().toLowerCase()
  const format = (attributes['format'] ?? attributes['detail'] ?? '').trim()
  const said = sayAs(text, { as, format, ...place })
  if (!isSayAs(as)) note(`The studio has no interpret-as ${JSON.stringify(as.slice(0, 32))}. The text was read as it is written.`)
  else if (said === null) {
    const quoted = `${JSON.stringify(text.slice(0, 40))} was not read as ${as}`
    if (place.language === '') note(`${quoted}, because its language is unknown. Name it with xml:lang.`)
    else note(`${quoted}${format === '' ? '' : ` in the format ${format.slice(0, 16)}`} in the language ${place.language.slice(0, 16)}.`)
  }
  return said ?? text
}

const isInline = (text: string): boolean => text.length > 0 && text.length <= INLINE_CHARS && !NOT_INLINE.test(text)

function substituted(text: string, alias: string | undefined, note: (sentence: string) => void): string {
  if (alias === undefined || alias.trim() === '') {
    note('A <sub> without an alias has no effect.')
    return text
  }
  const word = text.trim()
  // Without its word where that has no place in an inline pronunciation.
  return isInline(word) && isInline(alias.trim()) ? `[[${word}|${alias.trim()}]]` : alias
}

function pronounced(text: string, { alphabet = 'ipa', ph = '' }: Attributes, note: (sentence: string) => void): string {
  const word = text.trim()
  const name = alphabet.trim().toLowerCase()
  const ipa = name === 'ipa' ? ph.trim() : /^(?:x-)?sampa$/.test(name) ? ipaOfXSampa(ph.trim()) : null
  const isUsable = ipa !== null && isInline(ipa) && isInline(word) && phoneObjection('ipa', ipa) === null
  if (!isUsable)
    note(`The pronunciation of ${JSON.stringify(word.slice(0, 40))} is neither IPA nor X-SAMPA, so the word was read as it is written.`)
  return isUsable ? `[[${word}|/${ipa}/]]` : text
}

function refuse(why: string): never {
  throw new SsmlRefusal(`This SSML is not read. ${why}`)
}
