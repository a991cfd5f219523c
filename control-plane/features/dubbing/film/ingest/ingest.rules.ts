// Checks what may be ingested, and builds the arguments of yt-dlp for it. The address always comes after `--`: before it, a text such as
// --exec=… would be an option that starts programs. Pure.

import { type Headers, one } from '#control-plane/http/contract/caller.ts'
import type { JobFault } from '#control-plane/jobs/job.ts'
import { YTDLP_ALWAYS } from '#control-plane/media/remote/ytdlp.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'

const URL_CHARS = 2048
const COOKIE_BYTES = 1_000_000
const COOKIE_HEAD = /^# (?:Netscape )?HTTP Cookie File/
const MEDIA_TYPES = /\.(?:mp4|m4v|mkv|webm|mov|avi|ts|mpg|mpeg|wav|mp3|m4a|aac|flac|ogg|opus|wma)$/i
/** Lines of our progress and of the title, among what the program prints. */
const [PROGRESS_MARK, TITLE_MARK] = ['VS-PROGRESS ', 'VS-TITLE ']
const TITLE_CHARS = 200

/** The normalised address of the request. Throws BAD_REQUEST. */
export function filmUrl(text: string): string {
  const url = URL.parse(text.trim())
  if (text.length > URL_CHARS || url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new Failure('BAD_REQUEST', 'The address must be complete and begin with http:// or https://.')
  if (url.username !== '' || url.password !== '')
    throw new Failure('BAD_REQUEST', 'The address must have no user and no password. Send cookies in cookie_file.')
  return url.href
}

/** True if the address is one of a media file, for which no program is needed. */
export const isMediaFile = (url: string): boolean => MEDIA_TYPES.test(new URL(url).pathname)

/** `isLocal`: the request came from this machine. */
export type Sender = { readonly isLocal: boolean; readonly headers: Headers }
/** Throws BAD_REQUEST for a text that is no export of cookies, FORBIDDEN for a sender whose request could be read on its way. */
export function requireCookies(text: string, sender: Sender): void {
  if (!sender.isLocal && one(sender.headers['x-forwarded-proto']) !== 'https')
    throw new Failure('FORBIDDEN', 'Cookies are accepted over HTTPS or from the machine of the studio only.')
  if (Buffer.byteLength(text) > COOKIE_BYTES) throw new Failure('BAD_REQUEST', 'The file of cookies is larger than 1 MB.')
  if (!COOKIE_HEAD.test(text))
    throw new Failure(
      'BAD_REQUEST',
      'The cookies are no export in the format of Netscape: the first line must be "# Netscape HTTP Cookie File".',
    )
}

export type PageRun = {
  readonly url: string /** Folder of the result. */
  readonly folder: string /** A path at which nothing is. */
  readonly nowhere: string
  /** Null without cookies. */
  readonly cookies: string | null
}
const common = ({ cookies, nowhere }: PageRun): string[] => [
  ...YTDLP_ALWAYS,
  ...['--no-playlist', '--no-mtime', '--downloader', 'native', '--fixup', 'never'],
  // Files of strangers go to ffmpeg through our guard only.
  ...['--ffmpeg-location', nowhere],
  ...(cookies === null ? [] : ['--cookies', cookies]),
]

/** Picture and sound come apart where a site has them so, and whole otherwise. */
export const filmArguments = (run: PageRun, mostBytes: number): string[] => [
  ...common(run),
  ...['--match-filter', '!is_live', '--max-filesize', String(Math.floor(mostBytes))],
  ...['-f', '(bv[height<=?1080],ba)/b', '--progress', '--newline', '--progress-template'],
  `download:${PROGRESS_MARK}%(progress.downloaded_bytes)s %(progress.total_bytes)s %(progress.total_bytes_estimate)s %(progress.speed)s %(progress.eta)s`,
  ...['--print', `after_move:${TITLE_MARK}%(title)j`],
  ...['-o', `${run.folder}/film-%(autonumber)d.%(ext)s`, '--', run.url],
]

/** `languages` null: all that people wrote; made-up ones only on request, because a site translates them to every language. */
export const subtitleArguments = (run: PageRun, languages: readonly string[] | null): string[] => [
  ...common(run),
  ...['--skip-download', '--no-progress', '--write-subs', ...(languages === null ? [] : ['--write-auto-subs'])],
  ...['--sub-langs', languages === null ? 'all,-live_chat' : languages.join(','), '--sub-format', 'vtt/srt'],
  ...['-o', `${run.folder}/subs.%(ext)s`, '--', run.url],
]

/** The language of a file that was fetched by `subtitleArguments`; null for another file. */
export const subtitleLanguage = (name: string): string | null => /^subs\.([A-Za-z0-9-]{1,32})\.(?:vtt|srt)$/.exec(name)?.[1] ?? null
export const isFilmPart = (name: string): boolean => /^film-\d{1,6}\.[A-Za-z0-9]{1,8}$/.test(name)

export type DownloadProgress = {
  /** Null while the size is unknown. */ readonly percent: number | null
  readonly speed_bps: number | null
  readonly eta_s: number | null
}
export const percentOf = (bytes: number, whole: number | null): number | null =>
  whole === null ? null : Math.min(100, Math.round((1000 * bytes) / whole) / 10)

/** A line of the program: progress, the title, or null. */
export function pageLine(line: string): { readonly progress: DownloadProgress } | { readonly title: string } | null {
  if (line.startsWith(PROGRESS_MARK)) {
    const [bytes, whole, estimate, speed, eta] = line.slice(PROGRESS_MARK.length).split(' ').map(Number)
    const known = (value: number | undefined) => (Number.isFinite(value) && value! >= 0 ? value! : null)
    const all = known(whole) ?? known(estimate)
    return { progress: { percent: percentOf(known(bytes) ?? 0, all || null), speed_bps: known(speed), eta_s: known(eta) } }
  }
  if (!line.startsWith(TITLE_MARK)) return null
  try {
    const title: unknown = JSON.parse(line.slice(TITLE_MARK.length))
    return typeof title === 'string' ? { title } : null
  } catch {
    return null
  }
}

/** A file name for a title of a stranger. */
export function fileNameOf(title: string, extension: string): string {
  const name = cleanLine(title)
    .replaceAll(/[/\\:*?"<>|]/g, ' ')
    .replaceAll(/\s{1,100}/g, ' ')
    .slice(0, TITLE_CHARS)
    .trim()
    .replace(/^[. ]{1,200}/, '')
  return `${name || 'film'}${extension}`
}

export const ingestErrorStage = ({ code }: JobFault): 'download' | 'ingest' | 'extract' => {
  if (code === 'VIDEO_FETCH_FAILED' || code === 'DOWNLOAD_REFUSED' || code === 'HOST_NOT_FOUND') return 'download'
  return code === 'STORAGE_FULL' ? 'ingest' : 'extract'
}
