// `backup`: writes the whole data folder, or its database alone, to a new file, also while the studio runs.
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type CommandRun, Misuse, parseArguments, print, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { refuseUnwritable } from '#cli/lib/file-transfer.ts'
import { readPassphrase } from '#cli/lib/passphrase.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { passphraseObjection } from '#control-plane/backup/sealed.ts'
import { type BackupReport, backupAll } from '#control-plane/backup/write.ts'
import { backupTo } from '#control-plane/store/files/backup.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'

const OPTIONS = {
  all: { type: 'boolean' },
  database: { type: 'boolean' },
  since: { type: 'string' },
  'passphrase-file': { type: 'string' },
  'without-secrets': { type: 'boolean' },
  json: { type: 'boolean' },
} as const
type Values = { readonly since?: string; readonly 'passphrase-file'?: string; readonly 'without-secrets'?: boolean }

export const run: CommandRun = async (args, terminal) => {
  const { env, cwd, output, errors } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  refuseArguments('backup [FILE]', positionals.slice(1))
  const folder = studioFolder(env)
  const database = join(folder, 'studio.db')
  const [name] = positionals
  if (values.database) {
    if (values.all) throw new Misuse('--all and --database exclude each other.')
    if (values.since ?? values['passphrase-file'] ?? values['without-secrets'])
      throw new Misuse('--database takes no other option: a database has its secrets in encrypted form only.')
    const path = name === undefined ? ownPlace(database, 'db') : resolve(cwd, name)
    await refuseUnwritable(path, null)
    backupTo(database, path)
    const line = `The database was copied to ${path}. It does not contain audio, models or keys; restored on another machine, secrets have to be entered again.`
    print({ value: { path, bytes: statSync(path).size }, lines: [line] }, values.json, output)
    return 0
  }
  const isStream = name === '-'
  if (isStream && terminal.json) throw new Misuse('With --json standard output is the answer. Name a file for the backup.')
  if (isStream && output.isTTY) throw new Misuse('The backup is a file of bytes. Name a file, or lead the output into one.')
  const path = isStream ? null : name === undefined ? ownPlace(database, 'zip') : resolve(cwd, name)
  if (path !== null) await refuseUnwritable(path, null)
  const passphrase = await passphraseOf(values, terminal)
  const since = values.since === undefined ? null : resolve(cwd, values.since)
  const report = await backupAll({
    dataDir: folder,
    target: path ?? output,
    passphrase,
    since,
    clock,
    random,
    signal: terminal.interrupted(),
  })
  print({ value: { path, ...report }, lines: linesOf(path, report) }, values.json, isStream ? errors : output)
  return 0
}

/** Null leaves the secrets out. */
async function passphraseOf(values: Values, terminal: Terminal): Promise<string | null> {
  const file = values['passphrase-file']
  if (values['without-secrets']) {
    if (file !== undefined) throw new Misuse('--passphrase-file and --without-secrets exclude each other.')
    return null
  }
  const passphrase = await readPassphrase(file, terminal, true)
  if (passphrase === null)
    throw new Misuse(
      'The backup has the keys of the studio, which a passphrase closes. Add --passphrase-file FILE (- for standard input), or --without-secrets: then machines must join again, and secrets be entered again.',
    )
  const objection = passphraseObjection(passphrase)
  if (objection !== null) throw new Misuse(objection)
  return passphrase
}

function linesOf(path: string | null, report: BackupReport): string[] {
  const { files, unchanged, vanished, skipped, hasSecrets, bytes, models } = report
  const count = unchanged === 0 ? `${files} files` : `${files} files, of which ${unchanged} are in earlier backups`
  return [
    `The studio was backed up${path === null ? '' : ` to ${path}`}: the database and ${count}, ${shortBytes(bytes)}.`,
    hasSecrets
      ? 'The keys are in it, closed by the passphrase. Without the passphrase they cannot be restored.'
      : 'The keys are not in it: after a restore machines must join again, and secrets be entered again.',
    ...(models > 0 ? [`${models} models are in it by name only. They can be installed again.`] : []),
    ...(vanished > 0 ? [`${vanished} files were removed by the studio meanwhile and are not in it.`] : []),
    ...(skipped > 0 ? [`${skipped} links, devices or files with unusual names are not in it.`] : []),
  ]
}

/** Beside the database, because the current folder may be one that is read-only, or that others can read. */
function ownPlace(database: string, extension: 'db' | 'zip'): string {
  if (!existsSync(database)) throw new Failure('NOT_FOUND', `There is no database in ${dirname(database)}.`)
  const at = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return join(privateFolder(join(dirname(database), 'backups')), `studio-${at}.${extension}`)
}
