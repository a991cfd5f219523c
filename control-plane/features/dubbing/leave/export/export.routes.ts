import type { Principal } from '#control-plane/http/contract/caller.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { type Content, contentDisposition, headerText } from '#control-plane/http/contract/respond.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { ExportJobs } from '../job/export-job.ts'
import type { createDubSubtitles } from '../subtitle/subtitle.service.ts'
import type { createDubArchives } from './archives.service.ts'
import { dubExportContracts as contracts } from './export.contract.ts'
import type { ExportedFile } from './export-files.ts'
import type { DubExports } from './exports.service.ts'
import { exportKbps } from './selection.rules.ts'
import type { SoundExports } from './sound-export.service.ts'

type Services = {
  readonly made: ExportJobs
  readonly exports: DubExports
  readonly sounds: SoundExports
  readonly archives: ReturnType<typeof createDubArchives>
  readonly subtitles: ReturnType<typeof createDubSubtitles>
}
type Call = {
  readonly params: { readonly job_id: string }
  readonly headers: Headers_
  readonly caller: Pick<Principal, 'mayNameFiles'>
  readonly signal: AbortSignal
}
type Headers_ = Readonly<Record<string, string | string[] | undefined>>

export function dubExportRoutes({ made, exports, sounds, archives, subtitles }: Services): Route[] {
  /** Sends an export, or saves it where the header of the request authorizes it. */
  async function leave({ headers, caller, signal }: Call, make: () => Promise<ExportedFile>): Promise<Content> {
    const authorization = headers['x-svc-path-authorization']
    if (typeof authorization !== 'string' || authorization === '') return sent(await make(), 'attachment')
    // Refused before the authorization is used up: its owner may still use it.
    if (!(await caller.mayNameFiles()))
      throw new Failure('FORBIDDEN', 'native filesystem access requires loopback origin', {
        hint: 'Send the request from the machine of the studio.',
      })
    const destination = await exports.destinationOf(authorization)
    const saved = await exports.save(await make(), destination, signal)
    return { type: 'application/json', body: Buffer.from(JSON.stringify(saved)) }
  }
  type Downloaded = Call & {
    readonly query: {
      readonly preserve_bg: boolean
      readonly default_track: string
      readonly include_tracks: string
      readonly burn_subs: boolean
      readonly dual: boolean
      readonly out_format: string
    }
  }
  const download = (call: Downloaded) => {
    const { include_tracks: include, default_track: defaultTrack, preserve_bg, burn_subs: burn, dual, out_format: format } = call.query
    const choice = { include, defaultTrack, preserveBackground: preserve_bg, burn, dual, format }
    return leave(call, () => exports.download(call.params.job_id, choice, call.signal))
  }
  type SoundCall = Call & { readonly query: { readonly lang?: string | null | undefined; readonly preserve_bg: boolean } }
  const sound = (call: SoundCall, format: 'wav' | 'mp3', bitrate = '') => {
    const choice = { lang: call.query.lang ?? null, preserveBackground: call.query.preserve_bg, format, kbps: exportKbps(bitrate) }
    return leave(call, () => sounds.read(call.params.job_id, choice, call.signal))
  }
  type Written = Pick<Call, 'params'> & { readonly query: { readonly dual: boolean; readonly lang?: string | null | undefined } }
  const subtitle = async ({ params, query }: Written, format: 'srt' | 'vtt'): Promise<Content> => {
    const { text, name } = await subtitles.write(params.job_id, format, { dual: query.dual, lang: query.lang ?? null })
    const headers = { 'content-disposition': contentDisposition('attachment', name) }
    return { type: format === 'srt' ? 'text/plain; charset=utf-8' : 'text/vtt; charset=utf-8', body: Buffer.from(text), headers }
  }

  return [
    handle(contracts.start, async ({ params, body }) => ({ task_id: await made.start(params.job_id, body) })),
    handle(contracts.made, async ({ params }) => {
      const { file, name, type } = await made.file(params.job_id, params.task_id)
      return { type, body: file, cache: 'no-cache', headers: { 'content-disposition': contentDisposition('attachment', name) } }
    }),
    handle(contracts.download, download),
    handle(contracts.downloadNamed, download),
    handle(contracts.audio, (call) => sound(call, 'wav')),
    handle(contracts.audioNamed, (call) => sound(call, 'wav')),
    handle(contracts.mp3, (call) => sound(call, 'mp3', call.query.bitrate)),
    handle(contracts.mp3Named, (call) => sound(call, 'mp3', call.query.bitrate)),
    handle(contracts.previewVideo, async ({ params, query, signal }) =>
      sent(await exports.preview(params.job_id, query.lang, query.preserve_bg, signal), 'inline'),
    ),
    handle(contracts.srt, (call) => subtitle(call, 'srt')),
    handle(contracts.srtNamed, (call) => subtitle(call, 'srt')),
    handle(contracts.vtt, (call) => subtitle(call, 'vtt')),
    handle(contracts.vttNamed, (call) => subtitle(call, 'vtt')),
    handle(contracts.segments, async ({ params, query, signal }) =>
      sent(await archives.segments(params.job_id, query.lang ?? null, signal), 'attachment'),
    ),
    handle(contracts.stems, async ({ params, query, signal }) =>
      sent(await archives.stems(params.job_id, query.lang ?? null, signal), 'attachment'),
    ),
  ]
}

function sent({ file, type, name, warning, notices }: ExportedFile, disposition: 'inline' | 'attachment'): Content {
  return {
    type,
    body: file,
    cache: 'no-cache',
    headers: {
      'content-disposition': contentDisposition(disposition, name),
      'x-dub-export-warning': warning,
      'x-svc-notice': notices.length > 0 ? headerText(inSentences(...notices)) : null,
    },
  }
}
