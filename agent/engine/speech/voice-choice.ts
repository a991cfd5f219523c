// Which of a model's own voices a task means, whether the model speaks its language, and what it will not listen to. Pure but for the notices.

import type { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** ISO 639-1, or '' when nobody told. Throws INVALID_TASK_PARAMS for a language that is not among `known`. */
export function chooseLanguage(language: string | null, known: readonly string[], engine: string): string {
  const tag = (language ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto') return ''
  const short = tag.split(/[-_]/)[0]!
  if (known.includes(short)) return short
  throw new Failure('INVALID_TASK_PARAMS', `language: ${engine} does not speak "${tag.slice(0, 32)}"`)
}

type Voices = {
  readonly names: readonly string[]
  /** Meant by whoever names none, or one that is not here; the first of the names, unless told otherwise. */
  readonly fallback?: string | undefined
  /** The name behind what the task says; without it the names themselves, in any case of letters. */
  readonly find?: (asked: string) => string | undefined
}

/** The one that was asked for, else the fallback, and a notice. Throws MODEL_NOT_DOWNLOADED when the model came without voices. */
export function chooseVoice(asked: string | null, voices: Voices, engine: string, notices: string[]): string {
  const { names, fallback = names[0] } = voices
  if (fallback === undefined) throw new Failure('MODEL_NOT_DOWNLOADED', `no voice of ${engine} is here; download the model again`)
  if (asked === null || asked === '' || asked === 'default') return fallback
  const inAnyCase = (wanted: string) => names.find((name) => name.toLowerCase() === wanted.toLowerCase())
  const found = (voices.find ?? inAnyCase)(asked)
  if (found === undefined) notices.push(`${engine} has no voice "${asked.slice(0, 64)}"; ${fallback} was used.`)
  return found ?? fallback
}

/** The same for a model that can follow a recording: without voices of its own it wants one. Throws INVALID_TASK_PARAMS. */
export function choosePreset(asked: string | null, names: readonly string[], engine: string, notices: string[]): string {
  if (names.length > 0) return chooseVoice(asked, { names }, engine, notices)
  throw new Failure('INVALID_TASK_PARAMS', `reference: this model of ${engine} came without voices; bring a recording of one`)
}

/** What a voice without instructions does not listen to, and what a recording to follow overrules. */
export function unsupportedNotices(wanted: TtsParams, hasReference = false): string[] {
  const notices: string[] = []
  if (wanted.instruct || wanted.description) notices.push('This voice does not follow instructions or descriptions.')
  if (hasReference && wanted.voice && wanted.voice !== 'default') notices.push('The reference recording was followed, not the named voice.')
  return notices
}
