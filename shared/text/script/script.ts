// Parses a manuscript into chapters and spans. Pure and total: every text parses, in one pass. The README has the grammar.
import { LONGEST_PAUSE_MS, pauseOf } from './pause.ts'

export type ScriptSpan = {
  /** As it is written in the script; null for the default voice. */
  readonly voice: string | null
  /** Paragraphs are separated by blank lines; `[[…]]` and tags that are not part of the grammar are kept. */
  readonly text: string
  readonly pauseMsAfter: number
  /** Null at the usual speed. */
  readonly speed: number | null
  /** Whether a paragraph ends after this span. */
  readonly endsParagraph: boolean
}
/** `title`: empty for text before the first heading. */
export type Chapter = { readonly title: string; readonly spans: readonly ScriptSpan[] }

/** Share of the usual speed. */
const SPEEDS: Readonly<Record<string, number>> = { slow: 0.85, fast: 1.15, emphasis: 0.93, spell: 1 }
/** UTF-16 units. */
export const TITLE_CHARS = 200
const CHAPTER = /^#[ \t](.*)$/
const DEEPER = /^#{2,}[ \t](.*)$/
const VOICE = /^\[voice:([^[\]]*)\]$/i
const STYLE = /^\[(\/?)(slow|fast|emphasis|spell)\]$/i
/** An escaped character, an inline pronunciation, a tag, or a stretch of other text. */
const TOKEN = /\\[\\[#]|\[\[[^[\]]{1,512}\]\]|\[[^[\]]{1,210}\]|[^\\[]+|[\\[]/g

/** A chapter without spans is kept if it has a title. */
export function parseScript(written: string): Chapter[] {
  const writer = createWriter()
  let isInParagraph = false
  for (const line of written.normalize('NFC').split(/\r\n|[\n\r\u2028\u2029]/)) {
    const title = CHAPTER.exec(line)?.[1]
    const deeper = title === undefined ? DEEPER.exec(line)?.[1] : undefined
    const isText = title === undefined && deeper === undefined && line.trim() !== ''
    if (title !== undefined) writer.chapter(title)
    else if (isText) {
      if (isInParagraph) writer.say('\n')
      readTokens(line, writer)
    } else {
      writer.border()
      readTokens(deeper ?? '', writer)
      writer.border()
    }
    isInParagraph = isText
  }
  return writer.chapters()
}

function readTokens(line: string, writer: ReturnType<typeof createWriter>): void {
  for (const [token] of line.matchAll(TOKEN)) {
    const pauseMs = pauseOf(token)
    const style = STYLE.exec(token)
    const voice = VOICE.exec(token)
    if (pauseMs !== null) writer.pause(pauseMs)
    else if (voice) writer.voice(voice[1]!)
    else if (style) writer.style(style[2]!.toLowerCase(), style[1] === '')
    else writer.say(token.length === 2 && token.startsWith('\\') ? token[1]! : token)
  }
}

function createWriter() {
  const chapters: { title: string; spans: { -readonly [K in keyof ScriptSpan]: ScriptSpan[K] }[] }[] = [{ title: '', spans: [] }]
  let voice: string | null = null
  let styles: string[] = []
  let buffer: string[] = []
  let isBlank = true
  /** A paragraph has ended inside the buffer. */
  let isBroken = false
  const spans = () => chapters.at(-1)!.spans

  function flush(endsParagraph = isBroken): void {
    if (!isBlank) spans().push({ voice, text: buffer.join('').trim(), pauseMsAfter: 0, speed: speedOf(styles), endsParagraph })
    else if (endsParagraph && spans().length > 0) spans().at(-1)!.endsParagraph = true
    buffer = []
    isBlank = true
    isBroken = false
  }
  return {
    chapter(title: string): void {
      flush(true)
      chapters.push({ title: title.trim().slice(0, TITLE_CHARS), spans: [] })
      voice = null
      styles = []
    },
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
      if (!isBroken) buffer.push(styles.includes('spell') ? spelled(text) : text)
    },
    pause(ms: number): void {
      flush()
      // A pause before the first words of a chapter has nothing to follow.
      const last = spans().at(-1)
      if (last) last.pauseMsAfter = Math.min(LONGEST_PAUSE_MS, last.pauseMsAfter + ms)
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
      return chapters.filter(({ title, spans }) => title !== '' || spans.length > 0)
    },
  }
}

function speedOf(styles: readonly string[]): number | null {
  const speed = styles.reduce((product, style) => product * SPEEDS[style]!, 1)
  return speed === 1 ? null : Math.round(Math.min(4, Math.max(0.25, speed)) * 1000) / 1000
}

const spelled = (text: string): string => text.replaceAll(/[\p{L}\p{N}](?=[\p{L}\p{N}\p{M}])\p{M}*/gu, '$& ')

/** The script that reads as `text`. */
export const escapeScript = (text: string): string => text.replaceAll(/[\\[]|^#/gm, '\\$&')
