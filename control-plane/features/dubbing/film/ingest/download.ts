// The first step of an ingest: the film and its subtitles come from the network, and the dub gets its row.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { z } from 'zod'
import type { Caption } from '#control-plane/features/dubbing/store/caption.store.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { INPUT_TYPES } from '#control-plane/features/dubbing/store/dub.ts'
import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { fetchForeignFile } from '#control-plane/media/remote/foreign-file.ts'
import type { ForeignNetwork } from '#control-plane/media/remote/foreign-network.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { warningFrame } from '../prep/prep.rules.ts'
import type { AdoptFilm } from '../upload/adopt-film.ts'
import { captionsOf } from './captions.rules.ts'
import { type DownloadProgress, fileNameOf, isMediaFile, percentOf } from './ingest.rules.ts'
import type { DownloadStepEvent } from './ingest-events.schema.ts'
import type { IngestFolder, IngestFolders } from './ingest-folders.ts'
import type { createPageDownload, PageAddress } from './page-download.ts'

export const IngestParams = z.object({
  dub: z.string(),
  run: z.string(),
  url: z.string(),
  /** Null: no subtitles. Empty: every language that people wrote. */
  languages: z.array(z.string()).nullable(),
  hasCookies: z.boolean(),
})
export type IngestParams = z.output<typeof IngestParams>
export const Downloaded = z.object({
  source: z.string(),
  filename: z.string(),
  inputType: z.enum(INPUT_TYPES),
  title: z.string(),
  size: z.int(),
  youtube_subs: z.array(z.string()),
})
type Subtitles = Record<string, Caption[]>
type Fetched = { readonly path: string; readonly title: string }
type Deps = {
  readonly core: Pick<DubCore, 'film' | 'disk' | 'store'>
  readonly adopt: AdoptFilm
  readonly folders: IngestFolders
  readonly pages: ReturnType<typeof createPageDownload>
  /** Asked for each download. */
  readonly network: () => ForeignNetwork
  readonly clock: Clock
}
const MAX_BYTES = 50e9
const LIMIT_MS = 6 * 3600_000
const LANGUAGES = 40
const SUBTITLE_BYTES = 8 * 1024 * 1024

/** True if the address is fetched without yt-dlp. */
export const isPlainFile = ({ url, hasCookies }: Pick<IngestParams, 'url' | 'hasCookies'>): boolean => isMediaFile(url) && !hasCookies

export function createDownload({ core, adopt, folders, pages, network, clock }: Deps) {
  const { film, disk, store } = core

  function reporter({ report }: StepContext<DownloadStepEvent>): (state: DownloadProgress) => void {
    return (state) => {
      const fraction = state.percent === null ? null : state.percent / 100
      report({ fraction, secondsLeft: state.eta_s, frame: { type: 'download_progress', ...state } })
    }
  }

  async function fetchFile(
    { url }: IngestParams,
    folder: IngestFolder,
    mostBytes: number,
    context: StepContext<DownloadStepEvent>,
  ): Promise<Fetched> {
    const to = join(folder.films, 'film')
    const [report, startedAt] = [reporter(context), clock.mono()]
    const progress = (bytes: number, whole: number | null) => {
      const seconds = (clock.mono() - startedAt) / 1000
      const speed = seconds > 0 ? bytes / seconds : null
      report({ percent: percentOf(bytes, whole), speed_bps: speed, eta_s: speed && whole !== null ? (whole - bytes) / speed : null })
    }
    const from = await fetchForeignFile({ url, to, network: network(), mostBytes, limitMs: LIMIT_MS, progress }, clock, context.signal)
    // A redirect often leads to a name that says nothing.
    return { path: to, title: [url, from].map(nameIn).find((name) => name !== '') ?? 'film' }
  }

  async function fetchPage(page: PageAddress, mostBytes: number, context: StepContext<DownloadStepEvent>): Promise<Fetched> {
    const { signal } = context
    const { paths, title } = await pages.film(page, { network: network(), mostBytes }, signal, reporter(context))
    const [first, second] = paths
    if (second === undefined) return { path: first!, title: fileNameOf(title, extname(first!)) }
    const whole = join(page.folder.films, 'joined')
    const isSound = (await film.probe(first!, signal)).kind === 'audio'
    await film.join(isSound ? second : first!, isSound ? first! : second, whole, signal)
    return { path: whole, title: fileNameOf(title, '.mkv') }
  }

  /** Never fails: a film without subtitles can be dubbed. */
  async function fetchSubtitles(
    page: PageAddress,
    languages: readonly string[],
    context: StepContext<DownloadStepEvent>,
  ): Promise<Subtitles> {
    const found: Subtitles = {}
    try {
      const files = await pages.subtitles(page, languages.length === 0 ? null : languages, network(), context.signal)
      for (const [language, path] of [...files].slice(0, LANGUAGES)) {
        if ((await stat(path)).size > SUBTITLE_BYTES) continue
        const captions = await captionsOf(await readFile(path), language)
        if (captions.length > 0) found[language] = captions
      }
    } catch (error) {
      context.signal.throwIfAborted()
      const { code, message } = Failure.from(error)
      await context.emit({ ...warningFrame({ code, message }, 'extract'), stage: 'download' })
    }
    return found
  }

  return async function download(params: IngestParams, context: StepContext<DownloadStepEvent>): Promise<z.output<typeof Downloaded>> {
    const { dub, run, url, languages, hasCookies } = params
    const { signal } = context
    const folder = await folders.open(dub, run)
    const page = { url, folder, hasCookies }
    const mostBytes = Math.min(MAX_BYTES, await disk.usableBytes())
    const { path, title } = isPlainFile(params)
      ? await fetchFile(params, folder, mostBytes, context)
      : await fetchPage(page, mostBytes, context)
    const { kind } = await film.probe(path, signal)
    if (kind === 'none') throw new Failure('BAD_REQUEST', 'There is no film and no sound at the address.')
    const subtitles = languages === null || isPlainFile(params) ? {} : await fetchSubtitles(page, languages, context)
    const [source, { size }] = [await digestOfFile(path, signal), await stat(path)]
    const filename = title.slice(0, 255)
    await adopt({ id: dub, run, path, digest: source, filename, inputType: kind })
    if (languages !== null) store.captions.replace(dub, subtitles)
    return { source, filename, inputType: kind, title: filename, size, youtube_subs: Object.keys(subtitles) }
  }
}

/** The last part of the path of a URL; empty without one. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1)!
  const extension = extname(last)
  try {
    return last === '' ? '' : fileNameOf(decodeURIComponent(last.slice(0, last.length - extension.length)), extension)
  } catch {
    return last // no UTF-8
  }
}

async function digestOfFile(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { signal })) hash.update(piece as Buffer)
  return hash.digest('hex')
}
