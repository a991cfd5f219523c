// Plays WAV with a program of the system.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { findProgram } from '#shared/runtime/program.ts'
import type { Environment } from '../command.ts'
import { save } from '../file-transfer.ts'

type Player = {
  readonly program: string
  readonly args: readonly string[] /** Reads standard input, so that it begins before the sound is complete. */
  readonly streams: boolean
}
/** In the order of preference: those of sound servers first. */
const PLAYERS: readonly Player[] = [
  { program: 'paplay', args: [], streams: false },
  { program: 'pw-play', args: [], streams: false },
  { program: 'aplay', args: ['-q', '-'], streams: true },
  { program: 'ffplay', args: ['-nodisp', '-autoexit', '-loglevel', 'error', '-i', 'pipe:0'], streams: true },
  { program: 'afplay', args: [], streams: false },
]
export const PLAYER_NAMES: readonly string[] = PLAYERS.map(({ program }) => program)
/** Characters of the messages of a player that are kept. */
const KEPT_CHARS = 4_000

export type SoundPlayer = { readonly name: string; readonly play: (wav: Readable, signal: AbortSignal) => Promise<void> }

/** The first player on PATH; null without one. */
export function findPlayer(env: Environment): SoundPlayer | null {
  for (const { program, args, streams } of PLAYERS) {
    const path = findProgram(program, env['PATH'])
    if (path === null) continue
    return {
      name: program,
      play: (wav, signal) => (streams ? run(path, args, wav, env, signal) : playFile(path, args, wav, env, signal)),
    }
  }
  return null
}

async function playFile(path: string, args: readonly string[], wav: Readable, env: Environment, signal: AbortSignal): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'studio-say-'))
  try {
    const file = join(folder, 'speech.wav')
    await save(wav, file, signal)
    await run(path, [...args, file], null, env, signal)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Throws PROGRAM_FAILED with the last line of the player. */
async function run(path: string, args: readonly string[], wav: Readable | null, env: Environment, signal: AbortSignal): Promise<void> {
  const child = spawnGroup(path, args, { env: withoutSettings(env), stdio: [wav === null ? 'ignore' : 'pipe', 'ignore', 'pipe'] })
  const said = lastText(child.stderr, KEPT_CHARS)
  const stop = () => killGroup(child)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const ended = once(child, 'close') as Promise<[number | null]>
    // A player that ends early closes its input; its exit status says why.
    const fed = wav === null ? null : pipeline(wav, child.stdin!, { signal }).catch((error: NodeJS.ErrnoException) => error)
    const [code] = await ended.catch((error: Error) => [error.message] as const)
    wav?.destroy()
    const broken = await fed
    signal.throwIfAborted()
    if (code !== 0) throw new Failure('PROGRAM_FAILED', sentenceFor(basename(path), typeof code === 'string' ? code : said()))
    if (broken instanceof Error && broken.message !== 'aborted' && !isClosed(broken)) throw broken
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** The environment without the settings of the studio, which contain its key. */
export const withoutSettings = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('STUDIO_')))

const isClosed = (error: NodeJS.ErrnoException): boolean => error.code === 'EPIPE' || error.code === 'ERR_STREAM_PREMATURE_CLOSE'

function sentenceFor(name: string, said: string): string {
  const line = said.trim().split('\n').at(-1) ?? ''
  return `${name} could not play the sound${line === '' ? '' : ` (${line})`}. Name a file with -o FILE.`
}
