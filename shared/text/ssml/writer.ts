// Collects what a document says into spans: those of a manuscript, with the language, the volume and the marks that SSML has beside them. Pure.
import { LONGEST_PAUSE_MS } from '../script/pause.ts'
import type { ScriptSpan } from '../script/span.ts'

export type Style = {
  readonly voice: string | null
  /** Language tag; null for that of the document. */
  readonly language: string | null
  /** Share of the usual speed. */
  readonly speed: number
  /** Decibels beside the usual volume. */
  readonly gainDb: number
}
export type SsmlSpan = ScriptSpan & {
  readonly language: string | null
  readonly gainDb: number
  /** Names of the marks that are passed before its first word. */
  readonly marks: readonly string[]
}
type Written = { -readonly [K in keyof SsmlSpan]: SsmlSpan[K] }

const SPEAKABLE = /[\p{L}\p{N}]/u
const ENDS = /[.!?…。！？:;：；।॥۔؟]["'”’»)\]」』]{0,3}\s*$/u
/** Marks that belong to the word after them. */
const OPENING: ReadonlySet<string> = new Set('“„‘‚«‹([{¿¡')
/** UTF-16 units in which the end of a sentence is looked for. */
const END_CHARS = 16
const [SLOWEST, FASTEST] = [0.25, 4]

const sameStyle = (one: Style, other: Style): boolean =>
  one.voice === other.voice && one.language === other.language && one.speed === other.speed && one.gainDb === other.gainDb

/** Single blanks, and an empty line where a paragraph or a sentence ended. */
const tidy = (text: string): string =>
  text
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n[ \n]*/g, '\n\n')
    .trim()

/** The opening marks at the end of a text. */
function openingOf(text: string): string {
  let from = text.length
  while (from > 0 && OPENING.has(text[from - 1]!)) from--
  return text.slice(from)
}

export function createSsmlWriter() {
  const spans: Written[] = []
  let style: Style = { voice: null, language: null, speed: 1, gainDb: 0 }
  let marks: string[] = []
  let pauseMsBefore = 0
  let buffer: string[] = []
  let isSpeakable = false

  function flush(): void {
    const raw = buffer.join('')
    const text = tidy(raw)
    const opening = isSpeakable ? '' : openingOf(text)
    const last = spans.at(-1)
    const endsParagraph = raw.slice(raw.trimEnd().length).includes('\n')
    if (isSpeakable) {
      const speed = Math.round(Math.min(FASTEST, Math.max(SLOWEST, style.speed)) * 1000) / 1000
      spans.push({
        ...{ voice: style.voice, language: style.language, gainDb: style.gainDb },
        ...{ text, pauseMsAfter: 0, speed: speed === 1 ? null : speed, endsParagraph, endsLine: endsParagraph, kinds: [], marks },
      })
      marks = []
    } else if (last) {
      // Marks alone, such as the stop after an emphasised word, end the span before them.
      if (last.pauseMsAfter === 0) last.text += text.slice(0, text.length - opening.length).trim()
      if (endsParagraph) last.endsParagraph = last.endsLine = true
    }
    buffer = opening === '' ? [] : [opening]
    isSpeakable = false
  }

  return {
    /** `text`: of one piece of the document; its line breaks are blanks. */
    say(text: string): void {
      if (text === '') return
      buffer.push(text.replaceAll(/\s+/g, ' '))
      isSpeakable ||= SPEAKABLE.test(text)
    },
    style(next: Style): void {
      if (!sameStyle(style, next)) flush()
      style = next
    },
    paragraph(): void {
      buffer.push('\n')
    },
    /** Ends a sentence; one without a mark at its end gets a line of its own, and no full stop. */
    sentence(): void {
      const tail = buffer.slice(-END_CHARS).join('').slice(-END_CHARS)
      buffer.push(tail.trim() === '' || ENDS.test(tail) ? ' ' : '\n')
    },
    pause(ms: number): void {
      flush()
      const last = spans.at(-1)
      if (last) last.pauseMsAfter = Math.min(LONGEST_PAUSE_MS, last.pauseMsAfter + ms)
      else pauseMsBefore = Math.min(LONGEST_PAUSE_MS, pauseMsBefore + ms)
    },
    mark(name: string): void {
      flush()
      marks.push(name)
    },
    count: (): number => spans.length + marks.length,
    /** The end of what was said since the last change. */
    tail: (): string => buffer.slice(-4).join(''),
    end(): { readonly spans: readonly SsmlSpan[]; readonly pauseMsBefore: number; readonly marksAfter: readonly string[] } {
      buffer.push('\n')
      flush()
      return { spans, pauseMsBefore, marksAfter: marks }
    },
  }
}
