// Fetches the film and the subtitles of a page with yt-dlp, which reaches the network through our proxy only.
import { lstat, readdir } from 'node:fs/promises'
import { extname } from 'node:path'
import { runConfined } from '#control-plane/media/remote/confined-program.ts'
import type { ForeignNetwork } from '#control-plane/media/remote/foreign-network.ts'
import { openForeignProxy } from '#control-plane/media/remote/foreign-proxy.ts'
import { ytdlpFailure } from '#control-plane/media/remote/ytdlp.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import { createLineSplitter } from '#shared/runtime/lines.ts'
import type { Random } from '#shared/runtime/random.ts'
import {
  type DownloadProgress,
  filmArguments,
  isFilmPart,
  type PageRun,
  pageLine,
  subtitleArguments,
  subtitleLanguage,
} from './ingest.rules.ts'
import type { IngestFolder } from './ingest-folders.ts'

export type PageParts = {
  /** The path of yt-dlp; null without it. */
  readonly program: () => string | null
  /** PATH. */
  readonly path: string
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
}
export type PageAddress = { readonly url: string; readonly folder: IngestFolder; readonly hasCookies: boolean }
type PageLimits = { readonly network: ForeignNetwork; readonly mostBytes: number }

const LIMIT_MS = 6 * 3600_000
const SUBTITLE_MS = 300_000
const OUTPUT_BYTES = 256 * 1024 * 1024
const SUBTITLE_BYTES = 64 * 1024 * 1024
/** Lines that are longer are none of ours. */
const LINE_CHARS = 8_192
const failed = (message: string) => new Failure('VIDEO_FETCH_FAILED', message)

export function createPageDownload({ program, path, clock, random }: PageParts) {
  async function run(
    args: readonly string[],
    page: PageAddress,
    watched: string,
    within: PageLimits,
    ms: number,
    signal: AbortSignal,
    line: (text: string) => void,
  ) {
    const found = program()
    if (found === null) throw failed('yt-dlp, which reads video pages, is not installed on this machine.')
    const proxy = await openForeignProxy(within.network, clock, random)
    const limits = { ms, outputBytes: OUTPUT_BYTES, fileBytes: within.mostBytes }
    // In the environment, because everybody may read arguments.
    const environment = Object.fromEntries(['http_proxy', 'https_proxy', 'all_proxy'].map((name) => [name, proxy.url]))
    try {
      const onOutput = createLineSplitter(LINE_CHARS, (text, isWhole) => void (isWhole && line(text.trim()))).push
      const end = await runConfined(
        { program: found, args, home: page.folder.home, watched, path, environment, onOutput },
        limits,
        clock,
        signal,
      )
      if (end.ended === 'ok') return
      throw proxy.refusal() ?? failed(ytdlpFailure(end, limits))
    } finally {
      await proxy.close()
    }
  }
  const runOf = ({ url, folder, hasCookies }: PageAddress, result: string): PageRun => ({
    url,
    folder: result,
    nowhere: folder.nowhere,
    cookies: hasCookies ? folder.cookies : null,
  })

  return {
    /** Resolves with the files, in their order, and the title. Throws VIDEO_FETCH_FAILED, DOWNLOAD_REFUSED, and the reason of the signal. */
    async film(page: PageAddress, within: PageLimits, signal: AbortSignal, progress: (state: DownloadProgress) => void) {
      const { films } = page.folder
      let title = ''
      await run(filmArguments(runOf(page, films), within.mostBytes), page, films, within, LIMIT_MS, signal, (text) => {
        const line = pageLine(text)
        if (line && 'progress' in line) progress(line.progress)
        else if (line) title = line.title
      })
      const paths = await filesIn(films, isFilmPart)
      if (paths.length === 0 || paths.length > 2)
        throw failed('yt-dlp wrote no film. The page may have none, the film may be too large, or it is a live stream.')
      return { paths, title }
    },
    /** Resolves with the files by language. Throws as `film`. */
    async subtitles(page: PageAddress, languages: readonly string[] | null, network: ForeignNetwork, signal: AbortSignal) {
      const { subtitles } = page.folder
      const within = { network, mostBytes: SUBTITLE_BYTES }
      await run(subtitleArguments(runOf(page, subtitles), languages), page, subtitles, within, SUBTITLE_MS, signal, () => {})
      const names = await filesIn(subtitles, (name) => subtitleLanguage(name) !== null)
      return new Map(names.map((file) => [subtitleLanguage(file.slice(subtitles.length + 1))!, file]))
    },
  }
}

/** Regular files only, which no link can be. */
async function filesIn(folder: string, isWanted: (name: string) => boolean): Promise<string[]> {
  const found: string[] = []
  for (const name of (await readdir(folder)).toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })))
    if (isWanted(name) && extname(name) !== '.part' && (await lstat(fileIn(folder, name))).isFile()) found.push(fileIn(folder, name))
  return found
}
