// @ts-check
// A transcript as paragraphs, and as the files that people save. Pure.

/** @typedef {{ readonly start: number, readonly end: number, readonly text: string, readonly speaker: string }} Segment seconds; speaker '' when unknown */
/** @typedef {{ readonly language: string, readonly duration: number, readonly segments: readonly Segment[] }} Transcript */
/** @typedef {{ readonly speaker: string, readonly start: number, readonly segments: readonly Segment[] }} Paragraph */

/** A longer pause begins a paragraph. */
const PAUSE_SECONDS = 1.5
/** A paragraph that has as many characters ends with its sentence. */
const LONG_CHARS = 600
const SENTENCE_END = /[.!?…。！？]["'”’)]*$/u

/** @param {readonly Segment[]} segments @returns {Paragraph[]} */
export function paragraphsOf(segments) {
  /** @type {{ speaker: string, start: number, segments: Segment[] }[]} */
  const found = []
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

/** @param {readonly Segment[]} segments */
const joined = (segments) => segments.map(({ text }) => text.trim()).join(' ')

/** Paragraphs with their speakers. @param {Transcript} transcript */
export const plainText = ({ segments }) =>
  paragraphsOf(segments)
    .map(({ speaker, segments: own }) => (speaker ? `${speaker}: ${joined(own)}` : joined(own)))
    .join('\n\n')

/** 00:01:02,345 @param {number} seconds @param {string} point before the milliseconds */
function stamp(seconds, point) {
  const millis = Math.round(seconds * 1000)
  const two = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, '0')
  return `${two(millis / 3600_000)}:${two((millis / 60_000) % 60)}:${two((millis / 1000) % 60)}${point}${String(millis % 1000).padStart(3, '0')}`
}

/** One line without what would end a cue. @param {Segment} segment */
const cueText = ({ speaker, text }) => `${speaker ? `${speaker}: ` : ''}${text}`.replaceAll(/\s+/g, ' ').replaceAll('-->', '→').trim()

/** @param {Transcript} transcript */
export const toSrt = ({ segments }) =>
  segments.map((one, at) => `${at + 1}\n${stamp(one.start, ',')} --> ${stamp(one.end, ',')}\n${cueText(one)}\n`).join('\n')

/** @param {string} text */
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** @param {Transcript} transcript */
export const toVtt = ({ segments }) =>
  `WEBVTT\n\n${segments.map((one) => `${stamp(one.start, '.')} --> ${stamp(one.end, '.')}\n${escaped(cueText(one))}\n`).join('\n')}`

/** @param {Transcript} transcript */
export const toJson = (transcript) => `${JSON.stringify(transcript, null, 2)}\n`

/** 1:02, or 1:02:03. @param {number} seconds */
export function clockTime(seconds) {
  const whole = Math.floor(seconds)
  const rest = String(whole % 60).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}:${rest}`
}

/** The name of the saved file. @param {string} name of the recording @param {string} extension */
export const fileName = (name, extension) => `${name.replace(/\.[^.]{1,8}$/, '').slice(0, 100) || 'transcript'}.${extension}`

/** @param {Transcript} transcript @param {string} from @param {string} to @returns {Transcript} */
export const renamed = (transcript, from, to) => ({
  ...transcript,
  segments: transcript.segments.map((segment) => (segment.speaker === from ? { ...segment, speaker: to } : segment)),
})
