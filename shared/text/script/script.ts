// Parses a manuscript into chapters and spans. Pure and total: every text parses, in one pass. The README has the grammar.
import { composed } from '../unicode/compose.ts'
import { LONGEST_PAUSE_MS, pauseOf } from './pause.ts'

export type ScriptSpan = {
  /** Name as it is written in the script; null for the default voice. */
  readonly voice: string | null
  /** Paragraphs are separated by blank lines; `[[…]]` and tags that are not part of the grammar are kept. */
  readonly text: string
  readonly pauseMsAfter: number
  /** Null at the usual speed. */
  readonly speed: number | null
  /** True if a paragraph ends after this span. */
  readonly endsParagraph: boolean
}
export type Chapter = {
  /** Empty for text before the first heading. */
  readonly title: string
  /** Silence before the first words. */
  readonly pauseMsBefore: number
  readonly spans: readonly ScriptSpan[]
  /** Sentences about what is not followed, of a manuscript in SSML. */
  readonly notices?: readonly string[]
}

/** Share of the usual speed. */
const SPEEDS: Readonly<Record<string, number>> = { slow: 0.85, fast: 1.15, emphasis: 0.93, spell: 1 }
/** UTF-16 units. */
export const TITLE_CHARS = 200
const CHAPTER = /^#[ \t](.*)$/
const DEEPER = /^#{2,}[ \t](.*)$/
const VOICE = /^\[voice:([^[\]]*)\]$/i
const STYLE = /^\[(\/?)(slow|fast|emphasis|spell)\]$/i
const LINE_ENDS = /[\n\r\u2028\u2029]+/g
/** UTF-16 units that are parsed in one step, and what each token and each line adds to them. */
const CHARS_A_STEP = 16_384
const TOKEN_CHARS = 32
/** Pieces that are joined at once: to join a million of them takes a tenth of a second. */
const PIECES_JOINED = 1_024
/**
 * An escaped character, an inline pronunciation, a tag, or a stretch of other text. A long stretch ends at a blank where there is one, and never
 * between a character and its marks.
 */
