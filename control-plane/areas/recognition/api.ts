import type { Upload } from '../../http/input/form.ts'
import type { Recognition } from './recognition.service.ts'

export type RecognitionApi = {
  /** The words of a recording, from a recogniser of this machine. Throws what POST /transcribe answers. */
  readonly transcribe: (
    upload: Upload,
    caller: { readonly signal: AbortSignal; readonly traceparent: string },
  ) => Promise<{ readonly text: string; readonly engine: string }>
  /** Like POST /transcribe, with the same failures. */
  readonly transcript: Recognition['transcribe']
  /** The model names that a transcription can use now. */
  readonly models: () => string[]
}
