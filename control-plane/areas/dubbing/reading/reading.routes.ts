import { handle, type Route } from '../../../http/handle.ts'
import { rangedContent } from './byte-range.ts'
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
  handle(dubReadingContracts.media, async ({ params, headers }) => {
    const { type, ...file } = await reading.media(params.job_id)
    return rangedContent(file, headers['range'], { type, cache: 'no-cache' })
  }),
  handle(dubReadingContracts.audio, async ({ params, headers, signal }) =>
    rangedContent(await reading.audio(params.job_id, signal), headers['range'], { type: 'audio/wav', cache: 'no-cache' }),
  ),
  handle(dubReadingContracts.thumb, async ({ params }) => {
    const { size, read } = await reading.thumb(params.job_id)
    return { type: 'image/jpeg', body: read(0, size - 1), length: size, headers: { 'cache-control': 'max-age=3600' } }
  }),
  handle(dubReadingContracts.onsets, ({ params, signal }) => onsets.read(params.job_id, signal)),
  handle(dubPeaksContracts.peaks, ({ params, query, signal }) => peaks.read(params.job_id, query, signal)),
  handle(dubReadingContracts.tracks, ({ params }) => reading.tracks(params.job_id)),
  handle(dubReadingContracts.texts, ({ params, query }) => reading.texts(params.job_id, query.lang)),
]
