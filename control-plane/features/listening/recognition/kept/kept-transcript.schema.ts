// A transcript as the state of a project, which pages edit. What they send is opaque to the projects, so it is read with limits.

import { z } from 'zod'
import type { Transcript } from '../transcript/assemble.ts'
import { keptWordsOf } from './words.rules.ts'

/** The kind of its project. */
export const TRANSCRIPT_KIND = 'transcript'
const LATEST_SECONDS = 100 * 3600
const MAX_SEGMENTS = 50_000
const MAX_WORDS = 100_000
/** Text without blanks is one word if the recogniser gives no times. */
const MAX_WORD_CHARS = 1_000_000
const Seconds = z.number().min(0).max(LATEST_SECONDS)

const KeptSegment = z.object({
  /** '' for an unknown one. */
  speaker: z.string().max(128).default(''),
  words: z.array(z.tuple([Seconds, Seconds, z.string().max(MAX_WORD_CHARS)])).max(MAX_WORDS),
})
export const KeptTranscript = z.object({
  /** The job that made it. */
  job: z.string().max(128).default(''),
  /** Name of the recording. */
  file: z.string().max(1_000).default(''),
  language: z.string().max(64).default(''),
  duration: Seconds.default(0),
  engine: z.string().max(128).default(''),
  /** Seconds from the request to the transcript; 0 while unknown. */
  took: z.number().min(0).default(0),
  notice: z.string().max(10_000).default(''),
  /** Kind of work for which a model is missing. */
  needs: z.string().max(64).default(''),
  segments: z.array(KeptSegment).max(MAX_SEGMENTS),
})
export type KeptTranscript = z.output<typeof KeptTranscript>

type Facts = Pick<KeptTranscript, 'job' | 'file' | 'took'>

export function keptTranscriptOf({ language, seconds, engine, notice, segments }: Transcript, { job, file, took }: Facts): KeptTranscript {
  return {
    ...{ job, file, language, engine, took },
    duration: Math.min(LATEST_SECONDS, seconds),
    notice: notice?.reason ?? '',
    needs: notice?.needs?.for ?? '',
    segments: segments
      .map((segment) => ({ speaker: segment.speaker ?? '', words: keptWordsOf(segment) }))
      .filter(({ words }) => words.length > 0),
  }
}

/** The text of a segment. */
export const textOfWords = (words: KeptTranscript['segments'][number]['words']): string =>
  words
    .map(([, , text]) => text)
    .join('')
    .trim()
