// The arguments of yt-dlp. A caller decides about one address or one search text, which always comes after `--`: before it, a text such as
// --exec=… would be an option that starts programs. Pure.

import { YTDLP_ALWAYS } from '#control-plane/media/remote/ytdlp.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** Sites whose pages are read. The program seeks in the sound of a page with ffmpeg, which connects to any address that the page names. A host matches if it is one of them or below one of them. */
export const VIDEO_HOSTS: readonly string[] = [
  'youtube.com',
  'youtu.be',
  'youtube-nocookie.com',
  'vimeo.com',
  'dailymotion.com',
  'soundcloud.com',
  'archive.org',
  'bilibili.com',
  'tiktok.com',
  'twitch.tv',
]
const URL_CHARS = 2048
const QUERY_CHARS = 200
/** Seconds beyond which no section begins. */
const LONGEST_START = 360_000

const COMMON = [...YTDLP_ALWAYS, '--no-progress'] as const

/** The address as it is given to the program. Throws BAD_REQUEST for everything but https on a listed site, without a port or a password. */
export function videoUrl(text: string): string {
  const url = URL.parse(text.trim())
  if (text.length > URL_CHARS || url === null || url.protocol !== 'https:')
    throw new Failure('BAD_REQUEST', 'The address of the video must be a complete address that begins with https://.')
  if (url.username !== '' || url.password !== '' || url.port !== '')
    throw new Failure('BAD_REQUEST', 'The address of the video must have no password and no port.')
  if (!VIDEO_HOSTS.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`)))
    throw new Failure(
      'BAD_REQUEST',
      `Videos are read from these sites only: ${VIDEO_HOSTS.join(', ')}. Upload a recording of any other site.`,
    )
  return url.href
}

/** Throws BAD_REQUEST for a blank or long text, and for one with control characters. */
export function searchArguments(query: string, most: number): string[] {
  const words = query.trim()
  if (words === '' || words.length > QUERY_CHARS || !words.isWellFormed() || /[\x00-\x1f\x7f]/.test(words))
    throw new Failure('BAD_REQUEST', `The search must have 1 to ${QUERY_CHARS} characters and no control characters.`)
  return [...COMMON, '--flat-playlist', '--skip-download', '--dump-json', '--', `ytsearch${most}:${words}`]
}

export type Section = { readonly url: string /** Seconds. */; readonly start: number; readonly seconds: number }
export type Places = {
  /** Folder for the result. */ readonly folder: string /** Null: the program looks for it. */
  readonly ffmpeg: string | null
}

/** Throws as `videoUrl`. */
export function clipArguments({ url, start, seconds }: Section, { folder, ffmpeg }: Places, mostMebibytes: number): string[] {
  const from = Math.min(start, LONGEST_START)
  return [
    ...COMMON,
    '--no-playlist',
    '--no-part',
    '--max-filesize',
    `${mostMebibytes}M`,
    '-f',
    'bestaudio/best',
    '--download-sections',
    `*${from.toFixed(3)}-${(from + seconds).toFixed(3)}`,
    ...(ffmpeg === null ? [] : ['--ffmpeg-location', ffmpeg]),
    '-o',
    `${folder}/clip.%(ext)s`,
    '--',
    videoUrl(url),
  ]
}
