// The help page is folded from the table of commands, so it cannot forget one.

import { COMMANDS } from '../command-list.ts'
import type { Command, Run } from '../lib/command.ts'

const WIDTH = 30
const row = (left: string, right: string) => `  ${left.padEnd(WIDTH)}${right}`

/** The lines of the given commands: one each, options below, indented. */
export const helpLines = (commands: readonly Command[]): string[] =>
  commands.flatMap(({ usage, line, options = [] }) => [
    row(`./studio ${usage}`.trimEnd(), line),
    ...options.map(([flag, meaning]) => row(`    ${flag}`, meaning)),
  ])

export const run: Run = async (_args, { output }) => {
  const settings = 'Settings come from the environment (STUDIO_PORT and others); README.md lists them.'
  output.write(
    `${['Voice Studio: speech on your own machine, or on a GPU you borrow.', '', ...helpLines(COMMANDS), '', settings].join('\n')}\n`,
  )
  return 0
}
