// `setup`: installs with apt-get the programs of PROGRAMS that PATH lacks. `setup --pages`: bundles the web pages, for a studio that may not write to
// its program folder.
import { join } from 'node:path'
import { runProgram } from '#cli/lib/child.ts'
import { type CommandRun, parseArguments, ROOT, refuseArguments } from '#cli/lib/command.ts'
import { installMissing } from '#cli/lib/install-programs.ts'
import { PROGRAMS } from '#cli/lib/programs.ts'

const BUNDLER = join(ROOT, 'control-plane/features/operate/system/pages/build.ts')

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' }, pages: { type: 'boolean' } })
  refuseArguments('setup', positionals)
  if (values.pages) return runProgram(process.execPath, [BUNDLER], { env: terminal.env, signal: terminal.interrupted() })
  return installMissing(PROGRAMS, { path: terminal.env['PATH'], yes: values.yes }, terminal)
}
