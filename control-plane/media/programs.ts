// Finds the programs for media: a path that the owner chose, the build that the studio downloaded, or PATH.
import { accessSync, constants, statSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram, programFile } from '#shared/runtime/program.ts'

export const MEDIA_PROGRAMS = ['ffmpeg', 'ffprobe', 'ytdlp'] as const
export type MediaProgram = (typeof MEDIA_PROGRAMS)[number]
/** auto: the downloaded build, otherwise PATH. system: PATH only. custom: `path` only. */
export type ProgramChoice = { readonly kind: 'auto' | 'system' } | { readonly kind: 'custom'; readonly path: string }
export type FoundProgram = { readonly path: string; readonly origin: 'sidecar' | 'system' | 'custom' }
export type MediaPrograms = ReturnType<typeof createMediaPrograms>
type Deps = {
  /** PATH of the environment. */
  readonly path: string
  /** The folder of the downloaded builds. */
  readonly folder: string
  readonly choiceOf: (program: MediaProgram) => ProgramChoice
}

const COMMANDS: Readonly<Record<MediaProgram, string>> = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe', ytdlp: 'yt-dlp' }

export function createMediaPrograms({ path, folder, choiceOf }: Deps) {
  /** Path of the downloaded build of a program, whether or not it is there. */
  const downloadedPath = (program: MediaProgram): string => join(folder, programFile(COMMANDS[program]))

  function onPath(program: MediaProgram): FoundProgram | null {
    const found = findProgram(COMMANDS[program], path)
    return found === null ? null : { path: found, origin: 'system' }
  }

  /** The program as chosen; it may be missing at a custom path. Null when there is none. */
  function find(program: MediaProgram): FoundProgram | null {
    const choice = choiceOf(program)
    if (choice.kind === 'custom') return { path: choice.path, origin: 'custom' }
    const downloaded = downloadedPath(program)
    if (choice.kind === 'auto' && isExecutable(downloaded)) return { path: downloaded, origin: 'sidecar' }
    return onPath(program)
  }

  return {
    downloadedPath,
    onPath,
    find,
    /** The path of a program that can be started; null without one. Looks at the disk, so a new program is used at once. */
    usable: (program: MediaProgram): string | null => {
      const found = find(program)
      return found !== null && isExecutable(found.path) ? found.path : null
    },
  }
}

/** True if this is an executable file and no folder. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // missing, or in a folder without access
  }
}
