// A kept transcript as the files that people save: text, subtitles, and all of it as JSON. Pure.

import type { WrittenFormat } from '../recognition.schema.ts'
import { type SubtitleSegment, toSrt, toVtt } from '../transcript/subtitles.ts'
import { type KeptTranscript, textOfWords } from './kept-transcript.schema.ts'

type Segment = KeptTranscript['segments'][number]
type Words = Segment['words']

const TYPES: Readonly<Record<WrittenFormat, string>> = {
  txt: 'text/plain; charset=utf-8',
  srt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json',
}
/** A longer pause begins a paragraph. */
const PAUSE_SECONDS = 1.5
/** A paragraph of as many characters ends with its sentence. */
const LONG_CHARS = 600
const SENTENCE_END = /[.!?…。！？]["'”’)]*$/u
/** Limits of a cue that people can read in time. */
const [LINE_CHARS, CUE_CHARS, CUE_SECONDS] = [42, 84, 7]

const named = (speaker: string, text: string) => (speaker ? `${speaker}: ${text}` : text)

function plainText({ segments }: KeptTranscript): string {
  const paragraphs: { speaker: string; texts: string[]; chars: number; end: number }[] = []
  for (const { speaker, words } of segments) {
    const text = textOfWords(words)
    if (text === '') continue
    const [start, end] = [words[0]![0], words.at(-1)![1]]
    const last = paragraphs.at(-1)
    const isLong = last !== undefined && last.chars >= LONG_CHARS && SENTENCE_END.test(last.texts.at(-1)!)
    if (last && last.speaker === speaker && start - last.end <= PAUSE_SECONDS && !isLong) {
      last.texts.push(text)
      last.chars += text.length
      last.end = end
    } else paragraphs.push({ speaker, texts: [text], chars: text.length, end })
  }
  return `${paragraphs.map(({ speaker, texts }) => named(speaker, texts.join(' '))).join('\n\n')}\n`
}

/** Words of one cue, in parts that can be read in time. */
function cuesOf({ speaker, words }: Segment): SubtitleSegment[] {
  const cues: Words[] = []
  let chars = 0
  for (const word of words) {
    const last = cues.at(-1)
    const fits = last && chars + word[2].length <= CUE_CHARS && word[1] - last[0]![0] <= CUE_SECONDS
    if (fits) last.push(word)
    else {
      cues.push([word])
      chars = named(speaker, '').length
    }
    chars += word[2].length
  }
  return cues
    .map((own) => ({ start: own[0]![0], end: own.at(-1)![1], text: named(speaker, textOfWords(own)) }))
    .filter(({ text }) => text !== '')
}

/** Two lines of about the same length where one would be too long. */
function inLines(text: string): string {
  if (text.length <= LINE_CHARS) return text
  const middle = text.length / 2
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index)
  const nearest = blanks.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0]
  return nearest === undefined ? text : `${text.slice(0, nearest)}\n${text.slice(nearest + 1)}`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function json({ language, duration, segments }: KeptTranscript): string {
  const rows = segments.map(({ speaker, words }) => ({
    start: words[0]?.[0] ?? 0,
    end: words.at(-1)?.[1] ?? 0,
    ...(speaker && { speaker }),
    text: textOfWords(words),
    words: words.map(([start, end, word]) => ({ start, end, word: word.trim() })),
  }))
  return `${JSON.stringify({ language, duration, segments: rows }, null, 2)}\n`
}

export function writtenTranscript(transcript: KeptTranscript, format: WrittenFormat): { readonly type: string; readonly text: string } {
  const type = TYPES[format]
  if (format === 'txt') return { type, text: plainText(transcript) }
  if (format === 'json') return { type, text: json(transcript) }
  const cues = transcript.segments.flatMap(cuesOf)
  return { type, text: format === 'srt' ? toSrt(cues, inLines) : toVtt(cues, (text) => escaped(inLines(text))) }
}
