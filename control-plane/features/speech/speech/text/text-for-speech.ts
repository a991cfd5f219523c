// The one entrance of texts for speech: a plain text loses its marks, and SSML becomes a text with inline marks and what it says about all of it.

import { Failure } from '#shared/protocol/failure.ts'
import { withoutMarkup } from '#shared/text/clean/markup.ts'
import { markTag } from '#shared/text/script/mark.ts'
import { isSsml } from '#shared/text/ssml/is-ssml.ts'
import type { Ssml } from '#shared/text/ssml/parse.ts'
import type { TextFormat } from '../speech.schema.ts'

export type TextForSpeech = {
  /** With pauses, marks and pronunciations in brackets. */
  readonly text: string
  /** Voice of SSML, which wins over that of the request; null without one. */
  readonly voice: string | null
  /** Language tag of SSML, over which that of the request wins; null without one. */
  readonly language: string | null
  /** Share of the speed of the request. */
  readonly speed: number
  /** Sentences for the listener. */
  readonly notices: readonly string[]
}
/** An element of SSML. */
const MARKUP =
  /<\/?(?:(?:speak|break|prosody|emphasis|say-as|phoneme|lexicon)(?=[\s/>])|(?:sub|voice|lang|audio|mark)\s+\w+=|(?:amazon|mstts|google):)/i
const refused = (why: string) => new Failure('INVALID_TASK_PARAMS', why)

/**
 * `format`: null reads a text that begins with `<speak` as SSML. `language`: tag of the request; null if it names none. Throws
 * INVALID_TASK_PARAMS for SSML that is not read, and for markup in a text whose format is not named.
 */
export async function textForSpeech(written: string, format: TextFormat | null, language: string | null): Promise<TextForSpeech> {
  if (format !== 'ssml' && !(format === null && isSsml(written))) {
    if (format === null && MARKUP.test(written))
      throw refused(
        'The text has elements of SSML, but does not begin with <speak>. Write <speak> around it, or send text_format "text" to have the markup read aloud.',
      )
    return { text: withoutMarkup(written), voice: null, language: null, speed: 1, notices: [] }
  }
  // Loaded here, because few texts are SSML.
  const { parseSsml } = await import('#shared/text/ssml/parse.ts')
  const { SsmlRefusal } = await import('#shared/text/ssml/refusal.ts')
  try {
    return inline(parseSsml(written, language))
  } catch (error) {
    throw error instanceof SsmlRefusal ? refused(error.message) : error
  }
}

/** Speed of a request with this text, within the limits of requests. */
export const speedOf = (asked: number, { speed }: TextForSpeech): number => Math.min(4, Math.max(0.25, asked * speed))

/** Notice about marks of a text that are not in what is sent to the engine. */
export const unsentMarks = ({ text }: TextForSpeech, sent: string): string[] =>
  text === sent ? [] : ['Marks are sent with stream_format "sse" and on /ws/tts only.']

/** The spans as one text: a request has one voice, one language and one speed. */
function inline({ spans, pauseMsBefore, marksAfter, language, notices }: Ssml): TextForSpeech {
  if (spans.length === 0) throw refused('The SSML contains nothing that can be spoken.')
  const pieces: string[] = [pauseOf(pauseMsBefore)]
  for (const [index, { text, pauseMsAfter, marks, endsParagraph }] of spans.entries()) {
    pieces.push(...marks.map((name) => `${markTag(name)} `), text, pauseOf(pauseMsAfter))
    if (index < spans.length - 1) pieces.push(endsParagraph ? '\n\n' : ' ')
  }
  const [first] = spans
  const differs = (key: 'voice' | 'language' | 'speed') => spans.some((span) => span[key] !== first![key])
  const voice = spans.find((span) => span.voice !== null)?.voice ?? null
  return {
    text: [...pieces, ...marksAfter.map((name) => ` ${markTag(name)}`)].join('').trim(),
    voice,
    language: differs('language') ? language : (first!.language ?? language),
    speed: differs('speed') ? 1 : (first!.speed ?? 1),
    notices: [
      ...notices,
      ...(differs('voice') ? [`A request speaks with one voice, so ${voice} speaks all of it. Books change their voice.`] : []),
      ...(differs('language') ? ['A request has one language, so <lang> has no effect on a part of it.'] : []),
      ...(differs('speed')
        ? ['A request has one speed, so <prosody> and <emphasis> have no effect on a part of it. Books change theirs.']
        : []),
      ...(spans.some(({ gainDb }) => gainDb !== 0) ? ['No engine follows the volume of <prosody>.'] : []),
    ],
  }
}

const pauseOf = (ms: number): string => (ms > 0 ? ` [pause ${Math.round(ms)}ms]` : '')
