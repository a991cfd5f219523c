// The commands of the package for lenders: those of `agent`, without that word. A checkout has `./studio agent`.

import { readGlobals, withJson } from '#cli/lib/answer/global-options.ts'
import { settle } from '#cli/lib/answer/settle.ts'
import type { Terminal } from '#cli/lib/command.ts'
import { connectedTerminal } from '#cli/lib/studio/connection.ts'
import { AGENT_COMMAND, VERSION } from '#shared/protocol/version.ts'

const HELP = `Lends this machine to a Voice Studio.

  ${AGENT_COMMAND}                 Run the agent
  ${AGENT_COMMAND} join CODE       Join a studio and lend as a service; - reads the code from
                                 standard input, --no-service only joins
  ${AGENT_COMMAND} leave           Leave the studio
  ${AGENT_COMMAND} status          Show what this machine lends
  ${AGENT_COMMAND} lend on|off     Lend or stop lending
  ${AGENT_COMMAND} finish          Finish the running tasks, then exit
  ${AGENT_COMMAND} listen          Accept connections from studios
  ${AGENT_COMMAND} keys            List, add or revoke connection strings
  ${AGENT_COMMAND} space [GB|auto|clear]  Space for models of studios
  ${AGENT_COMMAND} files [GB|off]  Space for files of models that studios send
  ${AGENT_COMMAND} gpu [install|remove]   Show the GPUs; install or remove CUDA
  ${AGENT_COMMAND} service [install|remove]  Show, install or remove the service
  ${AGENT_COMMAND} uninstall       Remove service and programs; asks before the data
  ${AGENT_COMMAND} update --from DIR  Install a new version and switch to it
  ${AGENT_COMMAND} rollback        Go back to the version before
  ${AGENT_COMMAND} --version

Every command takes --json and --quiet.
`
const HELP_WORDS: ReadonlySet<string | undefined> = new Set(['help', '--help', '-h'])
const VERSION_WORDS: ReadonlySet<string | undefined> = new Set(['version', '--version', '-v', '-V'])

/** Words whose commands print lines only. */
const LINES: ReadonlySet<string | undefined> = new Set([...HELP_WORDS, ...VERSION_WORDS, 'update', 'rollback'])

async function statusOf(words: readonly string[], terminal: Terminal): Promise<number> {
  if (HELP_WORDS.has(words[0])) terminal.output.write(HELP)
  else if (VERSION_WORDS.has(words[0])) terminal.output.write(`Voice Studio agent ${VERSION} (Node ${process.versions.node})\n`)
  else if (words[0] === 'update') return (await import('#cli/program/agent.ts')).updateAgent(words.slice(1), terminal)
  else if (words[0] === 'rollback') return (await import('#cli/program/agent.ts')).rollbackAgent(words.slice(1), terminal)
  else return (await import('#cli/commands/agent.ts')).run(words, terminal)
  return 0
}

/** Writes to the streams of the terminal, and returns the exit status. `isInterrupted`: the person has stopped the command. */
export async function runAgentCli(args: readonly string[], terminal: Terminal, isInterrupted: () => boolean): Promise<number> {
  const { words, json, quiet, connection, misuse } = readGlobals(args)
  const printsLines = LINES.has(words[0])
  return settle({
    terminal,
    json,
    quiet,
    printsLines,
    name: AGENT_COMMAND,
    help: () => `For help, run ${AGENT_COMMAND} help.`,
    isInterrupted,
    async run(inner) {
      if (misuse) throw misuse
      return statusOf(json && !printsLines ? withJson(words) : words, connectedTerminal('agent', connection, inner))
    },
  })
}
