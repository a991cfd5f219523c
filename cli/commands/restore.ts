// `restore`: replaces the database by a backup while no studio runs. The replaced database is kept.

import { join, resolve } from 'node:path'
import { type CommandRun, Misuse, parseArguments, print, refuseArguments } from '#cli/lib/command.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { restoreBackup } from '#control-plane/store/files/backup.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { privateFolder } from '#shared/runtime/file.ts'

export const run: CommandRun = async (args, { env, cwd, output }) => {
  const { values, positionals } = parseArguments(args, { json: { type: 'boolean' } })
  const [file] = positionals
  if (file === undefined) throw new Misuse(`The file of the backup is missing. Write ${COMMAND} restore FILE.`)
  refuseArguments('restore FILE', positionals.slice(1))
  const kept = await restoreBackup(resolve(cwd, file), join(privateFolder(studioFolder(env)), 'studio.db'))
  const line = `The backup is in place. ${kept === null ? 'There was no database before.' : `The database before it is ${kept}.`}`
  print({ value: { kept }, lines: [line] }, values.json, output)
  return 0
}
