// What a client of `/ws/transcribe` receives.

import { messageFor } from '#control-plane/http/contract/errors.ts'
import type { Failure } from '#shared/protocol/failure.ts'

export type LiveSegment = { readonly start: number; readonly end: number; readonly text: string }
export type FinalMessage = {
  readonly type: 'final'
  readonly text: string
  /** Seconds since the start of the dictation. */
  readonly segments: readonly LiveSegment[]
  /** ISO 639-1, or 'unknown'. */
  readonly language: string
  readonly duration_s: number
  /** Of the recogniser. */
  readonly transcription_time_s: number
  readonly engine: string
  /** Only when a language model has changed the text. */
  readonly refined_text?: string
  /** `utterance`: ended by a pause, and more may follow. `summary`: the utterances of a dictation together. Absent: all that was said. */
  readonly final_kind?: 'utterance' | 'summary'
}
export type LiveMessage =
  | { readonly type: 'status'; readonly stage: 'downloading' | 'loading' }
  | { readonly type: 'status'; readonly stage: 'ready'; readonly engine: string; readonly model: string; readonly notice?: string }
  | { readonly type: 'partial'; readonly text: string }
  | FinalMessage
  | {
      readonly type: 'error'
      readonly message: string
      readonly kind: 'asr_model_missing' | 'load' | 'transcribe'
      readonly detail: unknown
    }

const MISSING = ['MODEL_NOT_INSTALLED', 'MODEL_NOT_DOWNLOADED']

/** `isReady`: whether the recogniser has been loaded. */
export function errorMessage(failure: Failure, isReady: boolean): LiveMessage {
  const { code, detail } = failure
  const kind = MISSING.includes(code) ? 'asr_model_missing' : isReady ? 'transcribe' : 'load'
  return { type: 'error', message: messageFor(failure), kind, detail: detail ?? { code } }
}

/** Two decimals. */
export const rounded = (seconds: number): number => Math.round(seconds * 100) / 100
