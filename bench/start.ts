// Cold start to the first healthy response, with the processor time and the memory of the processes; the processor time of a command; and the first sound
// of an agent that has just started. A start has the flags and the compile cache of ./studio, or no cache. Times of the clock are reported without a limit.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { closeClient, post, STUDIO_FLAGS, startStudio, temporary } from './support/peers.ts'
import { median, title } from './support/rounds.ts'

const ROOT = join(import.meta.dirname, '..')
const ROUNDS = 5

async function start(dataDir: string, cache: string | null): Promise<{ child: ChildProcess; port: number; ms: number; cpuMs: number }> {
  const from = performance.now()
  const child = spawn(process.execPath, [...STUDIO_FLAGS, join(ROOT, 'cli/main.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      ...(cache !== null && { NODE_COMPILE_CACHE: cache }),
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
  return { child, port, ms: performance.now() - from, cpuMs: processorMs(child.pid!) }
}

/** Processor time of a process so far, in steps of 10 ms. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Processor time of a command of the checkout, with the shell that starts it. */
function commandMs(words: readonly string[]): number {
  const { stdout } = spawnSync('sh', ['-c', '"$0" "$@" >/dev/null 2>&1; times', join(ROOT, 'studio'), ...words], { encoding: 'utf8' })
  // The second line is of the children: 0m0.123456s 0m0.023456s.
  const [, children = ''] = stdout.split('\n')
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
    0,
  )
}

/** Milliseconds from the first request of a studio whose agent has connected to the first byte of its sound. */
async function firstSound(): Promise<number> {
  const studio = await startStudio()
  const from = performance.now()
  let first = 0
  await post(studio.port, '/v1/audio/speech', JSON.stringify({ input: 'Good morning.', response_format: 'pcm' }), () => {
    first = performance.now() - from
  })
  await studio.end()
  return first
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
  const processor: Record<'cached' | 'uncached', number[]> = { cached: [], uncached: [] }
  const cache = temporary()
  const memories: Record<string, number>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const folder = temporary()
    for (const times of [first, again]) {
      const { child, ms, cpuMs } = await start(folder.path, cache.path)
      times.push(ms)
      // The first start fills the cache.
      if (times === again) processor.cached.push(cpuMs)
      await new Promise((resolve) => setTimeout(resolve, 2000))
      if (times === again) memories.push(memory(child.pid!))
      await stop(child)
    }
    const { child, cpuMs } = await start(folder.path, null)
    processor.uncached.push(cpuMs)
    await stop(child)
    folder.remove()
  }
  cache.remove()
  process.stdout.write(`empty data folder, creates keys and database      ${median(first).toFixed(0)} ms\n`)
  process.stdout.write(`existing data folder                              ${median(again).toFixed(0)} ms\n`)
  for (const [name, times] of [
    ['the studio until it is healthy', processor.cached],
    ['the same without its cache', processor.uncached],
  ] as const) {
    const limit = times === processor.cached ? '  at most 1200' : ''
    const extremes = `(${Math.min(...times)} to ${Math.max(...times)})`
    process.stdout.write(`${`processor time of ${name}`.padEnd(50)}${median(times).toFixed(0)} ms ${extremes}${limit}\n`)
  }
  for (const words of [['version'], ['help'], ['status']]) {
    const times = Array.from({ length: ROUNDS }, () => commandMs(words))
    const label = `processor time of ./studio ${words.join(' ')}`
    process.stdout.write(`${label.padEnd(50)}${median(times).toFixed(0)} ms  at most 250 in a checkout\n`)
  }
  const sounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) sounds.push(await firstSound())
  closeClient()
  process.stdout.write(`first sound of an agent that has just connected   ${median(sounds).toFixed(0)} ms  at most 600\n`)
  for (const name of Object.keys(memories[0]!))
    process.stdout.write(
      `${`resident memory of the ${name}, 2 s after start`.padEnd(50)}${median(memories.map((one) => one[name] ?? 0)).toFixed(0)} MiB\n`,
    )
}
