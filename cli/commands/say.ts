// `say`: speech by the running studio. Audio is written as it arrives, to a temporary name until the file is complete. The API answers an
// unknown voice with the default one, as its clients expect; here it is refused before anything is generated.
import { basename, extname, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type CommandRun, Misuse, parseArguments, type Terminal } from '#cli/lib/command.ts'
import { refuseUnwritable, save } from '#cli/lib/file-transfer.ts'
import { chosenVoice } from '#cli/lib/names/voices.ts'
import { checkSpeech, SPEECH_FORMATS, type Spoken, speak } from '#cli/lib/speech.ts'
import { evenAfterRestart } from '#cli/lib/studio/restart.ts'

const OPTIONS = {
  output: { type: 'string', short: 'o' },
  voice: { type: 'string' },
  engine: { type: 'string' },
  format: { type: 'string' },
  speed: { type: 'string' },
  ssml: { type: 'boolean' },
  explain: { type: 'boolean' },
  language: { type: 'string' },
  force: { type: 'boolean' },
} as const
/** The value of FILE for standard output. */
const STDOUT = '-'

export const run: CommandRun = async (args, terminal) => {
  const { env } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (!positionals.length) throw new Misuse('The text is missing: say "Good morning." -o morning.mp3')
  if (values.explain) return await explain(positionals, values, terminal)
  if (values.language !== undefined) throw new Misuse('--language needs --explain: speech takes the language of its voice.')
  const target = targetFor(values.output, terminal)
  const { engine, ssml = false, force = false } = values
  const format = formatFor(target, values.format)
  const speed = values.speed === undefined ? undefined : speedFrom(values.speed)
  if (target !== STDOUT) await refuseUnwritable(resolve(terminal.cwd, target), force)
  const input = positionals.join(' ') === '-' ? await readText(terminal.input) : positionals.join(' ')
  if (input.trim() === '') throw new Misuse('The text is empty: say "Good morning." -o morning.mp3')
  checkSpeech({ input, format })
  const voice = values.voice === undefined ? undefined : await chosenVoice(env, values.voice, engine)
  const signal = terminal.interrupted()
  const sink = target === STDOUT ? toOutput(terminal, signal) : toFile(resolve(terminal.cwd, target), force, terminal, signal)
  const attempt = () => speak(env, { input, format, engine, voice, speed, ssml }, signal, sink.write)
  await evenAfterRestart(env, attempt, { signal, mayRepeat: sink.isEmpty })
  return 0
}

type Explained = { readonly [K in 'language' | 'engine' | 'voice']?: string | undefined }

async function explain(positionals: readonly string[], { language, engine, voice }: Explained, terminal: Terminal): Promise<number> {
  const { readingOf } = await import('#cli/lib/studio/explain.ts')
  const text = positionals.join(' ') === '-' ? await readText(terminal.input) : positionals.join(' ')
  if (text.trim() === '') throw new Misuse('The text is empty: say "Good morning." --explain')
  const lines = await readingOf(terminal.env, { text, language, engine, voice }, terminal.interrupted())
  terminal.output.write(`${lines.join('\n')}\n`)
  return 0
}

/** Without -o, a pipe or a file that the shell has opened gets the speech. */
function targetFor(chosen: string | undefined, { output }: Terminal): string {
  if (chosen === undefined && output.isTTY) throw new Misuse('The output file is missing: say TEXT -o FILE')
  if (chosen === STDOUT && output.isTTY) throw new Misuse('Audio cannot be written to a terminal. Redirect it to a file or a player.')
  return chosen ?? STDOUT
}

type Sink = { readonly write: (spoken: Spoken) => Promise<void> /** True if nothing stays. */; readonly isEmpty: () => boolean }

function toOutput({ output, errors }: Terminal, signal: AbortSignal): Sink {
  let isEmpty = true
  const watch = () =>
    new Transform({
      transform(piece, _encoding, done) {
        isEmpty = false
        done(null, piece)
      },
    })
  return {
    async write({ content, notices }) {
      await pipeline(content, watch(), output, { signal, end: false })
      for (const notice of notices) errors.write(`studio: ${notice}\n`)
    },
    isEmpty: () => isEmpty,
  }
}

function toFile(path: string, force: boolean, { output, errors }: Terminal, signal: AbortSignal): Sink {
  let isEmpty = true
  return {
    async write({ content, format, notices }) {
      // A file must not claim to be something else.
      const target = format === 'wav' ? `${path.slice(0, path.length - extname(path).length)}.wav` : path
      if (target !== path) await refuseUnwritable(target, force)
      const sizeBytes = await save(content, target, signal)
      isEmpty = false
      output.write(`${basename(target)}, ${Math.ceil(sizeBytes / 1000)} kB\n`)
      for (const notice of notices) errors.write(`studio: ${notice}\n`)
    },
    isEmpty: () => isEmpty,
  }
}

function formatFor(target: string, chosen: string | undefined): string {
  const format = chosen ?? (target === STDOUT ? 'mp3' : extname(target).slice(1).toLowerCase().replace('ogg', 'opus'))
  if (format === '') throw new Misuse(`${target} names no format. Add an extension such as .mp3, or choose one with --format.`)
  if (!SPEECH_FORMATS.includes(format))
    throw new Misuse(`The format '${format}' is not supported. Choose one of ${SPEECH_FORMATS.join(', ')} with --format.`)
  return format
}

function speedFrom(value: string): number {
  const speed = Number(value)
  if (!(speed >= 0.25 && speed <= 4)) throw new Misuse('--speed takes a number from 0.25 to 4.')
  return speed
}
