// `say`: one request to the running studio. The audio is written while it arrives, under another name until it is whole.
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { basename, extname, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Misuse, parse, type Run } from '../lib/command.ts'
import { callStudio, refusalIn } from '../lib/studio-api.ts'

const FORMATS: readonly string[] = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']
const OPTIONS = {
  output: { type: 'string', short: 'o' },
  voice: { type: 'string' },
  format: { type: 'string' },
  speed: { type: 'string' },
} as const

export const run: Run = async (args, terminal) => {
  const { values, positionals } = parse(args, OPTIONS)
  const target = values.output
  if (!target) throw new Misuse('say where the audio goes: -o FILE')
  if (target === '-' && terminal.output.isTTY) throw new Misuse('audio on a terminal helps nobody; send it to a file or a player')
  if (!positionals.length) throw new Misuse('say what to speak: say "good morning" -o morning.mp3')
  const body = {
    input: positionals.join(' ') === '-' ? await readText(terminal.input) : positionals.join(' '),
    response_format: formatFor(target, values.format),
    ...(values.voice !== undefined && { voice: values.voice }),
    ...(values.speed !== undefined && { speed: speedFrom(values.speed) }),
  }
  const signal = terminal.interrupted()
  const response = await callStudio(terminal.env, { method: 'POST', path: '/v1/audio/speech', body, signal })
  if (response.statusCode !== 200) throw await refusalIn(response)

  if (target === '-') await pipeline(response, terminal.output, { signal, end: false })
  else {
    const sizeBytes = await save(response, resolve(terminal.cwd, target), signal)
    terminal.output.write(`${basename(target)}, ${Math.ceil(sizeBytes / 1000)} KB\n`)
  }
  for (const notice of notices(response, body.response_format)) terminal.errors.write(`studio: ${notice}\n`)
  return 0
}

function formatFor(target: string, chosen: string | undefined): string {
  const format = chosen ?? (target === '-' ? 'mp3' : extname(target).slice(1).toLowerCase().replace('ogg', 'opus'))
  if (!FORMATS.includes(format)) throw new Misuse(`choose one of ${FORMATS.join(', ')} with --format`)
  return format
}

function speedFrom(value: string): number {
  const speed = Number(value)
  if (!(speed >= 0.25 && speed <= 4)) throw new Misuse('--speed takes a number from 0.25 to 4')
  return speed
}

/** Answers with the size in bytes. */
async function save(response: IncomingMessage, path: string, signal: AbortSignal): Promise<number> {
  const partial = `${path}.${process.pid}.part`
  const file = createWriteStream(partial, { flags: 'wx', flush: true })
  try {
    await pipeline(response, file, { signal })
    await rename(partial, path)
    return file.bytesWritten
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

// What the user got instead of what was asked for, in the studio's own words.
function notices({ headers }: IncomingMessage, asked: string): string[] {
  const isWav = /^audio\/(x-)?wav/.test(headers['content-type'] ?? '')
  const reason = headers['x-svc-routing-reason']
  return [...(isWav && asked !== 'wav' ? [`this is WAV, the studio could not make ${asked}`] : []), ...(reason ? [String(reason)] : [])]
}
