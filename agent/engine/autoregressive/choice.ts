// Which of a model's own voices a task means, and whether the model speaks its language. Pure but for the notices.

import { Failure } from '#shared/protocol/failure.ts'
import type { TtsParams } from '../tts-params.ts'

/** ISO 639-1, or '' when nobody told. */
export function languageIn(language: string | null, known: readonly string[], engine: string): string {
  const tag = (language ?? '').trim().toLowerCase()
  if (tag === '' || tag === 'auto') return ''
  const short = tag.split(/[-_]/)[0]!
  if (known.includes(short)) return short
  throw new Failure('INVALID_TASK_PARAMS', `language: ${engine} does not speak "${tag.slice(0, 32)}"`)
}

/** The one that was asked for, else the first. */
export function voiceIn(voice: string | null, names: readonly string[], engine: string, notices: string[]): string {
  const [first] = names
  if (first === undefined)
    throw new Failure('INVALID_TASK_PARAMS', `reference: this model of ${engine} came without voices; bring a recording of one`)
  if (voice === null || voice === '' || voice === 'default') return first
  const found = names.find((name) => name.toLowerCase() === voice.toLowerCase())
  if (!found) notices.push(`${engine} has no voice "${voice.slice(0, 64)}"; ${first} was used.`)
  return found ?? first
}

export function noticesOf(wanted: TtsParams, hasReference: boolean): string[] {
  const notices: string[] = []
  if (wanted.instruct || wanted.description) notices.push('This voice does not follow instructions or descriptions.')
  if (hasReference && wanted.voice && wanted.voice !== 'default') notices.push('The reference recording was followed, not the named voice.')
  return notices
}
