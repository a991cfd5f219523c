import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { dubGenerateContracts } from './generate.contract.ts'
import type { DubGenerating } from './generate.service.ts'
import type { DubPreviews } from './preview.service.ts'

const DIGITS = 3

export const dubGenerateRoutes = (generating: DubGenerating, previews: DubPreviews): Route[] => [
  handle(
    dubGenerateContracts.generate,
    ({ params, body }) => generating.start(params.job_id, body),
    ({ params }) => generating.require(params.job_id),
  ),
  handle(dubGenerateContracts.previewSegment, async ({ params, body, signal }) => {
    const { wav, seconds, notice } = await previews.speak(params.job_id, body, signal)
    return { type: 'audio/wav', body: wav, headers: { 'x-audio-duration': seconds.toFixed(DIGITS) }, notice }
  }),
  handle(dubGenerateContracts.preview, async ({ params, query, signal }) => ({
    type: 'audio/wav',
    body: await previews.read(params.job_id, params.segment_index, query.lang, signal),
  })),
]
