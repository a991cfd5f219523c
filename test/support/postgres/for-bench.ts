// A server with one cell for benches, which stop it themselves.
import { migratePostgres } from '#control-plane/store/postgres/migrate.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { openCell } from './open-cell.ts'
import { startPostgres, withoutPostgres } from './server.ts'

/** A sentence where PostgreSQL is missing. */
export async function startedServer() {
  if (withoutPostgres) return withoutPostgres
  const server = await startPostgres(['shared_buffers=128MB'])
  await server.run('postgres', 'create database pool')
  const url = server.url('pool')
  await migratePostgres(url, clock)
  return {
    open: () => openCell(url),
    stop: server.stop,
  }
}
