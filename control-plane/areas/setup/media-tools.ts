// The programs for media on PATH, and their versions. The studio downloads no programs; an acquisition says how to install them.
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { MediaOperation, MediaTools } from './setup.schema.ts'

type Deps = {
  /** PATH of the environment. */
  readonly path: string
  /** Path of ffmpeg at the start; one that is installed later is used after a restart. */
  readonly ffmpeg: string | null
}
export type MediaPrograms = ReturnType<typeof createMediaTools>
type Tool = MediaTools['tools']['ffmpeg']

const VERSION_MS = 5_000
const VERSION_CHARS = 64
const NO_OPERATION = { state: 'idle', progress: 0, error: null } as const
const RESTART = 'ffmpeg was installed after the studio had started. Restart the studio to use it.'
const INSTALL =
  'The studio downloads no programs. Install ffmpeg with ./studio setup or the package manager of this system, then restart the studio.'

export function createMediaTools({ path, ffmpeg }: Deps) {
  let wasRequested = false
  /** By path of the program. */
  const versions = new Map<string, Promise<string | null>>()

  async function toolOf(tool: string, program: string, flag: string, used: string | null = null): Promise<Tool> {
    const place = used ?? (await onPath(path, program))
    if (place === null) return { tool, ok: false, path: null, version: null, origin: null }
    if (!versions.has(place)) versions.set(place, versionOf(place, flag))
    const version = await versions.get(place)!
    if (version === null) versions.delete(place) // so that a repaired program is found
    return { tool, ok: version !== null, path: place, version, origin: 'system' }
  }

  async function acquisition(): Promise<MediaOperation> {
    if (ffmpeg !== null) return { state: 'done', progress: 1, error: null }
    if (!wasRequested) return NO_OPERATION
    return { state: 'error', progress: 0, error: (await onPath(path, 'ffmpeg')) === null ? INSTALL : RESTART }
  }

  return {
    onPath: (program: string) => onPath(path, program),
    isReady: ffmpeg !== null,
    acquisition,
    /** Starts nothing; the error of the reply contains instructions. */
    acquire(): Promise<MediaOperation> {
      wasRequested = true
      return acquisition()
    },
    async status(): Promise<MediaTools> {
      const [ffmpegTool, ffprobe, ytdlp, acquire] = await Promise.all([
        toolOf('ffmpeg', 'ffmpeg', '-version', ffmpeg),
        toolOf('ffprobe', 'ffprobe', '-version'),
        toolOf('ytdlp', 'yt-dlp', '--version'),
        acquisition(),
      ])
      return {
        ready: ffmpeg !== null,
        tools: { ffmpeg: ffmpegTool, ffprobe, ytdlp: { ...ytdlp, overlay_version: null, baseline_version: ytdlp.version } },
        ops: { acquire, ytdlp_update: NO_OPERATION },
        platform_key: `${process.platform}-${process.arch}`,
      }
    },
  }
}

/** From the first line: `ffmpeg version 7.1 Copyright …`, or the version alone. Null when the program does not run. */
const versionOf = (program: string, flag: string): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(program, [flag], { timeout: VERSION_MS, maxBuffer: 1024 * 1024 }, (error, output) => {
      if (error) return resolve(null)
      const [line = ''] = output.split('\n', 1)
      const words = line.trim().split(' ')
      resolve((words[1] === 'version' ? (words[2] ?? '') : words[0]!).slice(0, VERSION_CHARS))
    })
  })

async function onPath(variable: string, name: string): Promise<string | null> {
  for (const folder of variable.split(delimiter).filter(Boolean)) {
    const place = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    try {
      await access(place, constants.X_OK)
      return place
    } catch {} // Try the next folder.
  }
  return null
}
