import { z } from 'zod'
import { TIMING_STRATEGIES } from '#control-plane/features/dubbing/store/dub.ts'
import { contract } from '#control-plane/http/contract/contract.ts'
import { LanguageText } from './language.schema.ts'

const access = 'consume' as const
const params = z.strictObject({ job_id: z.string().max(128) })
const Track = z.object({
  path: z.string(),
  language: z.string(),
  language_code: z.string(),
  duration: z.number(),
  timing_strategy: z.enum(TIMING_STRATEGIES),
  fit_fp: z.string().optional(),
})

export const dubReadingContracts = {
  media: contract({
    id: 'dubbing.readMedia',
    method: 'GET',
    path: '/dub/media/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns the uploaded file; byte ranges are supported.',
    params,
    media: ['video/*', 'audio/*', 'application/octet-stream'],
  }),
  audio: contract({
    id: 'dubbing.readAudio',
    method: 'GET',
    path: '/dub/audio/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns the sound of the film as stereo WAV at 48 kHz, RF64 beyond 4 GiB; byte ranges are supported.',
    params,
    media: ['audio/wav'],
  }),
  thumb: contract({
    id: 'dubbing.readThumb',
    method: 'GET',
    path: '/dub/thumb/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns a still picture of the film.',
    params,
    media: ['image/jpeg'],
  }),
  onsets: contract({
    id: 'dubbing.readOnsets',
    method: 'GET',
    path: '/dub/onsets/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary:
      'Returns where speech begins, in seconds. The first call detects it on this machine, and answers when the whole film is searched.',
    params,
    reply: z.object({ onsets: z.array(z.number()), source: z.enum(['vocals', 'mix']) }).meta({ id: 'DubOnsets' }),
  }),
  tracks: contract({
    id: 'dubbing.listTracks',
    method: 'GET',
    path: '/dub/tracks/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns the voice tracks by language code.',
    params,
    reply: z.object({ tracks: z.record(z.string(), Track) }).meta({ id: 'DubTracks' }),
  }),
  texts: contract({
    id: 'dubbing.readTexts',
    method: 'GET',
    path: '/dub/segments-text/{job_id}',
    access,
    of: { kind: 'dub', param: 'job_id' },
    summary: 'Returns the spoken texts of a language by key of the line; empty where there are none.',
    params,
    query: z.strictObject({ lang: LanguageText }),
    reply: z.object({ texts: z.record(z.string(), z.string()) }).meta({ id: 'DubTexts' }),
  }),
}
