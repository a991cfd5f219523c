// transcribe: the words of a recording that is part of the call.
import { z } from 'zod'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import { TranscribeForm } from '#control-plane/features/listening/recognition/recognition.schema.ts'
import { keepUpload, type UploadDisk } from '#control-plane/http/input/form.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { sentencesOf } from '#control-plane/inference/notice.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { BODY_BYTES } from '../mcp.contract.ts'
import { tool } from './tool.ts'

type Deps = { readonly recognition: Pick<RecognitionApi, 'transcript'>; readonly uploadDisk: UploadDisk }

export const transcribeRecording = ({ recognition, uploadDisk }: Deps) =>
  tool({
    name: 'transcribe',
    title: 'Transcribe a recording',
    description:
      'Returns the words of a recording of at most 3 MB: 90 seconds of 16 kHz WAV, or 3 minutes of MP3 at 128 kbit/s. The studio accepts larger recordings at POST /transcribe.',
    input: z.object({
      audio_base64: z
        .string()
        .min(1)
        .max(BODY_BYTES)
        .describe('The file in base64: WAV, MP3, FLAC, Ogg, M4A or WebM. A data URL is accepted too.'),
      language: z.string().max(35).nullish().describe('Language of the recording, such as en. Without it the language is detected.'),
    }),
    output: z.object({
      text: z.string(),
      refined_text: z.string().optional(),
      segments: z.array(z.object({ start: z.number(), end: z.number(), text: z.string() })).describe('Times in seconds.'),
      language: z.string(),
      duration_s: z.number(),
      transcription_time_s: z.number(),
      engine: z.string(),
      notice: z.string().nullable(),
    }),
    readOnly: true,
    runsTask: true,
    async run({ audio_base64, language }, { signal, traceparent, report }) {
      const form = parseInput(TranscribeForm, language ? { language } : {}, 'body')
      const { upload, close } = await keepUpload(uploadDisk, bytesOf(audio_base64), 'recording')
      try {
        const { answer, notice } = await recognition.transcript(form, upload, { signal, traceparent }, report ?? undefined)
        return { fields: { ...answer, segments: [...answer.segments], notice: notice && sentencesOf(notice) } }
      } finally {
        await close()
      }
    },
  })

/** The bytes of base64 or of a data URL with it. Throws BAD_REQUEST that names the field. */
export function bytesOf(text: string, field = 'audio_base64'): Buffer {
  const encoded = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text
  const padding = encoded.endsWith('==') ? 2 : encoded.endsWith('=') ? 1 : 0
  const bytes = Buffer.from(encoded, 'base64')
  // Buffer.from skips every character that is not base64, so the length shows whether there was one.
  if (bytes.length > 0 && Math.ceil((bytes.length * 4) / 3) === encoded.length - padding) return bytes
  throw new Failure('BAD_REQUEST', `${field} is not valid base64. Send the bytes of the file in base64, without spaces.`)
}
