// `rollback`: returns to the version before, with the database as that version left it where it cannot read the present one.
import { existsSync } from 'node:fs'
import { Misuse, parseArguments, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { agreed } from '#cli/lib/install-programs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isWholeVersion, programIn } from './files/tree.ts'
import { versionFolder } from './folder.ts'
import { withProgramLock } from './lock.ts'
import { copyPath, readSwitches } from './state.ts'
import { tryVersion } from './trial.ts'
import { installed, secondsIn, switchTo, type UpdateParts } from './update.ts'

export async function runRollback(args: readonly string[], terminal: Terminal, parts: UpdateParts): Promise<number> {
  const { values, positionals } = parseArguments(args, { yes: { type: 'boolean' }, wait: { type: 'string' } })
  refuseArguments('rollback', positionals)
  const waitSeconds = secondsIn(values.wait)
  installed(parts)
  return withProgramLock(parts.dataFolder, () => goBack({ isAgreed: values.yes === true, waitSeconds }, terminal, parts))
}

type Way = { readonly isAgreed: boolean; readonly waitSeconds: number }
async function goBack({ isAgreed, waitSeconds }: Way, terminal: Terminal, parts: UpdateParts): Promise<number> {
  const { dataFolder } = parts
  const { env, input, output } = terminal
  const { current } = installed(parts)
  const { previous, copies } = readSwitches(dataFolder)
  const [version] = previous
  if (version === undefined) throw new Failure('NOT_FOUND', `There is no version before ${current.version} to go back to.`)
  const folder = versionFolder(dataFolder, version)
  if (!isWholeVersion(folder))
    throw new Failure('NOT_FOUND', `The files of version ${version} are no longer whole, so it cannot be started.`)
  const { objection } = await tryVersion({ folder, program: programIn(folder)!, env, signal: terminal.interrupted() })
  if (objection === null) {
    output.write(`Going back from ${current.version} to ${version}. The data is not changed.\n`)
    return switchTo({ version, changesDatabase: false, restore: null, waitSeconds }, terminal, parts)
  }
  const copy = copies[version]
  if (!copy || !existsSync(copyPath(dataFolder, copy.file)))
    throw new Failure(
      'CONFLICT',
      `Version ${version} cannot read the database, and there is no copy of it from before the update. Version ${current.version} stays.`,
    )
  const day = new Date(copy.at).toISOString().slice(0, 16).replace('T', ' ')
  output.write(
    `Version ${version} cannot read the database of ${current.version}. It goes back to the copy of ${day} UTC: tasks, takes, projects, voices and settings that were made or changed since then are lost. The present database is kept beside it, with a name that contains before-restore.\n`,
  )
  if (!isAgreed && !input.isTTY) throw new Misuse('Standard input is not a terminal. Add the option --yes to go back without a question.')
  if (!isAgreed && !(await agreed(`Go back to ${version}? (y/N) `, terminal))) return 1
  return switchTo({ version, changesDatabase: false, restore: copy.file, waitSeconds }, terminal, parts)
}
