// The processes under measurement, and a plain HTTP client.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnvironment } from '#shared/runtime/child/environment.ts'

export type Peer = { readonly child: ChildProcess; readonly ask: <T>(message: object) => Promise<T>; readonly end: () => Promise<void> }

/** Starts a script of this folder that sends `{ready: …}` and answers each message with one message. `first` is sent at the start. */
export async function startPeer(
  script: string,
  first: object | null = null,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Peer & { readonly ready: Record<string, unknown> }> {
  const child = fork(join(import.meta.dirname, script), [], {
    env: { ...childEnvironment(process.env), ...env },
    serialization: 'advanced',
    execArgv: [...process.execArgv, ...flags],
  })
  if (first) child.send(first)
  const [ready] = (await once(child, 'message')) as [Record<string, unknown>]
  return {
    child,
    ready,
    async ask<T>(message: object) {
      child.send(message)
      const [answer] = (await once(child, 'message')) as [T]
      return answer
    },
    async end() {
      if (child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.send({ end: true })
      await exited
    },
  }
}

export function temporary(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'studio-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Flags with which ./studio starts Node. */
export const STUDIO_FLAGS = ['--max-semi-space-size=8']
const STUDIO_MALLOC = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/** A studio in its own process with a temporary data folder. `prepare` may fill the folder before the start. */
export async function startStudio(prepare: (dataDir: string) => Promise<void> = async () => {}, env: Record<string, string> = {}) {
  const folder = temporary()
  await prepare(folder.path)
  const settings = {
    STUDIO_DATA_DIR: folder.path,
    STUDIO_PORT: '0',
    STUDIO_WORKER_PORT: '0',
    STUDIO_DEVELOPMENT: '1',
    STUDIO_LOG_LEVEL: 'error',
    ...STUDIO_MALLOC,
    ...env,
  }
  const peer = await startPeer('inside.ts', null, settings, STUDIO_FLAGS)
  return {
    ...peer,
    dataDir: folder.path,
    port: peer.ready['port'] as number,
    async end() {
      await peer.end()
      folder.remove()
    },
    /** Ends the process with SIGKILL. */
    kill() {
      peer.child.kill('SIGKILL')
      folder.remove()
    },
  }
}

/** A borrowed machine: an agent that joined with a code over TCP and was approved. Resolves when it is connected. */
export async function startMachine(port: number, settings: Record<string, string> = {}) {
  const folder = temporary()
  const env = { ...childEnvironment(process.env), STUDIO_DATA_DIR: folder.path, STUDIO_LOG_LEVEL: 'error', ...settings }
  const program = join(import.meta.dirname, '../../agent/main.ts')
  const machines = async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/workers`)
    return ((await reply.json()) as { workers: { id: string; connected: boolean }[] }).workers
  }
  const before = new Set((await machines()).map(({ id }) => id))
  await post(port, '/workers/enabled', '{"enabled":true}')
  const { token } = JSON.parse((await post(port, '/workers/enrollments', '{"endpoint":"127.0.0.1"}')).body.toString()) as { token: string }
  await once(spawn(process.execPath, [program, 'join', token], { env, stdio: ['ignore', 'ignore', 'inherit'] }), 'exit')
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  for (;;) {
    const worker = (await machines()).find(({ id, connected }) => connected && !before.has(id))
    if (worker) {
      await fetch(`http://127.0.0.1:${port}/workers/${worker.id}/consent`, { method: 'POST' })
      return {
        workerId: worker.id,
        async end() {
          const exited = once(child, 'exit')
          child.kill('SIGTERM')
          await exited
          folder.remove()
        },
        /** Ends the process with SIGKILL. */
        kill() {
          child.kill('SIGKILL')
          folder.remove()
        },
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** Resolves with status and body; `onFirst` is called with the first byte of the body. `from`: the address of the client, 127.0.0.1 by default. */
export function post(
  port: number,
  path: string,
  body: string,
  onFirst?: () => void,
  from?: string,
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        ...(from !== undefined && { localAddress: from }),
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (reply) => {
        const pieces: Buffer[] = []
        if (onFirst) reply.once('data', onFirst)
        reply.on('data', (piece: Buffer) => pieces.push(piece))
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(pieces) }))
        reply.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}
export const closeClient = (): void => agent.destroy()
