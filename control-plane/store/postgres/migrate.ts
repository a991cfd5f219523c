// Brings the tables to the version of this studio: numbered files, each in a transaction of its own, under a lock, so that several replicas
// may start at once. A file is never edited once it was released, and what it makes must suit the version before it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { connect, type DatabaseConnection } from './connection.ts'

const FOLDER = join(import.meta.dirname, 'migrations')
/** The advisory lock of our migrations, in the whole database. */
const LOCK = 7_310_045
const TRIES = 30
const PAUSE_MS = 500
const OLDEST_SERVER = 150_000
/** A migration may take this long, in milliseconds; waiting for a lock on a table is tried again sooner. */
const LONGEST_MS = 30 * 60_000
const LOCKED = new Set(['55P03', '40P01'])

type Migration = { readonly version: number; readonly file: string }
const files = (): Migration[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ version: Number(name.slice(0, name.indexOf('_'))), file: join(FOLDER, name) }))

/** The version of the tables that this studio writes. */
export const schemaVersion = (): number => files().at(-1)!.version

/** 0 for a database without our tables. */
export async function storedVersion(connection: DatabaseConnection): Promise<number> {
  const [found] = await connection.rows<{ name: string | null }>({ text: `select to_regclass('migration')::text as name`, values: [] })
  if (!found?.name) return 0
  const [row] = await connection.rows<{ version: number }>({
    text: 'select coalesce(max(version), 0) as version from migration',
    values: [],
  })
  return row?.version ?? 0
}

/** Returns the version before and after. Throws UPGRADE_REQUIRED for a server before PostgreSQL 15, CONFLICT if another migration does not end. */
export async function migratePostgres(
  url: string,
  clock: Pick<Clock, 'after' | 'sleep'>,
): Promise<{ readonly from: number; readonly to: number }> {
  const connection = await connect(url, clock, LONGEST_MS)
  try {
    await connection.script('set statement_timeout = 0')
    const [server] = await connection.rows<{ version: string }>({
      text: `select current_setting('server_version_num') as version`,
      values: [],
    })
    if (Number(server!.version) < OLDEST_SERVER)
      throw new Failure('UPGRADE_REQUIRED', 'The pool needs PostgreSQL 15 or newer. Update the database server.')
    await lock(connection, clock)
    await connection.script(
      'create table if not exists migration (version integer primary key, made_at timestamptz not null default now())',
    )
    const from = await storedVersion(connection)
    for (const migration of files()) if (migration.version > from) await apply(connection, migration, clock)
    return { from, to: Math.max(from, schemaVersion()) }
  } finally {
    connection.destroy() // the lock ends with the connection
  }
}

async function lock(connection: DatabaseConnection, clock: Pick<Clock, 'sleep'>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const [row] = await connection.rows<{ got: boolean }>({ text: 'select pg_try_advisory_lock($1) as got', values: [LOCK] })
    if (row!.got) return
    await clock.sleep(PAUSE_MS)
  }
  throw new Failure('CONFLICT', 'Another process is changing the tables of the pool. Try again when it has ended.')
}

async function apply(connection: DatabaseConnection, { version, file }: Migration, clock: Pick<Clock, 'sleep'>): Promise<void> {
  const sql = readFileSync(file, 'utf8')
  for (let tries = 1; ; tries++) {
    try {
      return await connection.script(`begin; ${sql}\n; insert into migration (version) values (${version}); commit`)
    } catch (error) {
      await connection.script('rollback')
      if (tries === TRIES || !LOCKED.has((error as { code?: string }).code ?? '')) throw error
      await clock.sleep(PAUSE_MS)
    }
  }
}
