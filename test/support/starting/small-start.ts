// The body of a small program of two versions, which the launcher of this project starts: its database is a line of text, which version 1.1.0 changes
// into another form. A version with a file `broken-VERSION` in the data folder does not start. Words: `start` runs until a signal, `start once` ends at once; `update`, with `--from FOLDER` or the release of SMALL_RELEASE, and `rollback` are the commands.
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type Launched, launch } from '#cli/program/launch.ts'
import { runRollback } from '#cli/program/rollback.ts'
import type { SwitchedDatabase } from '#cli/program/switching.ts'
import { type Runner, runUpdate } from '#cli/program/update.ts'
import { terminal } from '#cli/terminal.ts'
import { sentenceOf } from '#cli/views/failure.ts'
import { isAlive } from '#shared/runtime/child/process-start.ts'
import { writeAtomic } from '#shared/runtime/file.ts'

const [root = '', ...words] = process.argv.slice(2)
const dataFolder = process.env['STUDIO_DATA_DIR']!
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const database = join(dataFolder, 'database')
const pidFile = join(dataFolder, 'pid')
const form = () => (existsSync(database) ? Number(readFileSync(database, 'utf8').split(' ')[0]) : 1)
const own = version === '1.0.0' ? 1 : 2

const data: SwitchedDatabase = {
  copy: (to) => copyFileSync(database, to),
  async restore(from, note) {
    if (existsSync(database)) copyFileSync(database, `${database}.before-restore-1`)
    note?.('database.before-restore-1')
    writeAtomic(database, readFileSync(from))
  },
  putBack: (kept) => renameSync(join(dataFolder, kept), database),
  progress: () => String(statSync(database, { throwIfNoEntry: false })?.mtimeMs),
  isNewer: () => form() > own,
  isOlder: () => form() < own,
}

async function run({ running, leaving }: Launched): Promise<number> {
  if (form() > own) throw new Error(`The database has form ${form()}.`)
  if (existsSync(database) && form() < own) writeAtomic(database, readFileSync(database, 'utf8').replace(/^\d/, String(own)))
  if (version === process.env['SMALL_BROKEN'] || existsSync(join(dataFolder, `broken-${version}`))) return 1
  const stop = Promise.withResolvers<boolean>()
  process.once('SIGTERM', () => stop.resolve(false)).once('SIGUSR2', () => stop.resolve(true))
  writeFileSync(pidFile, String(process.pid))
  running()
  process.stdout.write(`Small ${version} runs in ${basename(root)}, process ${process.pid}.\n`)
  if (words[1] === 'once') return 0
  const beat = setInterval(() => {}, 1_000)
  if (await stop.promise) leaving()
  clearInterval(beat)
  rmSync(pidFile)
  return 0
}

const pid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : 0)
const runner: Runner = {
  running: async () => (pid() > 0 && isAlive(pid()) ? { version: null } : null),
  async finish() {
    process.kill(pid(), 'SIGUSR2')
    return pid()
  },
  address: 'here',
}
const parts = {
  command: 'small',
  dataFolder,
  data,
  trial: () => ({ changesDatabase: form() < own, objection: form() > own ? 'The database is newer.' : null }),
  runners: [runner],
  release: process.env['SMALL_RELEASE'] ? JSON.parse(process.env['SMALL_RELEASE']) : null,
}

try {
  if (words[0] === '--version') process.stdout.write(`Small ${version}\n`)
  else if (words[0] === 'update') process.exitCode = await runUpdate(words.slice(1), terminal, parts)
  else if (words[0] === 'rollback') process.exitCode = await runRollback(words.slice(1), terminal, parts)
  else process.exitCode = await launch({ dataFolder, root, words, env: process.env, data, errors: process.stderr, run })
} catch (error) {
  process.stderr.write(`small: ${sentenceOf(error)}\n`)
  process.exitCode = 1
}
