// The recording of a voice that came with a request, as the input of its task.
import { writeFile } from 'node:fs/promises'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import type { TaskInput } from '#control-plane/tasks/record.ts'
import { engineRow } from '#shared/engines.ts'
import { cutReference } from './reference.rules.ts'

export type TakeCaller = { readonly signal: AbortSignal; readonly traceparent: string }
export type Reference = {
  readonly input: TaskInput
  /** Null if no words were recognised. */
  readonly transcript: string | null
  /** Sentences for the notice. */
  readonly remarks: readonly string[]
}
type Deps = {
  readonly inference: Pick<Inference, 'keepInput'>
  readonly intake: Intake
  readonly recognition: Pick<RecognitionApi, 'transcribe'>
}

/** UTF-16 units of a transcript. */
const TRANSCRIPT_CHARS = 10_000

export type References = ReturnType<typeof createReferences>
export function createReferences({ inference, intake, recognition }: Deps) {
  /** Text of the reference, for engines that need its transcript, and the sentence that names the recogniser. */
  async function transcriptOf(upload: Upload, caller: TakeCaller): Promise<{ readonly text: string | null; readonly remark: string }> {
    const { text, engine } = await recognition.transcribe(upload, caller)
    if (text === '') return { text: null, remark: `${engine} recognised no words in the reference.` }
    return { text: text.slice(0, TRANSCRIPT_CHARS), remark: `The reference was transcribed by ${engine}.` }
  }

  /**
   * Converts the recording of a voice for `engine` and stores it as a task input, with its transcript. A recording without a transcript is cut
   * first, so that both contain the same words. Throws BAD_REQUEST for an unusable file.
   */
  return async (upload: Upload, transcript: string | null, engine: string, caller: TakeCaller): Promise<Reference> => {
    const { wav, remark: lacking } = await intake.read(upload.path, caller.signal, REFERENCE)
    const isReady = transcript || engineRow(engine)?.readsTranscript === false
    if (isReady)
      return { input: await inference.keepInput('reference', wav), transcript, remarks: [lacking].filter((sentence) => sentence !== null) }
    const { wav: short, remark } = cutReference(wav)
    const path = `${upload.path}.voice` // in the folder of the request, which is deleted with it
    await writeFile(path, short, { mode: 0o600 })
    const { text, remark: source } = await transcriptOf({ ...upload, path, size: short.length }, caller)
    return {
      input: await inference.keepInput('reference', short),
      transcript: text,
      remarks: [lacking, remark, source].filter((sentence) => sentence !== null),
    }
  }
}
