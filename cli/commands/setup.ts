// `setup`: installs with apt-get the programs of PROGRAMS that PATH lacks.
import { type CommandRun, parseArguments, refuseArguments } from '../lib/command.ts'
import { installMissing } from '../lib/install-programs.ts'
import { PROGRAMS } from '../lib/programs.ts'

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' } })
  refuseArguments('setup', positionals)
  return installMissing(PROGRAMS, { path: terminal.env.PATH, yes: values.yes }, terminal)
}
