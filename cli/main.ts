// The only reader of the process's environment and arguments. Runs one command and maps its end to an exit status.

import { COMMANDS } from './command-list.ts'
import { helpLines } from './commands/help.ts'
import { type Command, Misuse, type Terminal } from './lib/command.ts'
import { nearest } from './lib/nearest.ts'

const ALIASES: Readonly<Record<string, string>> = { '-h': '--help', help: '--help', '-v': '--version', version: '--version' }

// `./studio … | head` closes our output early. That is not a failure.
for (const stream of [process.stdout, process.stderr]) {
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
  const matching = COMMANDS.filter((command) => command.name === name)
  const [command] = matching
  if (!command) {
    const names = COMMANDS.map((each) => each.name)
    throw new Misuse(`Unknown command '${word}'. Did you mean '${nearest(word, names)}'?`)
  }
  if (args.includes('--help') || args.includes('-h')) return showHelp(matching)
  const { run } = await command.load()
  return run(args, terminal)
}

function showHelp(commands: readonly Command[]): number {
  terminal.output.write(`${helpLines(commands).join('\n')}\n`)
  return 0
}

try {
  process.exitCode = await main(...process.argv.slice(2))
  if (interruption?.signal.aborted) process.exitCode = 130
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  if (interruption?.signal.aborted) process.exitCode = 130
  else {
    process.stderr.write(
      `studio: ${message}\n${error instanceof Misuse ? 'studio: Run ./studio --help for a list of all commands.\n' : ''}`,
    )
    process.exitCode = error instanceof Misuse ? 2 : 1
  }
}
