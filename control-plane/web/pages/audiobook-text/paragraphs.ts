// A chapter as paragraphs that are read, heard and changed one by one. The text stays the manuscript: each change is one of the text. Pure.

/** `from` and `to`: places in the text of the chapter. `take`: its number, 1 for the first. */
export type Piece = { readonly from: number; readonly to: number; readonly take: number } & (
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'say'; readonly text: string; readonly as: string }
  /** A change of the voice inside of the paragraph. */
  | { readonly kind: 'voice'; readonly name: string }
)
export type Paragraph = {
  readonly from: number
  readonly to: number
  /** Places at which the marks of its voice begin, after the mark of its line, and its words, after both. */
  readonly voices: number
  readonly words: number
  /** Voice as the manuscript names it, '' for the narrator; and the voice that it would have without a mark. */
  readonly speaker: string
  readonly inherited: string
  readonly isHeading: boolean
  /** True for a scene break, which has no words. */
  readonly isBreak: boolean
  readonly pieces: readonly Piece[]
}

/** Columns beyond which a line is a paragraph by itself. */
const LONG_LINE = 120
const VOICE = /^\[voice:([^[\]]{0,200})\]$/i
const PAUSE = /^\[pause(?:(?:\s+|\s?:\s?)(\d{1,9}(?:\.\d{1,9})?)\s*(ms|s))?\]$/i
const TAKE = /^\[take\s{1,8}([2-9]|[1-9]\d)\]$/i
const STYLE = /^\[\/?(?:slow|fast|emphasis|spell|take)\]$/i
const SAY = /^\[\[([^[\]|]{1,256})(?:\|([^[\]|]{1,256}))?\]\]$/
const TOKEN = /\\[\\[#|]|\[\[[^[\]]{1,512}\]\]|\[[^[\]]{1,210}\]|[^\\[]+|[\\[]/g
const LEADING_VOICES = /^(?:\[voice:[^[\]]{0,200}\][ \t]{0,40})+/i
const HEADING = /^#{2,} /
/** Mark of the layout at the start of a line. A mark of a voice stands after it. */
const LINE_MARK = /^[ \t]{0,40}(?:>(?: |$)){0,40}(?:#{2,}[ \t]|- |\d{1,9}\. |\|)?[ \t]{0,40}/
const SCENE_BREAK = /^[ \t]{0,40}\*(?: ?\*){2,29} {0,2}$/
const DEFAULT_PAUSE_MS = 500
export const MOST_TAKES = 99

const nameIn = (mark: string): string => {
  const name = (VOICE.exec(mark)?.[1] ?? '').trim()
  return name.toLowerCase() === 'default' ? '' : name
}

/** Ranges of the paragraphs of a chapter, without its title. */
function* rangesIn(text: string): Generator<{ from: number; to: number }> {
  let from = -1
  let at = 0
  for (const line of text.split('\n')) {
    const isBlank = line.trim() === ''
    const isTitle = line.startsWith('# ')
    const stands = line.length > LONG_LINE || HEADING.test(line) || SCENE_BREAK.test(line)
    if (from >= 0 && (isBlank || isTitle || stands)) {
      yield { from, to: at - 1 }
      from = -1
    }
    if (stands) yield { from: at, to: at + line.length }
    else if (!isBlank && !isTitle && from < 0) from = at
    at += line.length + 1
  }
  if (from >= 0) yield { from, to: text.length }
}

function piecesIn(text: string, from: number, speaker: string): { pieces: Piece[]; last: string } {
  const pieces: Piece[] = []
  let [take, last] = [1, speaker]
  const add = (piece: Piece) => {
    const before = pieces.at(-1)
    if (piece.kind === 'words' && before?.kind === 'words' && before.take === piece.take && before.to === piece.from)
      pieces[pieces.length - 1] = { ...before, text: before.text + piece.text, to: piece.to }
    else pieces.push(piece)
  }
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const place = { from: from + index, to: from + index + token.length, take }
    const pause = PAUSE.exec(token)
    const say = SAY.exec(token)
    const number = TAKE.exec(token)?.[1]
    if (pause) add({ ...place, kind: 'pause', ms: Number(pause[1] ?? DEFAULT_PAUSE_MS) * (pause[2]?.toLowerCase() === 's' ? 1000 : 1) })
    else if (say) add({ ...place, kind: 'say', text: say[1]!, as: say[2] ?? say[1]! })
    else if (number !== undefined) take = Number(number)
    else if (token.toLowerCase() === '[/take]') take = 1
    else if (VOICE.test(token)) {
      last = nameIn(token)
      add({ ...place, kind: 'voice', name: last })
    } else if (!STYLE.test(token)) {
      const isEscaped = token.length === 2 && token.startsWith('\\')
      add({ ...place, kind: 'words', text: isEscaped ? token[1]! : token })
    }
  }
  return { pieces, last }
}

export function paragraphsOf(text: string): Paragraph[] {
  let inherited = ''
  return [...rangesIn(text)].map(({ from, to }) => {
    const written = text.slice(from, to)
    const isBreak = SCENE_BREAK.test(written)
    const voices = from + (LINE_MARK.exec(written)?.[0].length ?? 0)
    const own = LEADING_VOICES.exec(text.slice(voices, to))?.[0] ?? ''
    const marks = [...own.matchAll(/\[voice:[^[\]]{0,200}\]/gi)]
    const speaker = marks.length > 0 ? nameIn(marks.at(-1)![0]) : inherited
    const words = voices + own.length
    const isHeading = HEADING.test(written)
    const { pieces, last } = piecesIn(text.slice(words, to), words, speaker)
    const paragraph = { from, to, voices, words, speaker, inherited, isHeading, isBreak, pieces }
    inherited = last
    return paragraph
  })
}

const markOfVoice = (name: string) => `[voice:${name || 'default'}] `
const replaced = (text: string, from: number, to: number, by: string) => text.slice(0, from) + by + text.slice(to)

/** The chapter with another voice for one paragraph. The paragraphs after it keep theirs. */
export function withSpeaker(text: string, paragraphs: readonly Paragraph[], index: number, name: string): string {
  const one = paragraphs[index]
  const next = paragraphs.slice(index + 1).find(({ isBreak }) => !isBreak)
  if (!one || one.isBreak || one.speaker === name) return text
  const own = replaced(text, one.voices, one.words, name === one.inherited ? '' : markOfVoice(name))
  const switchesLater = one.pieces.some(({ kind }) => kind === 'voice')
  if (!next || switchesLater || next.words > next.voices) return own
  const at = next.voices + own.length - text.length
  return replaced(own, at, at, markOfVoice(next.speaker))
}

/** The chapter with another text for one paragraph. */
export const withWords = (text: string, { from, to }: Pick<Paragraph, 'from' | 'to'>, words: string): string =>
  replaced(text, from, to, words.trim())

/**
 * The chapter after a paragraph was edited, which may have moved meanwhile. If it was changed elsewhere as well, both are kept. `before`: its text
 * when the editing began
 */
export function withEdited(
  text: string,
  paragraphs: readonly Paragraph[],
  index: number,
  { before, words }: { before: string; words: string },
): string {
  const isIt = ({ from, to }: Paragraph) => text.slice(from, to) === before
  const there = paragraphs[index]
  const one = there && isIt(there) ? there : paragraphs.find(isIt)
  if (one) return withWords(text, one, words)
  const at = there?.to ?? text.trimEnd().length
  return words.trim() === '' ? text : replaced(text, at, at, `\n\n${words.trim()}\n`)
}

/** The chapter without a pause. The paragraph stays one of its own. */
export const withoutPause = (text: string, paragraph: { from: number }, { from, to }: { from: number; to: number }): string =>
  text.slice(0, paragraph.from) + text.slice(paragraph.from, from).trimEnd() + (text[to] === ' ' ? '' : ' ') + text.slice(to)

/** The words of a range, without the marks of a take. */
const untaken = (text: string) => text.replaceAll(/\[take\s{1,8}\d{1,2}\]|\[\/take\]/gi, '')

/**
 * The chapter with a take of a range of words. A range that has a take gets another number. `take`: from 1 on. Returns the range, with its marks
 * outside of it.
 */
export function withTake(text: string, range: { from: number; to: number }, take: number): { text: string; from: number; to: number } {
  const open = /\[take\s{1,8}\d{1,2}\]$/i.exec(text.slice(0, range.from))?.[0].length ?? 0
  const close = /^\[\/take\]/i.exec(text.slice(range.to))?.[0].length ?? 0
  const [from, to] = [range.from - open, range.to + close]
  const words = untaken(text.slice(range.from, range.to))
  const [before, after] = take > 1 ? [`[take ${Math.min(take, MOST_TAKES)}]`, '[/take]'] : ['', '']
  return { text: replaced(text, from, to, before + words + after), from: from + before.length, to: from + before.length + words.length }
}

/** The manuscript that speaks a range alone as it is spoken in its chapter. `take`: of its words */
export const alone = (
  text: string,
  { from, to }: { from: number; to: number },
  { speaker, take }: { speaker: string; take: number },
): string => `${speaker === '' ? '' : markOfVoice(speaker)}${take > 1 ? `[take ${take}]` : ''}${text.slice(from, to)}`

const segmenters = new Map<string, Intl.Segmenter>()
/** Ranges of the sentences of a piece of words, without blanks around them. `language`: '' if it is not known */
export function sentencesOf(
  { text, from }: { readonly text: string; readonly from: number },
  language: string,
): { from: number; to: number; text: string }[] {
  let segmenter = segmenters.get(language)
  if (!segmenter) {
    segmenter = segmenterOf(language)
    segmenters.set(language, segmenter)
  }
  return [...segmenter.segment(text)].map(({ segment, index }) => ({
    from: from + index,
    to: from + index + segment.length,
    text: segment,
  }))
}

/** A language that a file names may be none. */
function segmenterOf(language: string): Intl.Segmenter {
  try {
    return new Intl.Segmenter(language || undefined, { granularity: 'sentence' })
  } catch {
    return new Intl.Segmenter(undefined, { granularity: 'sentence' })
  }
}
