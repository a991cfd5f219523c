// `backup`: writes a copy of the database to a new file, also while the studio runs.
import { join, resolve } from 'node:path'
import { backupTo } from '#control-plane/store/files/backup.ts'
import { readSettings } from '#shared/protocol/settings.ts'
import { type CommandRun, parseArguments, refuseArguments } from '../lib/command.ts'
import { refuseUnwritable } from '../lib/file-transfer.ts'

export const run: CommandRun = async (args, { env, cwd, output }) => {
  const { positionals } = parseArguments(args, {})
  refuseArguments('backup [FILE]', positionals.slice(1))
  const at = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const target = resolve(cwd, positionals[0] ?? `studio-backup-${at}.db`)
  await refuseUnwritable(target)
  backupTo(join(readSettings(env).dataDir, 'studio.db'), target)
  output.write(
    `The database was copied to ${target}. It does not contain audio, models or keys; restored on another machine, secrets have to be entered again.\n`,
  )
  return 0
}