const TOKEN = /\\[\\[#]|\[\[[^[\]]{1,512}\]\]|\[[^[\]]{1,210}\]|[^\\[]{1,4096}[^\\[\s]{0,256}\p{M}{0,30}|[\\[]/gu

/** A chapter without spans is kept if it has a title. */
export function parseScript(written: string): Chapter[] {
  const steps = scriptSteps(written)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * Parses a part with each step, because a large manuscript takes up to half a second. Ends early with more than `mostChapters`, because a chapter
 * takes only two characters.
 */
export function* scriptSteps(written: string, mostChapters = Number.POSITIVE_INFINITY): Generator<void, Chapter[]> {
  const writer = createWriter()
  let isInParagraph = false
  let left = CHARS_A_STEP
  for (const line of linesOf(written)) {
    // Also between lines without tokens, such as blank ones and titles.
    if (left <= 0) {
      yield
      left = CHARS_A_STEP
    }
    const title = CHAPTER.exec(line)?.[1]
    const deeper = title === undefined ? DEEPER.exec(line)?.[1] : undefined
    const isText = title === undefined && deeper === undefined && line.trim() !== ''
    if (title !== undefined) {
      if (writer.count() > mostChapters) break
      writer.chapter(title.trim().slice(0, TITLE_CHARS))
    } else {
      if (!isText) writer.border()
      else if (isInParagraph) writer.say('\n')
      for (const [token] of (isText ? line : (deeper ?? '')).matchAll(TOKEN)) {
        readToken(token, writer)
        left -= token.length + TOKEN_CHARS
        if (left <= 0) {
          yield
          left = CHARS_A_STEP
        }
      }
      if (!isText) writer.border()
    }
    isInParagraph = isText
    left -= TOKEN_CHARS
  }
  return writer.chapters()
}

/** Any number of empty lines is one. */
function* linesOf(text: string): Generator<string> {
  let from = 0
  for (const { index, 0: ends } of text.matchAll(LINE_ENDS)) {
    yield text.slice(from, index)
    if (ends.length > 1 && ends !== '\r\n') yield ''
    from = index + ends.length
  }
  yield text.slice(from)
}

/** Tokens are composed one by one, because a line may have megabytes. */
function readToken(written: string, writer: ReturnType<typeof createWriter>): void {
  const token = composed(written)
  const pauseMs = pauseOf(token)
  const style = STYLE.exec(token)
  const voice = VOICE.exec(token)
  if (pauseMs !== null) writer.pause(pauseMs)
  else if (voice) writer.voice(voice[1]!)
  else if (style) writer.style(style[2]!.toLowerCase(), style[1] === '')
  else writer.say(token.length === 2 && token.startsWith('\\') ? token[1]! : token)
}

function createWriter() {
  type Written = { readonly title: string; pauseMsBefore: number; readonly spans: { -readonly [K in keyof ScriptSpan]: ScriptSpan[K] }[] }
  const chapters: Written[] = [{ title: '', pauseMsBefore: 0, spans: [] }]
  let voice: string | null = null
  let styles: string[] = []
  /** Speech since the last span: joined pieces, and pieces. */
  let parts: string[] = []
  let buffer: string[] = []
  let isBlank = true
  /** A paragraph has ended inside the buffer. */
  let isBroken = false
  const chapter = () => chapters.at(-1)!
  const spans = () => chapter().spans

  function flush(endsParagraph = isBroken): void {
    if (!isBlank)
      spans().push({ voice, text: [...parts, ...buffer].join('').trim(), pauseMsAfter: 0, speed: speedOf(styles), endsParagraph })
    else if (endsParagraph && spans().length > 0) spans().at(-1)!.endsParagraph = true
    parts = []
    buffer = []
    isBlank = true
    isBroken = false
  }
  return {
    chapter(title: string): void {
      flush(true)
      const before = chapter()
      // The silence of a heading without text is that before the next words.
      const pauseMsBefore = before.spans.length === 0 ? before.pauseMsBefore : 0
      if (pauseMsBefore > 0) before.pauseMsBefore = 0
      if (isEmpty(before)) chapters.pop()
      chapters.push({ title: composed(title), pauseMsBefore, spans: [] })
      voice = null
      styles = []
    },
    /** Chapters with a title or words. */
    count: (): number => chapters.length - (isEmpty(chapter()) ? 1 : 0),
    border(): void {
      // A style that is still open ends with its paragraph.
      if (isBlank || styles.length > 0) flush(true)
      else isBroken = true
      styles = []
    },
    say(text: string): void {
      const hasWords = text.trim() !== ''
      if (isBroken && hasWords) {
        buffer.push('\n\n')
        isBroken = false
      }
      if (hasWords) isBlank = false
      if (isBroken) return
      buffer.push(styles.includes('spell') ? spelled(text) : text)
      if (buffer.length < PIECES_JOINED) return
      parts.push(buffer.join(''))
      buffer = []
    },
    pause(ms: number): void {
      flush()
      const last = spans().at(-1)
      if (last) last.pauseMsAfter = Math.min(LONGEST_PAUSE_MS, last.pauseMsAfter + ms)
      else chapter().pauseMsBefore = Math.min(LONGEST_PAUSE_MS, chapter().pauseMsBefore + ms)
    },
    voice(name: string): void {
      flush()
      const wanted = name.trim()
      voice = wanted === '' || wanted.toLowerCase() === 'default' ? null : wanted
    },
    style(name: string, opens: boolean): void {
      const at = styles.lastIndexOf(name)
      if (!opens && at < 0) return
      flush()
      styles = opens ? [...styles, name].slice(-8) : styles.toSpliced(at, 1)
    },
    chapters(): Chapter[] {
      flush(true)
      return chapters.filter((each) => !isEmpty(each))
    },
  }
}

const isEmpty = ({ title, spans }: Chapter): boolean => title === '' && spans.length === 0

function speedOf(styles: readonly string[]): number | null {
  const speed = styles.reduce((product, style) => product * SPEEDS[style]!, 1)
  return speed === 1 ? null : Math.round(Math.min(4, Math.max(0.25, speed)) * 1000) / 1000
}

/** The text with a blank between its letters and digits. */
export const spelled = (text: string): string => text.replaceAll(/[\p{L}\p{N}](?=[\p{L}\p{N}\p{M}])\p{M}*/gu, '$& ')

/** The script that reads as `text`. */
export const escapeScript = (text: string): string => text.replaceAll(/[\\[]|^#/gm, '\\$&')
