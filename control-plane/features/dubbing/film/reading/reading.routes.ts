import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { createOnsets } from './onsets.service.ts'
import { dubPeaksContracts } from './peaks.contract.ts'
import type { createPeaks } from './peaks.service.ts'
import { dubReadingContracts } from './reading.contract.ts'
import type { createDubReading } from './reading.service.ts'

export const dubReadingRoutes = (
  reading: ReturnType<typeof createDubReading>,
  onsets: ReturnType<typeof createOnsets>,
  peaks: ReturnType<typeof createPeaks>,
): Route[] => [
  handle(dubReadingContracts.media, async ({ params }) => {
    const { type, ...body } = await reading.media(params.job_id)
    return { type, body, cache: 'no-cache' }
  }),
  handle(dubReadingContracts.audio, async ({ params, signal }) => ({
    type: 'audio/wav',
    body: await reading.audio(params.job_id, signal),
    cache: 'no-cache',
  })),
  handle(dubReadingContracts.thumb, async ({ params }) => ({
    type: 'image/jpeg',
    body: await reading.thumb(params.job_id),
    headers: { 'cache-control': 'max-age=3600' },
  })),
  handle(dubReadingContracts.onsets, ({ params, signal }) => onsets.read(params.job_id, signal)),
  handle(dubPeaksContracts.peaks, ({ params, query, signal }) => peaks.read(params.job_id, query, signal)),
  handle(dubReadingContracts.tracks, ({ params }) => reading.tracks(params.job_id)),
  handle(dubReadingContracts.texts, ({ params, query }) => reading.texts(params.job_id, query.lang)),
]
