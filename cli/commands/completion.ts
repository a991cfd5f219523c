// `completion` and `man`: a script of completion for a shell, and the page of the manual.
import { EXIT_STATUSES } from '#cli/lib/answer/exit.ts'
import { GLOBAL_OPTIONS } from '#cli/lib/answer/global-options.ts'
import { type Command, type CommandRun, Misuse, refuseArguments } from '#cli/lib/command.ts'
import { completionFor, manualPage, SHELLS } from '#cli/views/completion.ts'
import { COMMAND, PACKAGES, VERSION } from '#shared/protocol/version.ts'
import { COMMANDS } from './command-list.ts'

export const run: CommandRun = async ([word, ...more], { output }) => {
  const shell = SHELLS.find((each) => each === word)
  if (!shell || more.length > 0) throw new Misuse(`Name one shell of ${SHELLS.join(', ')}: completion bash`)
  // A shell looks for the name without its folder.
  output.write(completionFor(shell, COMMAND.replace(/^.*\//, ''), COMMANDS, GLOBAL_OPTIONS))
  return 0
}

export const runMan: CommandRun = async (args, { output }) => {
  const [word, ...more] = args
  refuseArguments('man', word === 'agent' ? more : args)
  output.write(word === 'agent' ? agentManual() : studioManual())
  return 0
}

function studioManual(): string {
  const summary = 'speech on your own machine or on borrowed GPUs'
  const lists = { commands: COMMANDS, options: GLOBAL_OPTIONS, statuses: EXIT_STATUSES }
  return manualPage({ program: COMMAND, summary, version: VERSION, ...lists })
}

/** Options of every command that the program of lenders has, which reaches no studio for a command. */
const AGENT_OPTIONS: ReadonlySet<string> = new Set(['--json', '--quiet'])
/** Commands that it has beside those of `agent`. */
const AGENT_VERSIONS: ReadonlySet<string> = new Set(['update', 'rollback'])

/** The page of the package for lenders, whose commands are those of `agent` without that word. */
function agentManual(): string {
  const program = PACKAGES.agent
  const without = (text: string): string =>
    text
      .replaceAll(`${COMMAND} agent`, program)
      .replaceAll(COMMAND, program)
      .replace(/\bagent start\b/, 'start')
  const own = ({ usage, line, examples = [], options = [] }: Command) => ({
    name: '',
    usage: usage.replace(/^agent ?/, ''),
    line: without(line),
    examples: examples.map(without),
    options: options.map(([flag, meaning]) => [flag, without(meaning)] as const),
  })
  return manualPage({
    program,
    summary: 'lends this machine to a Voice Studio',
    version: VERSION,
    commands: COMMANDS.filter(({ name }) => name === 'agent' || AGENT_VERSIONS.has(name)).map(own),
    options: GLOBAL_OPTIONS.filter(([flag]) => AGENT_OPTIONS.has(flag)),
    statuses: EXIT_STATUSES,
  })
}
