// A program with a web page, as a process group of its own. The group ends with this process, also after a SIGKILL: a shell in the group waits
// on a pipe that only this process holds.
import { connect } from 'node:net'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { createLineSplitter } from '#shared/runtime/lines.ts'

export type PageProgram = {
  /** Sends SIGKILL to the program and everything that it started. */
  readonly kill: () => void
  /** The last line of its output, at most 300 characters, when all of it has ended. Never rejects. */
  readonly ended: Promise<string>
}

const GUARD = '(cat >/dev/null; kill -KILL 0) <&3 & "$@" 3<&-; kill -KILL 0'
const LINE_CHARS = 300
const ANSWER_MS = 2_000

export function startPageProgram(
  command: readonly string[],
  { folder, environment }: { readonly folder: string; readonly environment: Readonly<Record<string, string>> },
): PageProgram {
  const child = spawnGroup('/bin/sh', ['-c', GUARD, 'sh', ...command], {
    cwd: folder,
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  let last = ''
  for (const output of [child.stdout!, child.stderr!]) {
    const reader = createLineSplitter(LINE_CHARS, (line) => {
      if (line.trim() !== '') last = line.replace(/[\p{Cc}\s]+/gu, ' ')
    })
    output.on('data', reader.push).on('end', reader.end)
  }
  child.stdio[3]!.on('error', () => {})
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(last))
  })
  return { kill: () => killGroup(child), ended }
}

/** True if a program of this machine accepts connections at the port. Never rejects. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: ANSWER_MS })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
