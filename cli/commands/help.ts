// The help pages are generated from the table of commands: one page with all commands, and one for each command with its options.

import { EXIT_STATUSES } from '#cli/lib/answer/exit.ts'
import { GLOBAL_OPTIONS } from '#cli/lib/answer/global-options.ts'
import { type Command, type CommandRun, refuseArguments } from '#cli/lib/command.ts'
import { hasTools } from '#cli/lib/developer-commands.ts'
import { pairLines } from '#cli/views/table.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { COMMANDS } from './command-list.ts'

const GROUPS: Readonly<Record<Exclude<Command['group'], 'develop'>, string>> = {
  everyday: 'Everyday use',
  borrow: 'Borrow other machines',
  lend: 'Lend this machine',
  maintain: 'Installation and maintenance',
}
const EXAMPLES: readonly string[] = [
  `${COMMAND} say "Good morning." -o morning.mp3`,
  `echo "Good morning." | ${COMMAND} say - > morning.wav`,
  `${COMMAND} transcribe talk.mp3 -o talk.srt`,
  `${COMMAND} status`,
]
const call = (usage: string): string => `  ${COMMAND} ${usage}`.trimEnd()

/** Examples, the commands and their options. */
export function commandHelp(commands: readonly Command[]): string[] {
  const options = new Map(commands.flatMap((command) => command.options ?? []))
  const width = Math.max(...commands.map(({ usage }) => call(usage).length), ...[...options.keys()].map((flag) => flag.length + 2))
  const examples = commands.flatMap((command) => command.examples ?? [])
  return [
    ...(examples.length > 0 ? ['Examples', ...examples.map((words) => `    ${words}`), ''] : []),
    ...pairLines(
      commands.map(({ usage, line }) => [call(usage), line]),
      width,
    ),
    ...(options.size > 0 ? ['', 'Options'] : []),
    ...pairLines(
      [...options].map(([flag, meaning]) => [`  ${flag}`, meaning]),
      width,
    ),
  ]
}

export const run: CommandRun = async (args, { output }) => {
  refuseArguments('--help', args)
  const width = Math.max(...COMMANDS.map(({ usage }) => call(usage).length))
  const groups = Object.entries(GROUPS).flatMap(([group, title]) => {
    const rows = COMMANDS.filter((command) => command.group === group).map(({ usage, line }) => [call(usage), line] as const)
    return ['', title, ...pairLines(rows, width)]
  })
  const lines = [
    'Voice Studio: speech on your own machine or on borrowed GPUs.',
    '',
    'Examples',
    ...EXAMPLES.map((words) => `    ${words}`),
    ...groups,
    '',
    'Options of every command',
    ...pairLines(
      GLOBAL_OPTIONS.map(([flag, meaning]) => [`  ${flag}`, meaning]),
      width,
    ),
    '',
    'Exit status',
    ...pairLines(
      EXIT_STATUSES.map(([status, meaning]) => [`  ${status}`, meaning]),
      width,
    ),
    '',
    `The options of a command: ${COMMAND} help COMMAND`,
    'Settings are environment variables such as STUDIO_PORT. README.md lists them.',
    ...(hasTools() ? ['Developers: see CONTRIBUTING.md.'] : []),
  ]
  output.write(`${lines.join('\n')}\n`)
  return 0
}
