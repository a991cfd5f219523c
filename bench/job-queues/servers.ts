// The servers of the queue libraries, each in a temporary folder: it syncs what it is told before it answers, as the studio does.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { temporary } from '../support/peers.ts'

export type QueueServer = { readonly address: string; readonly end: () => Promise<void> }
const START_MS = 30_000
/** Folders of Debian, which keeps the programs of PostgreSQL out of PATH. */
const POSTGRES_FOLDERS = '/usr/lib/postgresql'
const PORT = 5432

function findProgram(name: string): string {
  const versions = existsSync(POSTGRES_FOLDERS) ? readdirSync(POSTGRES_FOLDERS).map((one) => join(POSTGRES_FOLDERS, one, 'bin')) : []
  const found = [...versions, ...(process.env['PATH'] ?? '').split(delimiter)].map((folder) => join(folder, name)).find(existsSync)
  if (found === undefined) throw new Error(`${name} is not installed`)
  return found
}

/** Resolves when the socket accepts a connection. */
async function listening(path: string): Promise<void> {
  for (const until = performance.now() + START_MS; performance.now() < until; await delay(50)) {
    const socket = connect(path)
    const isOpen = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
      () => false,
    )
    socket.destroy()
    if (isOpen) return
  }
  throw new Error(`nothing listens on ${path}`)
}

type Account = { readonly uid?: number; readonly gid?: number }
async function serve(program: string, args: readonly string[], socket: string, remove: () => void, account: Account = {}) {
  const child = spawn(program, args, { ...account, stdio: 'ignore' })
  const exited = once(child, 'exit')
  const end = async () => {
    child.kill('SIGINT')
    await exited
    remove()
  }
  await listening(socket).catch(async (error) => {
    await end()
    throw error
  })
  return end
}

export async function startRedis(): Promise<QueueServer> {
  const program = findProgram('redis-server')
  const { path, remove } = temporary()
  const socket = join(path, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', socket, '--dir', path, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always']
  return { address: socket, end: await serve(program, args, socket, remove) }
}

/** PostgreSQL refuses to run as root; its package has made an account for it. */
function accountFor(folder: string): Account {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  const account = { uid: idOf('-u'), gid: idOf('-g') }
  chownSync(folder, account.uid, account.gid)
  return account
}

export async function startPostgres(): Promise<QueueServer> {
  const programs = [findProgram('initdb'), findProgram('postgres')] as const
  const { path, remove } = temporary()
  chmodSync(path, 0o700)
  const account = accountFor(path)
  const data = join(path, 'data')
  execFileSync(programs[0], ['-D', data, '-U', 'bench', '--auth=trust', '--no-sync', '-E', 'UTF8'], {
    ...account,
    cwd: path,
    stdio: 'ignore',
  })
  const args = ['-D', data, '-k', path, '-c', 'listen_addresses=', '-c', `port=${PORT}`]
  const end = await serve(programs[1], args, join(path, `.s.PGSQL.${PORT}`), remove, account)
  return { address: `postgres://bench@/postgres?host=${encodeURIComponent(path)}&port=${PORT}`, end }
}
