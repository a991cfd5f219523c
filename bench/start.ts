// Cold start to the first healthy response, and resident memory of the processes. Reported without a limit.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { temporary } from './support/peers.ts'
import { median, title } from './support/rounds.ts'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = 5

async function start(dataDir: string): Promise<{ child: ChildProcess; port: number; ms: number }> {
  const from = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'control-plane/main.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      STUDIO_DATA_DIR: dataDir,
      STUDIO_PORT: '0',
      STUDIO_WORKER_PORT: '0',
      STUDIO_LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  const port = Number(/:(\d+)/.exec(line.toString().split('http://')[1] ?? '')?.[1])
  await new Promise<void>((resolve, reject) =>
    request({ port, path: '/health' }, (reply) => (reply.statusCode === 200 ? resolve() : reject(new Error(`${reply.statusCode}`))))
      .on('error', reject)
      .end(),
  )
  return { child, port, ms: performance.now() - from }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

/** Resident MiB of the control plane and of its agent. */
function memory(pid: number): Record<string, number> {
  const parentOf = (id: string) => Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1])
  const rss = (id: number) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) / 1024
  const agent = readdirSync('/proc')
    .filter((id) => /^\d+$/.test(id))
    .find((id) => {
      try {
        return parentOf(id) === pid
      } catch {
        return false // ended in the meantime
      }
    })
  return { 'control plane': rss(pid), ...(agent && { 'local agent': rss(Number(agent)) }) }
}

export async function run(): Promise<void> {
  title('Cold start to the first healthy response')
  const first: number[] = []
  const again: number[] = []
  const memories: Record<string, number>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const folder = temporary()
    for (const times of [first, again]) {
      const { child, ms } = await start(folder.path)
      times.push(ms)
      await new Promise((resolve) => setTimeout(resolve, 2000))
      if (times === again) memories.push(memory(child.pid!))
      await stop(child)
    }
    folder.remove()
  }
  process.stdout.write(`empty data folder, creates keys and database      ${median(first).toFixed(0)} ms\n`)
  process.stdout.write(`existing data folder                              ${median(again).toFixed(0)} ms\n`)
  for (const name of Object.keys(memories[0]!))
    process.stdout.write(
      `${`resident memory of the ${name}, 2 s after start`.padEnd(50)}${median(memories.map((one) => one[name] ?? 0)).toFixed(0)} MiB\n`,
    )
}
