// `setup --tests`: also installs the programs that only tests need.
import { type CommandRun, parseArguments, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { installMissing, installUnattended, missingPrograms } from '#cli/lib/install-programs.ts'
import { PROGRAMS } from '#cli/lib/programs.ts'
import { programPath, TEST_PROGRAMS } from './programs.ts'

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' }, tests: { type: 'boolean' } })
  refuseArguments('setup', positionals)
  return installMissing([...PROGRAMS, ...TEST_PROGRAMS], { path: programPath(terminal.env['PATH']), yes: values.yes }, terminal)
}

/**
 * Sets up a machine for continuous integration. Never asks for a password; prints a line about each group of programs that stays missing.
 */
export async function setupUnattended(terminal: Terminal): Promise<void> {
  // In groups, so that an unavailable browser does not block the other programs.
  for (const wanted of [PROGRAMS, ...TEST_PROGRAMS.map((row) => [row])])
    await installUnattended(missingPrograms(programPath(terminal.env['PATH']), wanted), terminal)
}
