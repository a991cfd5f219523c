import { handle, type Route } from '../../http/handle.ts'
import { contentOf } from '../../http/route.ts'
import type { Cleaning } from './cleaning.service.ts'
import { recognitionContracts } from './recognition.contract.ts'
import type { Recognition } from './recognition.service.ts'

export type RecognitionParts = { readonly recognition: Recognition; readonly cleaning: Cleaning }

export const recognitionRoutes = ({ recognition, cleaning }: RecognitionParts): Route[] => [
  handle(recognitionContracts.transcribeFile, async ({ body, uploads, signal, traceparent }) =>
    contentOf(await recognition.transcription(body, uploads['file'], { signal, traceparent })),
  ),
  handle(recognitionContracts.transcribe, async ({ body, uploads, signal, traceparent }) =>
    contentOf(await recognition.transcribe(body, uploads['audio'], { signal, traceparent })),
  ),
  handle(recognitionContracts.clean, async ({ uploads, signal, traceparent }) =>
    contentOf(await cleaning.clean(uploads['audio'], signal, traceparent)),
  ),
]
