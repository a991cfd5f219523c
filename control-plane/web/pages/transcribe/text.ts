// Segments as paragraphs, and as the files that people save. Pure.

/** seconds; speaker '' when unknown */
export type Segment = { readonly start: number; readonly end: number; readonly text: string; readonly speaker: string }
export type Transcript = { readonly language: string; readonly duration: number; readonly segments: readonly Segment[] }
export type Paragraph = { readonly speaker: string; readonly start: number; readonly segments: readonly Segment[] }

/** A longer pause begins a paragraph. */
const PAUSE_SECONDS = 1.5
/** A paragraph that has as many characters ends with its sentence. */
const LONG_CHARS = 600
const SENTENCE_END = /[.!?…。！？]["'”’)]*$/u

export function paragraphsOf(segments: readonly Segment[]): Paragraph[] {
  const found: { speaker: string; start: number; segments: Segment[] }[] = []
  let length = 0
  for (const segment of segments) {
    const last = found.at(-1)
    const before = last?.segments.at(-1)
    const continues =
      last !== undefined &&
      before !== undefined &&
      last.speaker === segment.speaker &&
      segment.start - before.end <= PAUSE_SECONDS &&
      !(length >= LONG_CHARS && SENTENCE_END.test(before.text))
    if (continues) last.segments.push(segment)
    else {
      found.push({ speaker: segment.speaker, start: segment.start, segments: [segment] })
      length = 0
    }
    length += segment.text.length
  }
  return found
}

const joined = (segments: readonly Segment[]) => segments.map(({ text }) => text.trim()).join(' ')

/** Paragraphs with their speakers. */
export const plainText = ({ segments }: Transcript) =>
  paragraphsOf(segments)
    .map(({ speaker, segments: own }) => (speaker ? `${speaker}: ${joined(own)}` : joined(own)))
    .join('\n\n')

/** 00:01:02,345. `point`: before the milliseconds */
function stamp(seconds: number, point: string) {
  const millis = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(millis / 3600_000)}:${two((millis / 60_000) % 60)}:${two((millis / 1000) % 60)}${point}${String(millis % 1000).padStart(3, '0')}`
}

/** One line without what would end a cue. */
const cueText = ({ speaker, text }: Segment) =>
  `${speaker ? `${speaker}: ` : ''}${text}`.replaceAll(/\s+/g, ' ').replaceAll('-->', '→').trim()

export const toSrt = ({ segments }: Transcript) =>
  segments.map((one, at) => `${at + 1}\n${stamp(one.start, ',')} --> ${stamp(one.end, ',')}\n${cueText(one)}\n`).join('\n')

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const toVtt = ({ segments }: Transcript) =>
  `WEBVTT\n\n${segments.map((one) => `${stamp(one.start, '.')} --> ${stamp(one.end, '.')}\n${escaped(cueText(one))}\n`).join('\n')}`

/** The name of the saved file. `name`: of the recording */
export const fileName = (name: string, extension: string) =>
  `${name.replace(/\.[^.]{1,8}$/, '').slice(0, 100) || 'transcript'}.${extension}`
