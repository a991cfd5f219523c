// `say`: speech by the running studio. Audio is written as it arrives, to a temporary name until the file is complete. The API answers an
// unknown voice with the default one, as its clients expect; here it is refused before anything is generated.
import { basename, extname, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type CommandRun, Misuse, parseArguments, print, type Terminal } from '#cli/lib/command.ts'
import { refuseUnwritable, save } from '#cli/lib/file-transfer.ts'
import { chosenVoice } from '#cli/lib/names/voices.ts'
import { findPlayer, PLAYER_NAMES, type SoundPlayer } from '#cli/lib/sound/player.ts'
import { checkSpeech, SPEECH_FORMATS, type Spoken, speak } from '#cli/lib/sound/speech.ts'
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
  json: { type: 'boolean' },
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
  const player = target === null ? playerOf(terminal) : null
  const { engine, ssml = false, force = false } = values
  const format = formatFor(target, values.format)
  const speed = values.speed === undefined ? undefined : speedFrom(values.speed)
  if (target !== null && target !== STDOUT) await refuseUnwritable(resolve(terminal.cwd, target), force)
  const input = positionals.join(' ') === '-' ? await readText(terminal.input) : positionals.join(' ')
  if (input.trim() === '') throw new Misuse('The text is empty: say "Good morning." -o morning.mp3')
  checkSpeech({ input, format })
  // The voice of a profile is none of another engine that was named.
  const named = values.voice ?? (engine === undefined ? terminal.defaults?.voice : undefined)
  const voice = named === undefined ? undefined : await chosenVoice(env, named, engine)
  const signal = terminal.interrupted()
  const sink =
    target === null || player
      ? toPlayer(player!, terminal, signal)
      : target === STDOUT
        ? toOutput(terminal, signal)
        : toFile(resolve(terminal.cwd, target), force, terminal, signal)
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
  print({ value: { lines }, lines }, terminal.json, terminal.output)
  return 0
}

/** Without -o, a pipe or a file that the shell has opened gets the speech. Null: it is played. */
function targetFor(chosen: string | undefined, { output, json }: Terminal): string | null {
  if (json && (chosen === undefined || chosen === STDOUT))
    throw new Misuse('With --json standard output is the answer. Name a file for the sound with -o FILE.')
  if (chosen === undefined && output.isTTY) return null
  if (chosen === STDOUT && output.isTTY) throw new Misuse('Audio cannot be written to a terminal. Redirect it to a file or a player.')
  return chosen ?? STDOUT
}

function playerOf({ env }: Terminal): SoundPlayer {
  const player = findPlayer(env)
  if (player) return player
  throw new Misuse(`No player was found (${PLAYER_NAMES.join(', ')}). Name a file instead: say TEXT -o FILE`)
}

type Sink = { readonly write: (spoken: Spoken) => Promise<void> /** True if nothing stays. */; readonly isEmpty: () => boolean }

/** Speech that was heard is not said again, so a restart of the studio ends it. */
function toPlayer(player: SoundPlayer, { errors }: Terminal, signal: AbortSignal): Sink {
  let isEmpty = true
  return {
    async write({ content, notices }) {
      isEmpty = false
      await player.play(content, signal)
      for (const notice of notices) errors.write(`studio: ${notice}\n`)
    },
    isEmpty: () => isEmpty,
  }
}

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

function toFile(path: string, force: boolean, { output, errors, json }: Terminal, signal: AbortSignal): Sink {
  let isEmpty = true
  return {
    async write({ content, format, notices }) {
      // A file must not claim to be something else.
      const target = format === 'wav' ? `${path.slice(0, path.length - extname(path).length)}.wav` : path
      if (target !== path) await refuseUnwritable(target, force)
      const sizeBytes = await save(content, target, signal)
      isEmpty = false
      const line = `${basename(target)}, ${Math.ceil(sizeBytes / 1000)} kB`
      print({ value: { path: target, bytes: sizeBytes, format, notices }, lines: [line] }, json, output)
      for (const notice of notices) errors.write(`studio: ${notice}\n`)
    },
    isEmpty: () => isEmpty,
  }
}

function formatFor(target: string | null, chosen: string | undefined): string {
  if (target === null && chosen !== undefined) throw new Misuse('--format needs -o FILE, or a pipe: speech that is played has none.')
  // The players of the system read WAV, and most of them nothing else.
  const format = chosen ?? (target === null || target === STDOUT ? 'wav' : extname(target).slice(1).toLowerCase().replace('ogg', 'opus'))
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
