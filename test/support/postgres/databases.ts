// One server for the tests of a process, stopped when they have ended, and a database with the tables of a pool for each test.
import { after } from 'node:test'
import { migratePostgres } from '#control-plane/store/postgres/migrate.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type PostgresServer, startPostgres, withoutPostgres } from './server.ts'

const TEMPLATE = 'studio_template'
/** A server whose template has the tables of a pool. */
async function withTemplate(): Promise<PostgresServer> {
  const server = await startPostgres()
  await server.run('postgres', `create database ${TEMPLATE}`)
  await migratePostgres(server.url(TEMPLATE), clock)
  return server
}

let shared: Promise<PostgresServer> | null = null
let made = 0
/** A new database with the tables of a pool, on the server that the tests of this process share. */
export async function newDatabase(): Promise<{ readonly url: string; readonly name: string; readonly server: PostgresServer }> {
  shared ??= withTemplate()
  const server = await shared
  const name = `test_${++made}`
  await server.run('postgres', `create database ${name} template ${TEMPLATE}`)
  return { url: server.url(name), name, server }
}
if (!withoutPostgres)
  after(async () => {
    await (await shared)?.stop()
  })
