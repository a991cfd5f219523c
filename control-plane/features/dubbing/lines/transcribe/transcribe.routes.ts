import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { eventStream } from '#control-plane/http/contract/respond.ts'
import type { DubBeginBody } from './transcribe.contract.ts'
import { transcribeContracts } from './transcribe.contract.ts'
import type { TranscribeStream } from './transcribe-stream.ts'

/** Resolves with the id of the job. */
export type BeginDub = (dubId: string, body: DubBeginBody) => Promise<string>

const CANCELLED = { detail: 'The transcription was cancelled.' }

export const transcribeRoutes = (transcriptions: TranscribeStream): Route[] => [
  handle(transcribeContracts.stream, ({ params, query, signal }) => eventStream(transcriptions.events(params.job_id, query, signal))),
  handle(transcribeContracts.transcribe, async ({ params, query, signal }) => {
    const result = await transcriptions.result(params.job_id, query.num_speakers, signal)
    return { status: result ? 200 : 499, type: 'application/json', body: Buffer.from(JSON.stringify(result ?? CANCELLED)) }
  }),
]

export const dubBeginRoutes = (begin: BeginDub): Route[] => [
  handle(transcribeContracts.begin, async ({ params, body }) => ({ task_id: await begin(params.job_id, body) })),
]
