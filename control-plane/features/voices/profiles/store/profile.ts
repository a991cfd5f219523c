// Profiles and statements as the database keeps them.
import type { MadeWith, VoiceAttributes, VoiceProfile } from '../api.ts'
import type { Quality } from '../files/quality.ts'

export type StoredProfile = VoiceProfile & {
  readonly quality: Quality
  readonly hostedVoiceId: string
  readonly lockedSource: LockedSource | null
}
/** Cut from the output of the engine, from the mastered file of the history, or given with the voice. */
export type LockedSource = 'engine' | 'take' | 'given'
export type StoredStatement = {
  readonly text: string
  readonly audioDigest: string
  readonly audioBytes: number
  readonly audioName: string
  /** Subject of the statement; see `subjectOf`. */
  readonly refDigest: string
  readonly method: 'recorded' | 'imported' | 'designed'
  readonly checks: Readonly<Record<string, unknown>>
  /** Epoch milliseconds. */
  readonly recordedAt: number
}
export type NewRow = Omit<StoredProfile, 'hostedVoiceId'>
/** A file of the artifact folder. */
export type VoiceBlob = { readonly digest: string; readonly bytes: number }
export type NewReference = {
  readonly ref: VoiceBlob
  /** Null for a sample of an engine. */
  readonly original: VoiceBlob | null
  readonly name: string
  readonly text: string
  readonly quality: Quality
  readonly madeWith: MadeWith | null
}
export type Details = Partial<
  Pick<VoiceProfile, 'name' | 'refText' | 'instruct' | 'language' | 'personality' | 'description' | 'staysHere'> & {
    readonly attributes: VoiceAttributes
  }
>
