// The voices for other areas: creating a profile, reading one, and resolving the voice that a request names.

import type { TaskInput } from '#control-plane/tasks/record.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'

/** Picks of the six design categories; 'Auto' where nothing was picked. */
export type VoiceAttributes = {
  readonly Gender: string
  readonly Age: string
  readonly Pitch: string
  readonly Style: string
  readonly EnglishAccent: string
  readonly ChineseDialect: string
}
/** The engine run that made a sample. */
export type MadeWith = { readonly engine: string; readonly modelDigest: string; readonly seed: number; readonly steps: number | null }

/** A recording for a new profile: a file of any readable format, which is read and not moved. */
export type NewRecording = { readonly path: string; readonly name: string }
/** Fields that a new profile and a stored one have in common. */
export type VoiceFields = {
  readonly name: string
  readonly kind: 'clone' | 'design'
  readonly language: string
  readonly instruct: string
  readonly refText: string
  readonly personality: string
  readonly description: string
  readonly attributes: VoiceAttributes | null
  readonly seed: number | null
  /** 'own', 'gallery:ID', 'archetype:ID', 'community:REPO:ID' or 'bundle:DIGEST'. */
  readonly origin: string
  readonly originUrl: string
  readonly staysHere: boolean
  /** Set if the recording is the output of an engine. */
  readonly madeWith: MadeWith | null
}
export type NewProfile = VoiceFields & {
  readonly madeBy: ClientId
  /** Null for a design whose sample is rendered. */
  readonly recording: NewRecording | null
  /** A locked take and its words; null for an unlocked profile. */
  readonly locked: { readonly recording: NewRecording; readonly text: string | null } | null
  /** The result of `portraitOf`; null for a profile without a portrait. */
  readonly portrait: Buffer | null
  /** The statement of the speaker that came with the voice; null without one. */
  readonly statement: {
    readonly text: string
    readonly recording: NewRecording
    readonly method: 'recorded' | 'imported' | 'designed'
  } | null
}
/** A profile with the digests of its files. Moments are epoch milliseconds. */
export type VoiceProfile = VoiceFields & {
  readonly id: string
  /** Canonical recording: mono, 24 kHz, 16 bit. Null for a design that was not rendered yet. */
  readonly refDigest: string | null
  /** Bytes of the canonical recording; 0 without one. */
  readonly refBytes: number
  /** Name of the uploaded file, without a folder. */
  readonly refName: string
  /** The file as it was uploaded, and its size. */
  readonly originalDigest: string | null
  readonly originalBytes: number
  /** The locked take, canonical like the recording, its words (null if they are unknown) and its size; null and 0 while unlocked. */
  readonly lockedDigest: string | null
  readonly lockedText: string | null
  readonly lockedBytes: number
  /** The portrait, a JPEG. */
  readonly imageDigest: string | null
  readonly createdAt: number
  readonly updatedAt: number
}
export type VoiceStatement = {
  readonly text: string
  /** The file as it was uploaded, its size, and its name without a folder. */
  readonly audioDigest: string
  readonly audioBytes: number
  readonly audioName: string
  readonly method: 'recorded' | 'imported' | 'designed'
  readonly recordedAt: number
}

/** Input of an engine for a resolved voice. */
export type SpokenVoice = {
  readonly profileId: string | null
  /** Name of the profile or preset; empty for the default voice of the engine. */
  readonly name: string
  /** A voice that the engine ships; null for its default voice and for a recording. */
  readonly preset: string | null
  readonly reference: { readonly input: TaskInput; readonly text: string } | null
  readonly instruct: string | null
  readonly language: string | null
  readonly seed: number | null
  /** The recording may only be sent to the agent of this machine. */
  readonly staysHere: boolean
  /** Changes with everything that changes the sound: the key of caches. */
  readonly digest: string
  /** Sentences for the caller. */
  readonly remarks: readonly string[]
}

/** A ready description of a way to speak. `instruct` has the words that designed voices follow. */
export type Personality = {
  readonly id: string
  readonly name: string
  readonly instruct: string
  readonly description: string
  readonly icon: string
}

/** Receives recordings that may no longer be used (SHA-256 in lower-case hex). */
export type WithdrawalListener = (recordings: readonly string[]) => Promise<void>

export type VoicesApi = {
  /**
   * Converts the recordings, stores them, then the row. Throws BAD_REQUEST for an unreadable recording, STORAGE_FULL.
   * Publishes `profiles` events.
   */
  readonly create: (profile: NewProfile, signal: AbortSignal) => Promise<VoiceProfile>
  /**
   * A picture as a JPEG of 512 x 512 pixels without data of the camera. Throws MEDIA_TYPE_UNSUPPORTED, BODY_TOO_LARGE, INVALID_REQUEST for a
   * damaged picture, PROGRAM_MISSING without ffmpeg.
   */
  readonly portraitOf: (picture: { readonly path: string; readonly size: number }, signal: AbortSignal) => Promise<Buffer>
  readonly find: (id: string) => VoiceProfile | null
  /** The oldest profile of this origin. */
  readonly byOrigin: (origin: string) => VoiceProfile | null
  readonly list: () => readonly VoiceProfile[]
  readonly personalities: () => readonly Personality[]
  /** The live statement of a profile. */
  readonly statementOf: (id: string) => VoiceStatement | null
  /**
   * Renders a designed voice to a WAV file in the work folder, which the caller removes. Single flight for equal requests.
   * Throws a failure of status 503 that names what to install if no engine follows a design.
   */
  readonly renderDesign: (
    design: { readonly instruct: string; readonly language: string; readonly text: string; readonly seed: number; readonly steps: number },
    signal: AbortSignal,
  ) => Promise<{ readonly path: string; readonly madeWith: MadeWith }>
  /** Installed engine that can render a design now; null without one. */
  readonly designEngine: () => { readonly engine: string; readonly modelDigest: string } | null
  /** Resolves what a request names: a profile id, a preset of `engine`, an alias or nothing. An unknown name gives the default voice and a remark. */
  readonly resolve: (asked: string | null, engine: string, signal: AbortSignal) => Promise<SpokenVoice>
  /**
   * `listener` receives the recordings (SHA-256) that may no longer be used, and removes what has their voices; requests wait for it. It is called
   * for a withdrawn statement, too, after which the recording may speak again.
   */
  readonly onWithdrawn: (listener: WithdrawalListener) => void
  /** Returns those of `recordings` that a profile has. */
  readonly recordingsAmong: (recordings: readonly string[]) => Promise<ReadonlySet<string>>
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly profiles: VoicesApi
  }
}
