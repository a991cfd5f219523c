// A take as a row of the history, with its text and its parts; and as the last line of a stream.
import type { LibraryApi } from '#control-plane/features/base/library/api.ts'
import { sentencesOf } from '#control-plane/inference/notice.ts'
import type { Take, TakePlan } from '../take.ts'
import { NO_SPEAKER } from '../voice/voicing.ts'

type NewTake = Parameters<LibraryApi['history']['add']>[0]
const NOTICE_CHARS = 1_000

/** At most `count` UTF-16 units, without half of a surrogate pair at the end. */
export const firstCharacters = (text: string, count: number): string => text.slice(0, count).replace(/[\ud800-\udbff]$/, '')

/** Information that is known only at the end of a streamed take; {} without any. */
const informationOf = ({ notice }: Pick<Take, 'notice'>): { notices?: readonly string[] } =>
  notice?.information?.length ? { notices: notice.information } : {}

/** The last line of a stream. */
export const doneLine = (take: Take) => ({
  type: 'done' as const,
  id: take.id,
  audio_path: take.audioPath,
  duration: take.seconds,
  gen_time: take.tookSeconds,
  seed: take.seed,
  sample_rate: take.sampleRate,
  dropped_chunks: take.dropped.length,
  ...informationOf(take),
})

/** The take as a row of the history. */
export const historyRow = ({ form, params, speaker = NO_SPEAKER, reference, seed, script }: TakePlan, take: Take): NewTake => ({
  id: take.id,
  text: form.text,
  mode: speaker.kind ?? (reference ? 'clone' : 'design'),
  language: params.language || 'Auto',
  instruct: params.instruct ?? '',
  profile_id: speaker.profileId ?? '',
  audio_path: take.audioPath,
  duration_seconds: take.seconds,
  generation_time: take.tookSeconds,
  seed,
  engine: take.engine,
  voice: speaker.profileId === null ? ((reference ? null : take.voice) ?? '') : speaker.name,
  notice: take.notice ? firstCharacters(sentencesOf(take.notice), NOTICE_CHARS) : '',
  routing: take.notice?.routing ?? ('' as const),
  chunks: take.chunks ? JSON.stringify(take.chunks) : '',
  script: script && take.script ? { text: script.text, script: JSON.stringify(take.script), digests: take.script.files } : null,
})
