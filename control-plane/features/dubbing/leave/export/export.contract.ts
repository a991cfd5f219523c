import { z } from 'zod'
import { LanguageText } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'

const access = 'consume' as const
const of = { kind: 'dub', param: 'job_id' } as const
const id = z.string().max(128)
const params = z.strictObject({ job_id: id })
const named = z.strictObject({ job_id: id, filename: z.string().max(1024) })
const flag = (fallback: boolean) => booleanText().default(fallback)
const lang = LanguageText.nullish()
/** Any text of a reasonable length: an unknown value stands for the usual one. */
const Choice = z.string().max(1_000)
const AUDIO = ['audio/wav', 'audio/mp4', 'audio/mpeg', 'audio/flac'] as const

const Download = z.strictObject({
  preserve_bg: flag(true),
  default_track: Choice.default('original'),
  include_tracks: z.string().max(4096).default(''),
  burn_subs: flag(false),
  dual: flag(false),
  out_format: Choice.default('m4a'),
})
const Sound = z.strictObject({ lang, preserve_bg: flag(true) })
const Mp3 = z.strictObject({ lang, preserve_bg: flag(true), bitrate: Choice.default('192k') })
const Subtitles = z.strictObject({ dual: flag(false), lang })
export const DubExportBody = z.strictObject({
  /** `film`: MP4 with all dubs and the original sound. `stems`: voice and background. `lines`: each spoken line. */
  what: z.enum(['film', 'mp3', 'wav', 'stems', 'lines']),
  /** Language of the sound, and of the first sound of a film. */
  lang: LanguageText,
  preserve_bg: z.boolean().default(true),
  burn_subs: z.boolean().default(false),
  dual: z.boolean().default(false),
})
const SAVED = 'With X-Svc-Path-Authorization it is saved there, and the reply says where.'

const download = {
  method: 'GET',
  access,
  reads: ['x-svc-path-authorization'],
  sends: ['x-dub-export-warning'],
  of,
  summary: `Returns the dubbed film as MP4, or the sound of a dub without a picture; byte ranges are supported. ${SAVED}`,
  query: Download,
  media: ['video/mp4', ...AUDIO, 'application/json'],
} as const
const sound = {
  method: 'GET',
  access,
  reads: ['x-svc-path-authorization'],
  sends: ['x-dub-export-warning'],
  of,
  summary: `Returns the sound of the dub as WAV; byte ranges are supported. ${SAVED}`,
  query: Sound,
  media: ['audio/wav', 'application/json'],
} as const
const mp3 = { ...sound, summary: `Returns the sound of the dub as MP3; byte ranges are supported. ${SAVED}`, query: Mp3 } as const
const srt = { method: 'GET', access, of, summary: 'Returns SubRip subtitles.', query: Subtitles, media: ['text/plain'] } as const
const vtt = { method: 'GET', access, of, summary: 'Returns WebVTT subtitles.', query: Subtitles, media: ['text/vtt'] } as const
const archive = { method: 'GET', access, of, params, query: z.strictObject({ lang }), media: ['application/zip'] } as const

export const dubExportContracts = {
  download: contract({ id: 'dubbing.download', path: '/dub/download/{job_id}', params, ...download }),
  downloadNamed: contract({ id: 'dubbing.downloadNamed', path: '/dub/download/{job_id}/{filename}', params: named, ...download }),
  audio: contract({ id: 'dubbing.downloadAudio', path: '/dub/download-audio/{job_id}', params, ...sound }),
  audioNamed: contract({ id: 'dubbing.downloadAudioNamed', path: '/dub/download-audio/{job_id}/{filename}', params: named, ...sound }),
  mp3: contract({
    id: 'dubbing.downloadCompressed',
    path: '/dub/download-mp3/{job_id}',
    params,
    ...mp3,
    media: ['audio/mpeg', 'application/json'],
  }),
  mp3Named: contract({
    id: 'dubbing.downloadCompressedNamed',
    path: '/dub/download-mp3/{job_id}/{filename}',
    params: named,
    ...mp3,
    media: ['audio/mpeg', 'application/json'],
  }),
  previewVideo: contract({
    id: 'dubbing.previewVideo',
    method: 'GET',
    path: '/dub/preview-video/{job_id}',
    access,
    of,
    summary: 'Returns the film with one track as its only sound, for a player; byte ranges are supported.',
    params,
    query: z.strictObject({ lang: LanguageText, preserve_bg: flag(true) }),
    media: ['video/mp4'],
  }),
  start: contract({
    id: 'dubbing.startExport',
    extension: true,
    method: 'POST',
    path: '/dub/exports/{job_id}',
    access,
    of,
    summary:
      'Starts a job that makes one file of a dub; its progress is that of the job, and an equal request meanwhile returns the same job.',
    params,
    body: DubExportBody,
    status: 202,
    reply: z.object({ task_id: z.string() }).meta({ id: 'DubExportStarted' }),
  }),
  made: contract({
    id: 'dubbing.readExport',
    extension: true,
    method: 'GET',
    path: '/dub/exports/{job_id}/{task_id}',
    access,
    of,
    summary: 'Returns the file of such a job under the name of the film and the language; byte ranges are supported.',
    params: z.strictObject({ job_id: id, task_id: z.string().max(200) }),
    media: ['video/mp4', 'audio/mpeg', 'audio/wav', 'application/zip'],
  }),
  srt: contract({ id: 'dubbing.writeSrt', path: '/dub/srt/{job_id}', params, ...srt }),
  srtNamed: contract({ id: 'dubbing.writeSrtNamed', path: '/dub/srt/{job_id}/{filename}', params: named, ...srt }),
  vtt: contract({ id: 'dubbing.writeVtt', path: '/dub/vtt/{job_id}', params, ...vtt }),
  vttNamed: contract({ id: 'dubbing.writeVttNamed', path: '/dub/vtt/{job_id}/{filename}', params: named, ...vtt }),
  segments: contract({
    id: 'dubbing.exportSegments',
    path: '/dub/export-segments/{job_id}',
    summary: 'Returns each spoken line as a WAV file in a zip file.',
    ...archive,
  }),
  stems: contract({
    id: 'dubbing.exportStems',
    path: '/dub/export-stems/{job_id}',
    summary: 'Returns the dubbed voice and the background of the film as WAV files in a zip file.',
    ...archive,
  }),
}
