// Opens folders in the file manager of the desktop.

import { Failure } from '#shared/protocol/failure.ts'
import { spawn } from '#shared/runtime/child/process.ts'
import { findProgram } from '#shared/runtime/program.ts'

export type FolderWindow = { readonly open: (folder: string) => Promise<void> }
type Deps = { readonly environment: Readonly<Record<string, string>>; readonly platform?: NodeJS.Platform }

/** The program that shows a folder, by system; xdg-open on all others. */
const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', win32: 'explorer' }
/** Programs that wait for their window to close, at the same time. */
const MAX_OPEN = 8

export function createFolderWindow({ environment, platform = process.platform }: Deps): FolderWindow {
  const name = PROGRAMS[platform] ?? 'xdg-open'
  // The settings of the studio contain its key.
  const inherited = Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('STUDIO_')))
  let open = 0

  return {
    /** Resolves when the program runs. `folder` is absolute. Throws PROGRAM_MISSING, QUEUE_FULL. */
    open(folder: string): Promise<void> {
      const program = findProgram(name, environment['PATH'], platform)
      if (program === null) throw missing(name, 'is not installed on this machine')
      if (open >= MAX_OPEN) throw new Failure('QUEUE_FULL', `${MAX_OPEN} folders are being opened already. Close their windows.`)
      open++
      return new Promise((resolve, reject) => {
        // No shell: the path is one argument, also with quotes and spaces. Detached, because the window outlives the studio.
        const child = spawn(program, [folder], { stdio: 'ignore', detached: true, cwd: '/', env: inherited })
        child.unref()
        child.once('spawn', resolve)
        child.once('error', (cause) => {
          open--
          reject(missing(name, 'cannot be started', cause))
        })
        child.once('exit', () => void open--)
      })
    },
  }
}

const missing = (program: string, why: string, cause?: unknown) =>
  new Failure('PROGRAM_MISSING', `The program ${program}, which opens folders, ${why}.`, { cause })
