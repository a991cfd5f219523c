// The help page is generated from the table of commands.
import { COMMANDS } from '../command-list.ts'
import type { Command, CommandRun } from '../lib/command.ts'

const WIDTH = 29
const row = (left: string, right: string) => `  ${left.padEnd(WIDTH)}  ${right}`

/** One line for each command, followed by its indented options. */
export const helpLines = (commands: readonly Command[]): string[] =>
  commands.flatMap(({ usage, line, options = [] }) => [
    row(`./studio ${usage}`.trimEnd(), line),
    ...options.map(([flag, meaning]) => row(`    ${flag}`, meaning)),
  ])

export const run: CommandRun = async (_args, { output }) => {
  const settings = 'Settings come from environment variables such as STUDIO_PORT. README.md lists them.'
  output.write(
    `${['Voice Studio: speech on your own machine or on borrowed GPUs.', '', ...helpLines(COMMANDS), '', settings].join('\n')}\n`,
  )
  return 0
}
