// Chooses the voice and the language of a task among those of a model, and collects notices about what the model does not support.

import type { TtsParams } from '#shared/operations/tts.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'

/** ISO 639-1 of a tag or an English name such as `de`, `de-AT` or `German`; '' for none, undefined for a language that is not in `supported`. */
function findLanguage(language: string | null, supported: readonly string[]): string | undefined {
  const tag = (language ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto') return ''
  const short = tag.split(/[-_]/)[0]!
  return supported.find((code) => code === short) ?? supported.find((code) => englishNameOf(code)?.toLowerCase() === tag)
}

/** True if a task may name this language; one that names none may. */
export const speaksLanguage = (language: string | null, supported: readonly string[]): boolean =>
  findLanguage(language, supported) !== undefined

/** ISO 639-1, or '' when the task names none. Throws INVALID_TASK_PARAMS for a language that is not in `supported`. */
export function chooseLanguage(language: string | null, supported: readonly string[], engine: string): string {
  const found = findLanguage(language, supported)
  if (found !== undefined) return found
  throw new Failure('INVALID_TASK_PARAMS', `language: ${engine} does not speak "${language?.trim().toLowerCase().slice(0, 32)}".`)
}

type Voices = {
  readonly names: readonly string[]
  /** Used when the task names no voice or an unknown one; by default the first of `names`. */
  readonly fallback?: string | undefined
  /** Maps the requested voice to a name; by default case-insensitive equality. */
  readonly find?: (requested: string) => string | undefined
}

/** The requested voice, else the fallback and a notice. Throws MODEL_NOT_DOWNLOADED when the model has no voices. */
export function chooseVoice(requested: string | null, voices: Voices, engine: string, notices: string[]): string {
  const { names, fallback = names[0] } = voices
  if (fallback === undefined) throw new Failure('MODEL_NOT_DOWNLOADED', `The model of ${engine} has no voices. Download the model again.`)
  if (requested === null || requested === '' || requested === 'default') return fallback
  const inAnyCase = (name: string) => names.find((each) => each.toLowerCase() === name.toLowerCase())
  const found = (voices.find ?? inAnyCase)(requested)
  if (found === undefined) notices.push(`${engine} has no voice "${requested.slice(0, 64)}"; ${fallback} was used.`)
  return found ?? fallback
}

/** The same for a model that can clone: a model without voices needs a reference recording. Throws INVALID_TASK_PARAMS. */
export function choosePreset(requested: string | null, voices: Voices, engine: string, notices: string[]): string {
  if (voices.names.length > 0) return chooseVoice(requested, voices, engine, notices)
  throw new Failure('INVALID_TASK_PARAMS', `reference: This model of ${engine} has no voices. Add a reference recording.`)
}

/** Notices about parameters that a preset voice does not support, or that the reference recording overrides. */
export function unsupportedNotices(params: TtsParams, hasReference = false): string[] {
  const notices: string[] = []
  if (params.instruct || params.description) notices.push('This voice does not follow instructions or descriptions.')
  if (hasReference && params.voice && params.voice !== 'default')
    notices.push('The reference recording was used instead of the named voice.')
  return notices
}
