import type { Failure } from '#shared/protocol/failure.ts'
import type { KeptTranscripts } from './kept/kept-transcripts.service.ts'
import type { Recognition } from './recognition.service.ts'
import type { withSpeakers } from './transcript/speakers.ts'

export type RecognitionApi = {
  /** The words of a recording, from a recogniser of this machine. Throws what POST /transcribe answers. */
  readonly transcribe: Recognition['words']
  /** Same as POST /transcribe, with the same failures. */
  readonly transcript: Recognition['transcribe']
  /** Sound that arrives in parts. */
  readonly partwise: Recognition['partwise']
  /** Gives segments to the speakers of a diarisation. */
  readonly withSpeakers: typeof withSpeakers
  /** The recogniser for a language, which it knows; null if this machine has none. `language` null: any. */
  readonly recogniserOf: (language: string | null) => { readonly engine: string; readonly model: string } | null
  /** The failure for a recogniser that is missing, with the payload that clients read. */
  readonly missing: (why: string) => Failure
  /** Lines and recording of a transcript that is a project; the recording gets a second name at `to`. Throws NOT_FOUND. */
  readonly lendTranscript: (project: string, to: string) => ReturnType<KeptTranscripts['lend']>
  /** The model names that a transcription can use now. */
  readonly models: () => string[]
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly recognition: RecognitionApi
  }
}
