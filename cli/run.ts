// One command, from the words after ./studio to its exit status (lib/answer/exit.ts).

import { COMMANDS } from '#cli/commands/command-list.ts'
import { commandHelp } from '#cli/commands/help.ts'
import { readGlobals, withJson } from '#cli/lib/answer/global-options.ts'
import { settle } from '#cli/lib/answer/settle.ts'
import { type Command, Misuse, type Terminal } from '#cli/lib/command.ts'
import { developerCommand, hasTools } from '#cli/lib/developer-commands.ts'
import { guess } from '#cli/lib/nearest.ts'
import { connectedTerminal } from '#cli/lib/studio/connection.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const ALIASES: Readonly<Record<string, string>> = {
  '-h': '--help',
  help: '--help',
  '-v': '--version',
  '-V': '--version',
  version: '--version',
}

/** Words that other programs have as commands, and what does their work here. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  restart: `Stop the studio with ${COMMAND} stop, and start it again. A service starts again with ${COMMAND} service install.`,
  list: `${COMMAND} help lists all commands.`,
}
/** Commands of tools/, which a package refuses with a sentence of its own. */
const OF_DEVELOPERS: ReadonlySet<string> = new Set(['test', 'dev', 'check', 'docs', 'bench', 'release'])

/** Writes to the streams of the terminal. `isInterrupted`: the person has stopped the command. */
export async function runCli(words: readonly string[], terminal: Terminal, isInterrupted: () => boolean = () => false): Promise<number> {
  const parts = { terminal, isInterrupted, name: 'studio', help: () => helpFor(words[0]) }
  const tool = await developerCommand([nameOf(words[0] ?? ''), ...words.slice(1)])
  // A command of developers has options of its own only.
  if (tool) return settle({ ...parts, json: false, quiet: false, printsLines: true, run: runTool(tool, words.slice(1)) })
  const all = readGlobals(words)
  const [word = 'start', ...args] = all.words
  const name = nameOf(word)
  const command = commandsNamed(name)[0]
  return settle({
    ...parts,
    help: () => helpFor(word),
    json: all.json,
    quiet: all.quiet,
    printsLines: command?.printsLines === true,
    async run(inner) {
      if (all.misuse) throw all.misuse
      if (!command) throw unknownCommand(word)
      if (name === '--help' && args.length > 0) return showHelp(args, inner)
      if (asksForHelp(name, args)) return showHelp([word, ...args], inner)
      const connected = connectedTerminal(name, all.connection, inner)
      const { run } = await command.load()
      return run(all.json && !command.printsLines ? withJson(args) : args, connected)
    },
  })
}

/** `help` in the place of the text of `say` is a text. */
const asksForHelp = (name: string, args: readonly string[]): boolean =>
  args.includes('--help') || args.includes('-h') || (args[0] === 'help' && name !== 'say')

const runTool = (tool: Command, args: readonly string[]) => async (terminal: Terminal) => {
  if (asksForHelp(tool.name, args)) return showHelp([tool.name, ...args], terminal)
  return (await tool.load()).run(args, terminal)
}

const nameOf = (word: string): string => ALIASES[word] ?? word
const commandsNamed = (name: string): readonly Command[] => COMMANDS.filter((command) => command.name === name)

async function showHelp([word = '', ...args]: readonly string[], { output }: Terminal): Promise<number> {
  const name = nameOf(word)
  const tool = await developerCommand([name, ...args])
  const commands = tool ? [tool] : commandsNamed(name)
  if (commands.length === 0) throw unknownCommand(word)
  output.write(`${commandHelp(commands).join('\n')}\n`)
  return 0
}

function unknownCommand(word: string): Misuse {
  if (OF_DEVELOPERS.has(word) && !hasTools())
    return new Misuse(`Unknown command '${word}'. It is a command of developers, which only a checkout of the source has.`)
  const names = COMMANDS.map((each) => each.name)
  const advice = Object.hasOwn(ELSEWHERE, word) ? ` ${ELSEWHERE[word]}` : guess(word, names)
  return new Misuse(`Unknown command '${word}'.${advice}`)
}

/** Help for a user who mistyped a command. */
function helpFor(word: string | undefined): string {
  const isTool = word !== undefined && OF_DEVELOPERS.has(word) && hasTools()
  const isKnown = word !== undefined && (isTool || commandsNamed(word).length > 0) && !word.startsWith('-')
  return isKnown ? `For help, run ${COMMAND} help ${word}.` : `For a list of all commands, run ${COMMAND} help.`
}
