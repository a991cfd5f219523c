// Records the microphone with a program of the system.
import { once } from 'node:events'
import { basename } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import { lastText } from '#shared/runtime/lines.ts'
import { findProgram } from '#shared/runtime/program.ts'
import type { Environment } from '../command.ts'
import { withoutSettings } from './player.ts'

/** Hz of what is recorded: one channel of 16-bit PCM. */
export const RECORDED_RATE = 16_000
/** In the order of preference: those of sound servers first. */
const RECORDERS: readonly { readonly program: string; readonly args: readonly string[] }[] = [
  { program: 'parec', args: ['--raw', '--format=s16le', `--rate=${RECORDED_RATE}`, '--channels=1', '--latency-msec=100'] },
  { program: 'pw-record', args: ['--format', 's16', '--rate', String(RECORDED_RATE), '--channels', '1', '-'] },
  { program: 'arecord', args: ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', String(RECORDED_RATE), '-c', '1', '-'] },
  { program: 'rec', args: ['-q', '-t', 'raw', '-e', 'signed', '-b', '16', '-r', String(RECORDED_RATE), '-c', '1', '-'] },
]
export const RECORDER_NAMES: readonly string[] = RECORDERS.map(({ program }) => program)
const KEPT_CHARS = 4_000

export type Recorder = { readonly name: string; readonly record: (env: Environment, signal: AbortSignal) => AsyncIterable<Uint8Array> }

/** The first recorder on PATH; null without one. */
export function findRecorder(env: Environment): Recorder | null {
  for (const { program, args } of RECORDERS) {
    const path = findProgram(program, env['PATH'])
    if (path !== null) return { name: program, record: (env, signal) => recorded(path, args, env, signal) }
  }
  return null
}

/** The sound until the signal aborts. Throws PROGRAM_FAILED with the last line of a recorder that ends by itself. */
async function* recorded(path: string, args: readonly string[], env: Environment, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const child = spawnGroup(path, args, { env: withoutSettings(env), stdio: ['ignore', 'pipe', 'pipe'] })
  const said = lastText(child.stderr, KEPT_CHARS)
  const ended = once(child, 'close').catch((error: Error) => [error.message])
  const stop = () => killGroup(child)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    for await (const piece of child.stdout!) yield piece as Uint8Array
    const [code] = await ended
    if (signal.aborted) return
    const line = (typeof code === 'string' ? code : said()).trim().split('\n').at(-1) ?? ''
    throw new Failure(
      'PROGRAM_FAILED',
      `${basename(path)} ended${line === '' ? '' : ` (${line})`}. Check the microphone, or send sound to dictate -`,
    )
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
