// `release pack`: builds the packages.
import { type CommandRun, unknownVerb } from '#cli/lib/command.ts'
import { packFor } from './pack.ts'

export const run: CommandRun = async ([word, ...args], { cwd, output }) => {
  if (word !== 'pack') throw unknownVerb('release', word, ['pack'])
  output.write(`${packFor(args, cwd).join('\n')}\n`)
  return 0
}
