// The requests of a dub, with the parts of their replies that the command reads.

import { json as readJson } from 'node:stream/consumers'
import { z } from 'zod'
import { jobsContracts } from '#control-plane/features/base/jobs/jobs.contract.ts'
import { dubHistoryContracts } from '#control-plane/features/dubbing/lines/history/history.contract.ts'
import { dubGenerateContracts } from '#control-plane/features/dubbing/make/generate/generate.contract.ts'
import { WholeDub } from '#control-plane/features/dubbing/store/forms.rules.ts'
import type { DubLineRow } from '#control-plane/features/dubbing/store/line.ts'
import { translationContracts } from '#control-plane/features/listening/translation/translation.contract.ts'
import type { Environment } from '../command.ts'
import { failureFrom, request, requestJson } from '../studio/api.ts'
import { parsedEvent, type StudioEvent } from './events.ts'

const StoredDub = WholeDub.pick({ audio_path: true, has_bg: true, duration: true, segments: true, source_lang: true })
export type StoredDub = z.output<typeof StoredDub>
export type FilmLine = DubLineRow
const Owner = z.looseObject({ dub: z.string().optional() })
const ownerOf = ({ meta_json }: { readonly meta_json: string }) => Owner.parse(JSON.parse(meta_json || '{}')).dub
const ENDED = ['done', 'failed', 'cancelled']

export type DubCalls = ReturnType<typeof createDubCalls>
export function createDubCalls(env: Environment, id: string) {
  const get = (path: string) => requestJson(env, 'GET', path)
  const at = encodeURIComponent(id)
  return {
    id,
    /** Null for a dub that is not there. */
    async stored(): Promise<StoredDub | null> {
      const response = await request(env, { method: 'GET', path: `/dub/history/${at}` })
      if (response.statusCode === 404) {
        response.resume()
        return null
      }
      if (response.statusCode !== 200) throw await failureFrom(env, response)
      return StoredDub.parse(JSON.parse(dubHistoryContracts.read.reply.parse(await readJson(response)).job_data))
    },
    /** The jobs of this dub that wait or run. */
    async running(): Promise<string[]> {
      const jobs = jobsContracts.list.reply.parse(await get('/jobs?status=active&limit=500'))
      return jobs.filter((job) => ownerOf(job) === id).map((job) => job.id)
    },
    /** The warnings of earlier runs: those of the preparation, and of the last transcription. */
    async warnings(): Promise<StudioEvent[]> {
      const jobs = jobsContracts.list.reply.parse(await get(`/jobs?limit=500&q=${at}`))
      const last = ['prep_', 'asr_'].flatMap((kind) => jobs.find((job) => job.id.startsWith(kind) && ownerOf(job) === id)?.id ?? [])
      const found: StudioEvent[] = []
      for (const job of last) {
        const { events } = jobsContracts.listEvents.reply.parse(await get(`/jobs/${encodeURIComponent(job)}/events`))
        found.push(...events.map(({ payload }) => parsedEvent(payload)).filter(({ type }) => type === 'warning'))
      }
      return found
    },
    /** The part of a job that is done, from 0 to 1; null while unknown, and for a job that has ended. */
    async progressOf(jobId: string): Promise<number | null> {
      const job = jobsContracts.read.reply.parse(await get(`/jobs/${encodeURIComponent(jobId)}`))
      return ENDED.includes(job.status) ? null : job.progress
    },
    translate: async (body: object, signal: AbortSignal) =>
      translationContracts.translate.reply.parse(await requestJson(env, 'POST', '/dub/translate', body, signal)),
    /** The id of the job. */
    generate: async (body: object, signal: AbortSignal): Promise<string> =>
      dubGenerateContracts.generate.reply.parse(await requestJson(env, 'POST', `/dub/generate/${at}`, body, signal)).task_id,
    abort: async (): Promise<void> => void (await requestJson(env, 'POST', `/dub/abort/${at}`)),
    /** A response with status 200. `after`: the id of the last event that is known. Throws the refusal of the studio. */
    async open(path: string, signal: AbortSignal, after = '') {
      const response = await request(env, { method: 'GET', path, signal, ...(after !== '' && { headers: { 'last-event-id': after } }) })
      if (response.statusCode !== 200) throw await failureFrom(env, response)
      return response
    },
    eventsOf: (jobId: string) => `/tasks/stream/${encodeURIComponent(jobId)}?ids=true`,
    transcription: (speakers: string | undefined) =>
      `/dub/transcribe-stream/${at}${speakers === undefined ? '' : `?num_speakers=${encodeURIComponent(speakers)}`}`,
    download: (query: Readonly<Record<string, string>>) => `/dub/download/${at}?${new URLSearchParams(query)}`,
    subtitles: (format: 'srt' | 'vtt', lang: string) => `/dub/${format}/${at}?${new URLSearchParams({ lang })}`,
  }
}
