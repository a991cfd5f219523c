// `backup`: writes a copy of the database to a new file, also while the studio runs.
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type CommandRun, parseArguments, print, refuseArguments } from '#cli/lib/command.ts'
import { refuseUnwritable } from '#cli/lib/file-transfer.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { backupTo } from '#control-plane/store/files/backup.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder } from '#shared/runtime/file.ts'

const OPTIONS = { json: { type: 'boolean' } } as const

export const run: CommandRun = async (args, { env, cwd, output }) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  refuseArguments('backup [FILE]', positionals.slice(1))
  const folder = studioFolder(env)
  const database = join(folder, 'studio.db')
  const path = positionals[0] === undefined ? ownPlace(database) : resolve(cwd, positionals[0])
  await refuseUnwritable(path, null)
  backupTo(database, path)
  const line = `The database was copied to ${path}. It does not contain audio, models or keys; restored on another machine, secrets have to be entered again.`
  print({ value: { path, bytes: statSync(path).size }, lines: [line] }, values.json, output)
  return 0
}

/** Beside the database, because the current folder may be one that is read-only, or that others can read. */
function ownPlace(database: string): string {
  if (!existsSync(database)) throw new Failure('NOT_FOUND', `There is no database in ${dirname(database)}.`)
  const at = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return join(privateFolder(join(dirname(database), 'backups')), `studio-${at}.db`)
}
