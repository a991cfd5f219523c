// Parses a manuscript into chapters and spans. Pure and total: every text parses, in one pass. The README has the grammar.
import { composed } from '../unicode/compose.ts'
import { readScriptLine, TO_ESCAPE } from './line.ts'
import { pauseOf } from './pause.ts'
import type { Chapter } from './span.ts'
import { titleLineOf } from './title-line.ts'
import { createScriptWriter } from './writer.ts'

/** UTF-16 units. */
export const TITLE_CHARS = 200
const VOICE = /^\[voice:([^[\]]*)\]$/i
const STYLE = /^\[(\/?)(slow|fast|emphasis|spell)\]$/i
/** A take from 2 to 99. */
const TAKE = /^\[(?:(\/)take|take\s{1,8}([2-9]|[1-9]\d))\]$/i
const LINE_ENDS = /[\n\r\u2028\u2029]+/g
/** UTF-16 units that are parsed in one step, and what each token and each line adds to them. */
const CHARS_A_STEP = 16_384
const TOKEN_CHARS = 32
/**
 * An escaped character, an inline pronunciation, a tag, or a stretch of other text. A long stretch ends at a blank where there is one, and never
 * between a character and its marks.
 */
const TOKEN = /\\[\\[#|]|\[\[[^[\]]{1,512}\]\]|\[[^[\]]{1,210}\]|[^\\[]{1,4096}[^\\[\s]{0,256}\p{M}{0,30}|[\\[]/gu

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
  const writer = createScriptWriter()
  let left = CHARS_A_STEP
  for (const line of linesOf(written)) {
    // Also between lines without tokens, such as blank ones and titles.
    if (left <= 0) {
      yield
      left = CHARS_A_STEP
    }
    left -= TOKEN_CHARS
    const chapter = titleLineOf(line)
    if (chapter !== null) {
      if (writer.count() > mostChapters) break
      writer.chapter({ ...chapter, title: chapter.title.slice(0, TITLE_CHARS) })
      continue
    }
    const { kind, texts, isIndented } = readScriptLine(line)
    if (kind === null) {
      writer.border()
      continue
    }
    writer.line(kind, line, isIndented)
    for (const [at, text] of texts.entries()) {
      if (at > 0) writer.say('\t')
      for (const [token] of text.matchAll(TOKEN)) {
        readToken(token, writer)
        left -= token.length + TOKEN_CHARS
        if (left > 0) continue
        yield
        left = CHARS_A_STEP
      }
    }
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
function readToken(written: string, writer: ReturnType<typeof createScriptWriter>): void {
  const token = composed(written)
  const pauseMs = pauseOf(token)
  const style = STYLE.exec(token)
  const voice = VOICE.exec(token)
  const take = TAKE.exec(token)
  if (pauseMs !== null) writer.pause(pauseMs)
  else if (voice) writer.voice(voice[1]!)
  else if (style) writer.style(style[2]!.toLowerCase(), style[1] === '')
  else if (take) writer.take(take[2] === undefined ? null : Number(take[2]))
  else writer.say(token.length === 2 && token.startsWith('\\') ? token[1]! : token)
}

/** The script that reads as `text`. */
export const escapeScript = (text: string): string =>
  text.replaceAll(TO_ESCAPE, (found) => (found.trim() === '' ? `${found}\\` : `\\${found}`))
