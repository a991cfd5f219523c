// A PostgreSQL server of this process: a cluster in a folder of its own, on a free port, with fsync. It refuses to run as root, so it runs
// as the user without rights there.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '#control-plane/store/postgres/connection.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'

const DEBIAN = '/usr/lib/postgresql'
const OLDEST = 15

/** Folder of the programs of the newest version that is installed; null without one. */
function programs(): string | null {
  if (!existsSync(DEBIAN)) return null
  const versions = readdirSync(DEBIAN)
    .map(Number)
    .filter((version) => version >= OLDEST && existsSync(join(DEBIAN, String(version), 'bin/postgres')))
  return versions.length === 0 ? null : join(DEBIAN, String(Math.max(...versions)), 'bin')
}
/** False, or the reason for skipping a test. */
export const withoutPostgres: string | false = programs() === null && 'PostgreSQL 15 or newer is not installed'

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>

const WITHOUT_RIGHTS = 65_534
const identity = process.getuid?.() === 0 ? { uid: WITHOUT_RIGHTS, gid: WITHOUT_RIGHTS } : {}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** `settings`: of postgresql.conf. The caller stops it. */
export async function startPostgres(settings: readonly string[] = []) {
  const bin = programs()!
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  const data = join(folder, 'data')
  const home = { cwd: folder, env: { LC_ALL: 'C.UTF-8' }, ...identity }
  if (identity.uid) chownSync(folder, WITHOUT_RIGHTS, WITHOUT_RIGHTS)
  mkdirSync(data)
  if (identity.uid) chownSync(data, WITHOUT_RIGHTS, WITHOUT_RIGHTS)
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'studio', '-A', 'trust', '-E', 'UTF8', '--no-instructions'], {
    ...home,
    stdio: 'pipe',
  })
  const port = await freePort()
  const url = (database: string) => `postgres://studio@127.0.0.1:${port}/${database}`
  let server: ChildProcess | null = null

  async function isReady(): Promise<boolean> {
    try {
      const connection = await connect(url('postgres'), clock)
      connection.destroy()
      return true
    } catch {
      return false
    }
  }
  async function start(): Promise<void> {
    const options = ['max_connections=60', 'shared_buffers=32MB', 'log_min_messages=fatal', ...settings].flatMap((setting) => [
      '-c',
      setting,
    ])
    const started = spawn(
      join(bin, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', ...options],
      { ...home, stdio: 'ignore' },
    )
    server = started
    while (!(await isReady())) {
      if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}`)
      await clock.sleep(20)
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server
    server = null
    if (!ending?.pid || ending.exitCode !== null) return
    const exited = once(ending, 'exit')
    // A backend that outlives its server keeps the next one from starting.
    const children = signal === 'SIGKILL' ? childrenOf(ending.pid) : []
    ending.kill(signal)
    for (const pid of children) {
      try {
        process.kill(pid, signal)
      } catch {} // it has ended
    }
    await exited
    while (children.some((pid) => existsSync(`/proc/${pid}`))) await clock.sleep(5)
  }
  await start()
  return {
    url,
    /** SIGKILL of the server and of all its processes. */
    kill: () => end('SIGKILL'),
    start,
    async stop(): Promise<void> {
      await end('SIGQUIT') // without a last checkpoint
      rmSync(folder, { recursive: true, force: true })
    },
    async run(database: string, sql: string): Promise<void> {
      const connection = await connect(url(database), clock, 60_000)
      try {
        await connection.script(sql)
      } finally {
        connection.destroy()
      }
    },
  }
}
