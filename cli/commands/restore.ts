// `restore`: puts a whole backup into an empty folder, or replaces the database by a copy while no studio runs. The replaced database is kept.

import { closeSync, openSync, readSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CommandRun, Misuse, parseArguments, print, refuseArguments } from '#cli/lib/command.ts'
import { readPassphrase } from '#cli/lib/passphrase.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { isUsed, type RestoreReport, restoreAll } from '#control-plane/backup/restore.ts'
import { restoreBackup } from '#control-plane/store/files/backup.ts'
import { isHalfRestored } from '#control-plane/store/files/half-restored.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

const OPTIONS = {
  into: { type: 'string' },
  with: { type: 'string', multiple: true },
  'passphrase-file': { type: 'string' },
  'without-secrets': { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const ARCHIVE_BEGINS = 'PK'

export const run: CommandRun = async (args, terminal) => {
  const { env, cwd, output } = terminal
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [name] = positionals
  if (name === undefined) throw new Misuse(`The file of the backup is missing. Write ${COMMAND} restore FILE.`)
  refuseArguments('restore FILE', positionals.slice(1))
  const file = resolve(cwd, name)
  const folder = studioFolder(env)
  if (!isArchive(file)) {
    if (values.into ?? values.with ?? values['passphrase-file'] ?? values['without-secrets'])
      throw new Misuse(`${name} is no whole backup. A copy of the database is restored without options.`)
    const kept = await restoreBackup(file, join(privateFolder(folder), 'studio.db'))
    const before = kept === null ? 'There was no database before.' : `The database before it is ${kept}.`
    print({ value: { kept }, lines: [`The backup is in place. ${before}`] }, values.json, output)
    return 0
  }
  const into = values.into === undefined ? folder : resolve(cwd, values.into)
  if (isUsed(into) && !isHalfRestored(into)) throw used(into, values.into === undefined, name)
  const report = await restoreAll({
    archive: file,
    others: (values.with ?? []).map((path) => resolve(cwd, path)),
    into,
    async passphrase() {
      if (values['without-secrets']) return null
      const passphrase = await readPassphrase(values['passphrase-file'], terminal, false)
      if (passphrase === null)
        throw new Misuse(
          'The backup has keys that a passphrase closes. Add --passphrase-file FILE (- for standard input), or --without-secrets.',
        )
      return passphrase
    },
    signal: terminal.interrupted(),
  })
  print({ value: { folder: into, ...report }, lines: linesOf(into, report, into !== folder) }, values.json, output)
  return 0
}

function used(folder: string, isOwn: boolean, name: string): Failure {
  const what = isOwn ? `The data folder ${folder} is in use` : `${folder} is not empty`
  const way = `Restore beside it: ${COMMAND} restore ${name} --into NEW_FOLDER`
  return new Failure('CONFLICT', `${what}, and a backup replaces nothing. ${way}`)
}

function linesOf(folder: string, report: RestoreReport, isBeside: boolean): string[] {
  const { files, bytes, secrets, models } = report
  return [
    `The backup is in ${folder}: the database and ${files} files, ${shortBytes(bytes)}. Each was compared with its digest.`,
    ...(secrets === 'restored' ? [] : ['The keys are not in it: machines must join again, and secrets be entered again.']),
    ...(models.length > 0 ? [`Install these models again: ${models.join(', ')}.`] : []),
    ...(isBeside ? [`Start the studio with it: STUDIO_DATA_DIR=${folder} ${COMMAND}`] : []),
  ]
}

/** False for a file that cannot be read, which the restore explains. */
function isArchive(path: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const begin = Buffer.alloc(ARCHIVE_BEGINS.length)
      readSync(file, begin)
      return begin.toString('latin1') === ARCHIVE_BEGINS
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
