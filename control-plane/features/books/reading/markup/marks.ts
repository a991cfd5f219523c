// Marks of notes and of pages: text that is seen and not said. Pure.
import { type MarkupElement, textIn } from './markup.ts'
import { classOf, rolesOf } from './roles.ts'

/** Elements that can be a mark. A block can be the mark of a page. */
const INLINE: ReadonlySet<string> = new Set('a sup span small i b em strong font u big tt code cite ins label'.split(' '))
const NUMBER = /^[[({]?\d{1,4}[\])}]?[.:]?$/
const SIGN = /^[[({]?(?:[*†‡§¶‖#]{1,3}|[↩↑⤴↵^]\ufe0e?)[\])}]?$/u
const LETTERS = /^[[({]?(?:[ivxlc]{1,7}|[a-z])[\])}]?$/i
const IN_BRACKETS = /^[[({].*[\])}]$/
const BACK = /^[[({]?(?:↩|↑|⤴|↵|\^)\ufe0e?[\])}]?$/u
const NOTE_CLASS =
  /(?:^|[\s_-])(?:(?:foot|end|rear|side)?note[-_]?(?:ref\w{0,12}|anchor|link|call|mark\w{0,12}|num\w{0,12})|noteref|fn[-_]?(?:ref|anchor|link|mark|num)?|fnanchor|super(?:script)?|sup|footnote|endnote)\d{0,4}(?:$|[\s_-])/i
const RAISED_CLASS = /(?:^|[\s_-])(?:super(?:script)?|sup|raised|hochgestellt|exposant)\d{0,4}(?:$|[\s_-])/i
const RAISED_STYLE = /vertical-align\s{0,5}:\s{0,5}super/i
const NOTE_ID =
  /^_{0,2}(?:fn|ftn|foot|footnote|note|endnote|edn|en|rearnote|sdfootnote|sdendnote|n|nt|anm|nota|noot|linknote)[-_:.]?(?:ref|anchor|sym|text|to)?[-_:.]?\d{1,5}\w?$/i
const BACK_ID =
  /^_{0,2}(?:r|ref|rfn|fr|fnref|ftnref|ednref|noteref|fna|fnanchor|footnote[-_]?anchor|footnoteref|back|nr|cite[-_]ref)[-_:.]?\d{1,5}\w?$/i
const PAGE_CLASS = /(?:^|\s)(?:page-?num(?:ber)?s?|pagenum\w{0,12}|page-?no|pageno|folio|x-ebookmaker-pageno)(?:\s|$)/i
/** Blocks of these classes begin a page. */
const BREAK_CLASS = /(?:^|\s)(?:page-?break|pb)(?:\s|$)/i
const PAGE_ID = /^(?:page|pg|p|seite)[-_]?(?:\d{1,5}|[ivxlcdm]{1,8})$/i
const PAGE_TEXT = /^[[({]?\s{0,3}(?:p(?:g|age|\.)?\.?|seite|s\.)?\s{0,3}(?:\d{1,5}|[ivxlcdm]{1,8})\s{0,3}[\])}]?$/i
/** A number after one of these words is part of the sentence. */
const NAMED =
  /(?:^|[^\p{L}])(?:footnotes?|notes?|nn?|pages?|pp?|chapters?|sections?|figures?|fig|tables?|see|no|anmerkung|fußnote|seite|kapitel|abbildung|abb|tabelle|siehe|chapitre|capítulo|página|capitolo|pagina)\.?\s{1,3}$/iu
/** The same for an abbreviation that touches its number. */
const ABBREVIATED = /(?:^|[^\p{L}])(?:figs?|pp?|abb|vol|ch|sec|s)\.$/iu
/** Units and functions whose raised number is an exponent. */
const POWERS: ReadonlySet<string> = new Set(
  'sin cos tan cot sec csc log exp sinh cosh tanh det dim mol sec min kg km cm mm nm dm ft yd mi'.split(' '),
)
const LONGEST_MARK = 12
const MOST_NODES = 40
/** UTF-16 units of a mark that says what it is, such as `[translator’s note 3]`. */
const LONGEST_STATED = 40

export type MarkPlace = {
  /** True if the block is a heading: its first number is that of a chapter. */
  readonly isHeading: boolean
  /** True if the block has no text yet. */
  readonly isAtStart: boolean
  /** The last characters before it. */
  readonly before: string
}
export type SilentMark =
  /** `href`: of the note; null for a mark without a link. */
  | { readonly kind: 'note'; readonly href: string | null }
  /** The number of a note in front of its text, or its link back. */
  | { readonly kind: 'label' }
  | { readonly kind: 'page' }

/** Null for an element that is text. */
export function silentMarkOf(element: MarkupElement, place: MarkPlace): SilentMark | null {
  const roles = rolesOf(element)
  if (roles.includes('pagebreak')) return { kind: 'page' }
  if (roles.includes('noteref') && textIn(element).length <= LONGEST_STATED)
    return { kind: 'note', href: element.attributes.get('href') ?? null }
  const parts = shortParts(element)
  if (parts === null) return null
  const { text, links, all } = parts
  if (isPageMark(element, all, text)) return { kind: 'page' }
  if (!INLINE.has(element.name) || text === '' || links.length > 1) return null
  const href = links[0]?.attributes.get('href') ?? null
  const isRaised = all.some(isRaisedElement)
  const hasRole = all.some((each) => rolesOf(each).some((role) => role === 'noteref' || role === 'backlink'))
  const isOfClass = all.some((each) => NOTE_CLASS.test(classOf(each)))
  if (href === null || !href.includes('#')) {
    if (hasRole || (isOfClass && !isRaised && isSign(text))) return { kind: 'note', href }
    return isRaised && isRaisedMark(text, place) ? { kind: 'note', href: null } : null
  }
  const fragment = href.slice(href.indexOf('#') + 1)
  if (BACK.test(text) || hasRoleOf(all, 'backlink')) return { kind: 'label' }
  const isNumber = NUMBER.test(text) || SIGN.test(text)
  const isStated = hasRole || isRaised || isOfClass
  if (!isNumber && !(LETTERS.test(text) && (isStated || (IN_BRACKETS.test(text) && NOTE_ID.test(fragment))))) return null
  if (place.isAtStart) {
    if (place.isHeading) return null
    const isBack = BACK_ID.test(fragment) || NOTE_ID.test(fragment) || isStated || IN_BRACKETS.test(text) || SIGN.test(text)
    return isBack ? { kind: 'label' } : null
  }
  if (isStated) return { kind: 'note', href }
  if (NAMED.test(place.before) || (ABBREVIATED.test(place.before) && !NOTE_ID.test(fragment))) return null
  const isGlued = /\S$/.test(place.before)
  return isGlued || SIGN.test(text) || IN_BRACKETS.test(text) || NOTE_ID.test(fragment) ? { kind: 'note', href } : null
}

const isSign = (text: string): boolean => NUMBER.test(text) || SIGN.test(text)
const hasRoleOf = (all: readonly MarkupElement[], role: string): boolean => all.some((each) => rolesOf(each).includes(role))

function isPageMark({ name }: MarkupElement, all: readonly MarkupElement[], text: string): boolean {
  if (text === '' || /^h[1-6]$/.test(name)) return false
  if (all.some((each) => PAGE_CLASS.test(classOf(each)))) return PAGE_TEXT.test(text)
  if (INLINE.has(name) && all.some((each) => BREAK_CLASS.test(classOf(each)))) return PAGE_TEXT.test(text)
  return IN_BRACKETS.test(text) && PAGE_TEXT.test(text) && all.some((each) => PAGE_ID.test(each.attributes.get('id') ?? ''))
}

const isRaisedElement = (element: MarkupElement): boolean =>
  element.name === 'sup' || RAISED_CLASS.test(classOf(element)) || RAISED_STYLE.test(element.attributes.get('style') ?? '')

/** A raised number without a link: a mark behind a word or a stop, an exponent behind a unit or one letter. */
function isRaisedMark(text: string, { before, isAtStart }: MarkPlace): boolean {
  if (isAtStart) return false
  if (SIGN.test(text)) return true
  if (!NUMBER.test(text)) return false
  if (IN_BRACKETS.test(text) || /[.,;:!?”"’'»)]$/.test(before)) return true
  const word = /\p{L}{1,30}$/u.exec(before)?.[0] ?? ''
  return word.length > 2 && !POWERS.has(word.toLowerCase())
}

/** The text, the links and all elements of a short inline element; null if it is longer than a mark. */
function shortParts(element: MarkupElement): { text: string; links: MarkupElement[]; all: MarkupElement[] } | null {
  let text = ''
  const links: MarkupElement[] = []
  const all: MarkupElement[] = []
  const left: (MarkupElement | string)[] = [element]
  for (let seen = 0; left.length > 0; seen++) {
    if (seen > MOST_NODES || text.length > LONGEST_MARK) return null
    const next = left.pop()!
    if (typeof next === 'string') text += next.slice(0, 100).replaceAll(/\s+/g, ' ')
    else {
      all.push(next)
      if (next.name === 'a' && next.attributes.has('href')) links.push(next)
      if (next.name === 'img' || next.children.length > MOST_NODES) return null
      for (const child of next.children.toReversed()) left.push(child)
    }
  }
  return text.trim().length > LONGEST_MARK ? null : { text: text.trim(), links, all }
}
