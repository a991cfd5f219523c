// Finds the ends of the sentences in a line of text. Pure; each place is looked at once, and each look reads a bounded part around it.
import type { SentenceRules } from './language.ts'

/** Marks that end a sentence wherever they stand: those of scripts without blanks or without capitals. */
const FULL = /[。！？｡।॥۔؟։።፧၊။᙮។៕꓿︒﹒]/
/** Stops with those that follow after a blank, as in French "? !" and ". . .". Greek and Armenian have a mark of their own. */
const STOPS = {
  '': /[.!?…‥．。！？｡।॥۔؟։።፧၊။᙮។៕꓿︒﹒]+(?: (?:[!?.]+|…)(?=[ "'`“”‘’«»‹›)\]}」』】）〉》〕］｣]|$)){0,6}/g,
  ';': /[.!?…;]+(?: (?:[!?.;]+|…)(?=[ "'`“”‘’«»‹›)\]}]|$)){0,6}/g,
  ':': /[.!?…։:]+(?: (?:[!?.]+|…)(?=[ "'`“”‘’«»‹›)\]}]|$)){0,6}/g,
}
/** Marks that close after a stop; French has a blank before its own. */
const CLOSING = /["'`“”‘’«»‹›)\]}」』】）〉》〕］｣]{1,6}(?: [»›](?=[ .,;:!?)]|$))?|(?: [»›](?=[ .,;:!?)]|$))/y
/** UTF-16 units around a stop that are read. */
const PIECE = 48
const OPENERS_FIRST = /^(?:["'“”„‚«»‹›‘’([{¿¡—–-] ?|\[?(?:…|\.{3})\]? ?){1,6}/u
const CITATION = /(?: ?\[\d{1,3}(?:[,–-] ?\d{1,3}){0,3}\]|[⁰¹²³⁴-⁹]{1,3}){1,6}(?= |$)/y
const WORD_BEFORE = /[^\s"“”„«»‹›([{¿¡]{1,40}$/u
const NEXT_WORD = /^[\p{L}\p{M}]+/u
/** "1." and "II." in front of an item, and signs without a word. */
const MARKER = /^[•◦▪‣●⁃* ]{0,2}["“„«([]{0,2}(?:\d{1,3}(?:\.\d{1,3}){0,3}|[IVXLC]{1,5}|[ivx]{1,5}|\p{L})[.)]{1,2}$/u
const MAX_MARKER = 16
/** The second part of an abbreviation with a blank inside, such as "z. B.", and a second initial. */
const SECOND_PART = /^\p{L}{1,2}\.(?!\p{L})/u
/** A number in figures or in Roman numerals. */
const NUMBER_NEXT = /^(?:\d|[IVXLC]{1,6}(?!\p{L}))/u
/** Dutch writes a small word before the capital of a sentence. */
const SMALL_FIRST = /^['’]\p{Ll} \p{Lu}/u
const SINGLE = /^\p{L}$/u
const ELLIPSIS = /^(?:…|\.\.|\. \.)/
const HAS_WORD = /[\p{L}\p{N}]/u
const DOTTED = /^(?:\p{L}{1,3}\.){1,6}\p{L}{1,3}$/u
const MAX_ORDINAL_DIGITS = 3

const matchAt = (expression: RegExp, text: string, at: number): string => {
  expression.lastIndex = at
  return expression.exec(text)?.[0] ?? ''
}

const lower = (word: string): string => word.toLowerCase()

/** True if the list has the word as it is, or in small letters; a word of capitals also as a name. */
function isListed(list: ReadonlySet<string>, word: string): boolean {
  if (list.has(word) || list.has(lower(word))) return true
  return word.length > 1 && word === word.toUpperCase() && list.has(word.slice(0, 1) + lower(word.slice(1)))
}

/** The word before `at`, and the spaced abbreviation that it ends, such as "z.B" for "z. B". */
function wordsBefore(text: string, from: number, at: number): { readonly word: string; readonly joined: string; readonly before: string } {
  const head = text.slice(Math.max(from, at - PIECE), at)
  const found = WORD_BEFORE.exec(head)?.[0] ?? ''
  const word = found.slice(Math.max(found.lastIndexOf('’'), found.lastIndexOf("'")) + 1)
  const rest = head.slice(0, head.length - found.length).trimEnd()
  const before = WORD_BEFORE.exec(rest)?.[0] ?? ''
  const isPart = /^(?:\p{L}{1,2}\.){1,3}$/u.test(before)
  return { word, joined: isPart ? `${before}${word}` : '', before }
}

type Place = {
  readonly text: string
  /** The start of the sentence. */
  readonly from: number
  /** The first character of the stop, and the first after it with closing marks. */
  readonly at: number
  readonly end: number
}

/** True if the single full stop at `at` belongs to an abbreviation, an initial, an ordinal or the number of an item. */
function isInside({ text, from, at, end }: Place, next: string, rules: SentenceRules): boolean {
  if (at - from <= MAX_MARKER && MARKER.test(text.slice(from, end))) return true
  const { word, joined, before } = wordsBefore(text, from, at)
  if (word === '') return false
  const isClosed = end > at + 1
  if (SINGLE.test(word) && SECOND_PART.test(next)) return true
  const nextWord = NEXT_WORD.exec(next)?.[0] ?? ''
  const first = lower(nextWord)
  const startsSentence = rules.starters.has(first)
  if (/^\d+$/.test(word)) return isOrdinal(word, before, next, startsSentence, rules)
  const part = word.slice(word.lastIndexOf('-') + 1)
  const isIn = (list: ReadonlySet<string>) => [word, joined, part].some((each) => each !== '' && isListed(list, each))
  if (isClosed) return isIn(rules.open) && !startsSentence
  if (NUMBER_NEXT.test(next) && (isIn(rules.numbered) || hasSuffix(word, rules)))
    return !(lower(word) === 'no' && rules.beforeNo.has(lower(before)))
  // "48 C.F.R. 12", but not "At 5 p.m. 20 people came".
  if (/^\d/.test(next)) return isIn(rules.open) || isIn(rules.short) || (DOTTED.test(word) && !isIn(rules.closing))
  // A time before its zone or a title, as in "5 p.m. EST" and "At 5 a.m. Mr. Gray left".
  if (isIn(rules.closing)) return /^\p{Lu}{2,4}$/u.test(nextWord) || (next[nextWord.length] === '.' && isListed(rules.open, nextWord))
  if (isIn(rules.open)) return true
  const isInitial = /^\p{Lu}$/u.test(part) || DOTTED.test(word) || (joined !== '' && word.length <= 2)
  const isRoman = rules.ordinals !== null && /^[IVX]{1,6}$/.test(word)
  return (isInitial || isRoman || isIn(rules.short)) && !startsSentence
}

const hasSuffix = (word: string, { suffixes }: SentenceRules): boolean => [...suffixes].some((suffix) => word.endsWith(suffix))

/** Also true inside a date in figures, such as "3. 5. 2020". */
function isOrdinal(number: string, before: string, next: string, startsSentence: boolean, { ordinals }: SentenceRules): boolean {
  if (ordinals === null || number.length > MAX_ORDINAL_DIGITS) return false
  if (/^\d{1,2}\. ?\d/.test(next) || (/^\d{1,2}\.$/.test(before) && /^\d{2,4}/.test(next))) return true
  return ordinals.nouns.has(lower(NEXT_WORD.exec(next)?.[0] ?? '')) || (ordinals.after.has(lower(before)) && !startsSentence)
}

/** True if a sentence ends at a stop that is followed by a blank. `stop`: the marks themselves. */
function isEnd(place: Place, stop: string, rules: SentenceRules): boolean {
  const { text, from, at, end } = place
  const after = text.slice(end + 1, end + 1 + PIECE)
  const opening = OPENERS_FIRST.exec(after)?.[0] ?? ''
  const next = after.slice(opening.length)
  if (next === '' || /^[,;:)\]»]/.test(next)) return false
  // A name such as iPhone may start a sentence.
  if (/^\p{Ll}/u.test(next) && !SMALL_FIRST.test(after) && !/^\p{Ll}\p{Lu}/u.test(next)) return false
  if (!HAS_WORD.test(text.slice(from, Math.min(at, from + PIECE)))) return false
  if (ELLIPSIS.test(stop)) return !/^(?:\d|I(?=[ '’]))/.test(next) && !/[[(]/.test(text[at - 1] ?? '')
  return stop !== '.' || !isInside(place, next, rules)
}

/** True if the full stop at `at` ends its sentence, and not only an abbreviation. The end of the text and a blank line end one, too. */
export function endsSentence(text: string, at: number, rules: SentenceRules): boolean {
  const closed = at + 1 + matchAt(CLOSING, text, at + 1).length
  const after = text.slice(closed, closed + PIECE)
  const rest = after.trimStart()
  if (rest === '') return true
  if (rest.length === after.length) return false
  if (/^\s*\n[^\S\n]*\n/.test(after)) return true
  const head = text.slice(Math.max(0, at - 2 * PIECE), closed).replaceAll(/\s/g, ' ')
  const stop = head.length - (closed - at)
  return isEnd({ text: `${head} ${rest}`, from: 0, at: stop, end: head.length }, '.', rules)
}

/** True if a blank is missing between two sentences, as in "the end.The next". */
function isGlued({ text, at, end }: Place, { starters, open }: SentenceRules): boolean {
  if (!/[\p{Ll}\p{N}]{2}$/u.test(text.slice(Math.max(0, at - 2), at))) return false
  const [next] = /^\p{Lu}\p{Ll}*(?=[ .’'])/u.exec(text.slice(end, end + PIECE)) ?? ['']
  const isTitle = text[end + next.length] === '.' && isListed(open, next)
  return next !== '' && (isTitle || (starters.has(lower(next)) && text[end + next.length] !== '.'))
}

/** Sentences of a text with single blanks and without line breaks. */
export function cutAtBorders(text: string, rules: SentenceRules): string[] {
  const sentences: string[] = []
  const pairs = pairsOf(text)
  let from = 0
  const cut = (end: number) => {
    const sentence = text.slice(from, end).trim()
    if (sentence !== '') sentences.push(sentence)
    from = end
  }
  for (const { 0: stop, index: at } of text.matchAll(STOPS[rules.ends])) {
    if (at < from) continue
    let end = at + stop.length
    end += matchAt(CITATION, text, end).length
    end += matchAt(CLOSING, text, end).length
    if (end >= text.length) break
    const isFull = FULL.test(stop)
    const place = { text, from, at, end }
    const isHere = isFull ? isFullEnd(text, end) : text[end] === ' ' ? isEnd(place, stop, rules) : isGlued(place, rules)
    if (isHere && !isQuoted(text, from, end, pairs)) cut(end)
  }
  cut(text.length)
  return sentences
}

/** Most characters of a quotation or a title that is kept whole. */
const MAX_QUOTED = 160
const PAIRS = ['“”', '„“', '„”', '‹›', '《》', '「」', '『』', '（）'] as const

/** The pairs of a text; guillemets open with the one that comes first. */
function pairsOf(text: string): readonly string[] {
  const [left, right] = [text.indexOf('«'), text.indexOf('»')]
  if (left < 0 || right < 0) return PAIRS
  return [...PAIRS, left < right ? '«»' : '»«']
}

const STRAIGHT = /(?<!\p{L})"|"(?!\p{L})/gu

/** True if a short quotation is open at `end` that closes soon. */
function isQuoted(text: string, from: number, end: number, pairs: readonly string[]): boolean {
  const head = text.slice(Math.max(from, end - MAX_QUOTED), end)
  const tail = text.slice(end, end + MAX_QUOTED)
  const fits = (opened: number, closed: number) => closed >= 0 && head.length - opened + closed <= MAX_QUOTED
  for (const [open, close] of pairs) {
    const opened = head.lastIndexOf(open!)
    if (opened >= 0 && opened > head.lastIndexOf(close!)) {
      const closed = tail.indexOf(close!)
      const again = tail.indexOf(open!)
      if (fits(opened, closed) && (again < 0 || again > closed)) return true
    }
  }
  // Equal marks open and close: an odd number of them is open. Those inside a word are letters of Hebrew.
  const marks = end - from <= MAX_QUOTED ? [...head.matchAll(STRAIGHT)] : []
  return marks.length % 2 === 1 && fits(marks.at(-1)!.index, tail.search(/"(?=[ .,;:!?)]|$)/))
}

/** A mark of a script without blanks ends a sentence unless the sentence goes on after its quotation. */
const isFullEnd = (text: string, end: number): boolean => {
  const rest = text.slice(end, end + 2).trimStart()
  return !/^[、，,；：と]/u.test(rest) && !/^[\p{Ll})）]/u.test(rest)
}
