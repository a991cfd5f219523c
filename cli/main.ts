// The only reader of the process's environment and arguments. Runs one command and maps its end to an exit status.

import '#shared/runtime/builtin/imports.ts'
import { escapeControls } from '#shared/protocol/fields/clean-text.ts'
import { COMMANDS } from './command-list.ts'
import { commandHelp } from './commands/help.ts'
import { type Command, Misuse, type Terminal } from './lib/command.ts'
import { guess } from './lib/nearest.ts'
import { sentenceOf } from './views/failure.ts'

const ALIASES: Readonly<Record<string, string>> = { '-h': '--help', help: '--help', '-v': '--version', version: '--version' }

/** Erases the line of the cursor: how a progress line begins. */
const ERASE = '\r\u001b[K'
/** Texts contain names and messages of other machines and of files, which must not command the terminal. Bytes are audio. */
const shown = (chunk: string | Uint8Array): string | Uint8Array => {
  if (typeof chunk !== 'string') return chunk
  return chunk.startsWith(ERASE) ? ERASE + escapeControls(chunk.slice(ERASE.length)) : escapeControls(chunk)
}

for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write.bind(stream) as (chunk: string | Uint8Array, ...rest: unknown[]) => boolean
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => write(shown(chunk), ...rest)
  // `./studio … | head` closes our output early. That is not a failure.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
}

let interruption: AbortController | undefined
function interrupted(): AbortSignal {
  if (!interruption) {
    const abort = new AbortController()
    interruption = abort
    // `once`: a second Ctrl-C falls back to the default and ends the process.
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => abort.abort(new Error('interrupted')))
  }
  return interruption.signal
}

const terminal: Terminal = {
  env: process.env,
  cwd: process.cwd(),
  input: process.stdin,
  output: process.stdout,
  errors: process.stderr,
  interrupted,
}

async function main(word = 'start', ...args: string[]): Promise<number> {
  const name = ALIASES[word] ?? word
  const [command] = commandsNamed(name)
  if (!command) throw unknownCommand(word)
  if (name === '--help' && args.length > 0) return showHelp(args[0]!)
  // `help` in the place of the text of `say` is a text.
  if (args.includes('--help') || args.includes('-h') || (args[0] === 'help' && name !== 'say')) return showHelp(name)
  const { run } = await command.load()
  return run(args, terminal)
}

const commandsNamed = (name: string): readonly Command[] => COMMANDS.filter((command) => command.name === name)

function showHelp(name: string): number {
  const commands = commandsNamed(name)
  if (commands.length === 0) throw unknownCommand(name)
  terminal.output.write(`${commandHelp(commands).join('\n')}\n`)
  return 0
}

function unknownCommand(word: string): Misuse {
  const names = COMMANDS.map((each) => each.name)
  return new Misuse(`Unknown command '${word}'.${guess(word, names)}`)
}

/** Where a user who mistyped a command reads more. */
function helpFor(word: string | undefined): string {
  const isKnown = word !== undefined && commandsNamed(word).length > 0 && !word.startsWith('-')
  return isKnown ? `For help, run ./studio help ${word}.` : 'For a list of all commands, run ./studio help.'
}

try {
  process.exitCode = await main(...process.argv.slice(2))
  if (interruption?.signal.aborted) process.exitCode = 130
} catch (error) {
  if (interruption?.signal.aborted) process.exitCode = 130
  else {
    const misuse = error instanceof Misuse
    process.stderr.write(`studio: ${sentenceOf(error)}\n${misuse ? `studio: ${helpFor(process.argv[2])}\n` : ''}`)
    process.exitCode = misuse ? 2 : 1
  }
}
