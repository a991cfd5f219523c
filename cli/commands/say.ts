// `say`: one speech request to the running studio. Audio is written as it arrives, to a temporary name until the file is complete. The API
// answers an unknown voice with the default one, as its clients expect; here it is refused before anything is generated.
import type { IncomingMessage } from 'node:http'
import { basename, extname, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type CommandRun, Misuse, parseArguments } from '../lib/command.ts'
import { refuseUnwritable, save } from '../lib/file-transfer.ts'
import { chosenVoice } from '../lib/names/voices.ts'
import { failureFrom, request } from '../lib/studio-api.ts'

const FORMATS: readonly string[] = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']
const OPTIONS = {
  output: { type: 'string', short: 'o' },
  voice: { type: 'string' },
  engine: { type: 'string' },
  format: { type: 'string' },
  speed: { type: 'string' },
} as const

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const target = values.output
  if (!positionals.length) throw new Misuse('The text is missing: say "Good morning." -o morning.mp3')
  if (!target) throw new Misuse('The output file is missing: say TEXT -o FILE')
  if (target === '-' && terminal.output.isTTY) throw new Misuse('Audio cannot be written to a terminal. Redirect it to a file or a player.')
  const { engine, voice } = values
  const options = {
    response_format: formatFor(target, values.format),
    ...(engine !== undefined && { model: engine }),
    ...(values.speed !== undefined && { speed: speedFrom(values.speed) }),
  }
  if (target !== '-') await refuseUnwritable(resolve(terminal.cwd, target))
  const input = positionals.join(' ') === '-' ? await readText(terminal.input) : positionals.join(' ')
  if (input.trim() === '') throw new Misuse('The text is empty: say "Good morning." -o morning.mp3')
  const body = {
    input,
    ...options,
    ...(voice !== undefined && { voice: await chosenVoice(terminal.env, voice, engine) }),
  }
  const signal = terminal.interrupted()
  const response = await request(terminal.env, { method: 'POST', path: '/v1/audio/speech', body, signal })
  if (response.statusCode !== 200) throw await failureFrom(terminal.env, response)

  if (target === '-') await pipeline(response, terminal.output, { signal, end: false })
  else {
    const sizeBytes = await save(response, resolve(terminal.cwd, target), signal)
    terminal.output.write(`${basename(target)}, ${Math.ceil(sizeBytes / 1000)} kB\n`)
  }
  for (const notice of notices(response, body.response_format)) terminal.errors.write(`studio: ${notice}\n`)
  return 0
}

function formatFor(target: string, chosen: string | undefined): string {
  const format = chosen ?? (target === '-' ? 'mp3' : extname(target).slice(1).toLowerCase().replace('ogg', 'opus'))
  if (format === '') throw new Misuse(`${target} names no format. Add an extension such as .mp3, or choose one with --format.`)
  if (!FORMATS.includes(format))
    throw new Misuse(`The format '${format}' is not supported. Choose one of ${FORMATS.join(', ')} with --format.`)
  return format
}

function speedFrom(value: string): number {
  const speed = Number(value)
  if (!(speed >= 0.25 && speed <= 4)) throw new Misuse('--speed takes a number from 0.25 to 4.')
  return speed
}

/** How the response differs from the request: another format, or the routing reason sent by the studio. */
function notices({ headers }: IncomingMessage, requested: string): string[] {
  const isWav = /^audio\/(x-)?wav/.test(headers['content-type'] ?? '')
  const sentences = new Set([headers['x-svc-routing-reason'], headers['x-svc-notice']].flatMap((header) => header ?? []))
  const changed = isWav && requested !== 'wav'
  return [...(changed ? [`The file is WAV because the studio cannot encode ${requested}.`] : []), ...sentences]
}
