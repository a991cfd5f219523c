// `setup`: installs with apt-get the programs of PROGRAMS that PATH lacks.
import { type CommandRun, parseArguments, refuseArguments } from '#cli/lib/command.ts'
import { installMissing } from '#cli/lib/install-programs.ts'
import { PROGRAMS } from '#cli/lib/programs.ts'

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' } })
  refuseArguments('setup', positionals)
  return installMissing(PROGRAMS, { path: terminal.env['PATH'], yes: values.yes }, terminal)
}
