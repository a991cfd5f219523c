// Searches video sites and fetches parts of their sound with yt-dlp, which is optional.
import { lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createPlaces } from '#control-plane/clients/places.ts'
import type { UploadDisk } from '#control-plane/http/input/form.ts'
import { type RunLimits, runConfined } from '#control-plane/media/remote/confined-program.ts'
import { ytdlpFailure } from '#control-plane/media/remote/ytdlp.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { VideoResult } from '../gallery.schema.ts'
import { clipArguments, type Section, searchArguments, videoUrl } from './arguments.ts'
import { videoResults } from './results.ts'

export type VideoClip = Section
/** The file that was fetched, and the address it is from. */
export type FetchedClip = { readonly path: string; readonly url: string }
export type Videos = ReturnType<typeof createVideos>
type Deps = {
  /** The path of yt-dlp; null without it. */
  readonly program: () => string | null
  readonly ffmpegPath: () => string | null
  /** Disk on which private folders are made. */
  readonly disk: UploadDisk
  /** PATH. */
  readonly path: string
  readonly clock: Clock
  /** Default: 120 s, 4 MiB of output, 200 MiB of files. */
  readonly limits?: RunLimits
}
type Folders = { readonly home: string; readonly result: string }

/** Programs of one client at the same time. */
const PER_CLIENT = 2
const MEBIBYTE = 1024 * 1024
const LIMITS: RunLimits = { ms: 120_000, outputBytes: 4 * MEBIBYTE, fileBytes: 200 * MEBIBYTE }

export function createVideos({ program, ffmpegPath, disk, path, clock, limits = LIMITS }: Deps) {
  const places = createPlaces({ perClient: PER_CLIENT, what: 'video pages that are read' })

  /** `use` receives the folders, which are removed afterwards. Throws QUEUE_FULL and STORAGE_FULL. */
  async function withFolders<T>(bytes: number, use: (folders: Folders) => Promise<T>): Promise<T> {
    const leave = places.take()
    const share = disk.budget.open()
    let own: string | null = null
    try {
      await share.take(bytes)
      own = await mkdtemp(join(disk.folder, 'video-')) // 0700
      const folders = { home: join(own, 'home'), result: join(own, 'result') }
      await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { mode: 0o700 })))
      return await use(folders)
    } finally {
      if (own !== null) await rm(own, { recursive: true, force: true })
      share.release()
      leave()
    }
  }
  async function run(args: readonly string[], { home, result }: Folders, signal: AbortSignal): Promise<string> {
    const found = program()
    if (found === null) throw failed('yt-dlp, which reads video pages, is not installed on this machine.')
    const end = await runConfined({ program: found, args, home, watched: result, path }, limits, clock, signal)
    if (end.ended === 'ok') return end.output
    throw failed(ytdlpFailure(end, limits))
  }

  return {
    /** Throws BAD_REQUEST for the text, VIDEO_FETCH_FAILED, QUEUE_FULL, and the reason of the signal. */
    search(query: string, most: number, signal: AbortSignal): Promise<VideoResult[]> {
      const args = searchArguments(query, most)
      return withFolders(0, async (folders) => videoResults(await run(args, folders, signal), most))
    },
    /**
     * `use` receives the fetched file, which is removed afterwards. Throws BAD_REQUEST for the address, VIDEO_FETCH_FAILED, QUEUE_FULL,
     * STORAGE_FULL, and the reason of the signal.
     */
    withClip<T>(section: VideoClip, signal: AbortSignal, use: (clip: FetchedClip) => Promise<T>): Promise<T> {
      const url = videoUrl(section.url)
      return withFolders(limits.fileBytes, async (folders) => {
        const places = { folder: folders.result, ffmpeg: ffmpegPath() }
        await run(clipArguments(section, places, Math.floor(limits.fileBytes / MEBIBYTE)), folders, signal)
        return use({ path: await onlyFile(folders.result), url })
      })
    },
  }
}

const failed = (message: string) => new Failure('VIDEO_FETCH_FAILED', message)

/** Throws unless the folder holds one regular file, which no link can be. */
async function onlyFile(folder: string): Promise<string> {
  const names = await readdir(folder)
  const [name] = names
  if (name === undefined || names.length > 1) throw failed('yt-dlp did not write the clip. The part may be after the end of the video.')
  const path = fileIn(folder, name)
  if (!/^clip\.[A-Za-z0-9]{1,8}$/.test(name) || !(await lstat(path)).isFile()) throw failed('yt-dlp did not write a file.')
  return path
}
