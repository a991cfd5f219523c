// The checks of `doctor`. Each answers with one line and, where something is not well, with what to do.
import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import net from 'node:net'
import { totalmem } from 'node:os'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { Settings } from '#shared/protocol/settings.ts'
import { findProgram } from '../commands/path.ts'
import { captureProgram } from '../lib/child.ts'
import type { Environment } from '../lib/command.ts'
import { askStudio } from '../lib/studio-api.ts'

export type Check = { readonly id: string; readonly status: 'ok' | 'warn' | 'fail'; readonly detail: string; readonly fix: string | null }
const GIB = 2 ** 30
const ok = (id: string, detail: string): Check => ({ id, status: 'ok', detail, fix: null })
const warn = (id: string, detail: string, fix: string): Check => ({ id, status: 'warn', detail, fix })
const fail = (id: string, detail: string, fix: string): Check => ({ id, status: 'fail', detail, fix })
const gib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GB`

const OLDEST_NODE = 24
/** No certificate of a studio is older: a clock before it makes every link fail. */
const EARLIEST = Date.UTC(2026, 0, 1)

/** Node, memory, clock, and the disk and the rights of the data folder. `now` in epoch milliseconds. */
export async function checkMachine(dataDir: string, now: number): Promise<Check[]> {
  return [node(process.versions.node), memory(totalmem()), clock(now), await disk(dataDir), folder(dataDir)]
}

export const node = (version: string): Check =>
  Number.parseInt(version, 10) >= OLDEST_NODE
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version}; the studio needs ${OLDEST_NODE} or newer`, 'Start it with ./studio, which fetches the right one.')

export function memory(bytes: number): Check {
  const detail = `${gib(bytes)} of main memory`
  if (bytes < 1 * GIB) return fail('memory', detail, 'The studio needs 1 GB; neural engines need 4 to 16.')
  return bytes < 7.5 * GIB
    ? warn('memory', detail, 'Enough for the embedded voices; neural engines want 8 GB or more.')
    : ok('memory', detail)
}

export const clock = (now: number): Check =>
  now < EARLIEST
    ? fail('clock', `the clock says ${new Date(now).toISOString()}`, 'Set it: certificates would count as not valid yet.')
    : ok('clock', new Date(now).toISOString())

export function room(freeBytes: number): Check {
  const detail = `${gib(freeBytes)} free for the data folder`
  if (freeBytes < 0.5 * GIB) return fail('disk', detail, 'Free some space: the studio refuses work when the disk is full.')
  return freeBytes < 10 * GIB ? warn('disk', detail, 'Models take 0.1 to 5 GB each.') : ok('disk', detail)
}

async function disk(dataDir: string): Promise<Check> {
  const where = nearestFolder(dataDir)
  try {
    const { bavail, bsize } = await statfs(where)
    return room(bavail * bsize)
  } catch (error) {
    return fail('disk', `${where} cannot be read (${(error as NodeJS.ErrnoException).code})`, 'Choose another STUDIO_DATA_DIR.')
  }
}

function nearestFolder(path: string): string {
  for (let at = path; ; at = dirname(at)) if (statSync(at, { throwIfNoEntry: false })?.isDirectory() || dirname(at) === at) return at
}

/** Keys and sound lie there: nobody else may read it. */
export function folder(dataDir: string): Check {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found) return ok('data folder', `${dataDir} is made at the first start`)
  if (!found.isDirectory()) return fail('data folder', `${dataDir} is no folder`, 'Move it away, or choose another STUDIO_DATA_DIR.')
  if (process.getuid && found.uid !== process.getuid())
    return fail('data folder', `${dataDir} belongs to another user`, 'Start the studio as that user, or choose another STUDIO_DATA_DIR.')
  const mode = found.mode & 0o777
  if ((mode & 0o077) !== 0)
    return warn('data folder', `${dataDir} can be read by others (mode ${mode.toString(8)})`, `chmod 700 '${dataDir}'`)
  return ok('data folder', dataDir)
}

type Wanted = {
  readonly program: string
  readonly args: readonly string[]
  readonly adds: string
  readonly fix: string
  readonly wanted: boolean
}
const PROGRAMS: readonly Wanted[] = [
  { program: 'ffmpeg', args: ['-version'], adds: 'Opus, AAC, FLAC and reading any file', fix: './studio setup', wanted: true },
  { program: 'python3', args: ['--version'], adds: 'sidecar engines', fix: 'apt-get install python3 python3-venv', wanted: false },
  { program: 'git', args: ['--version'], adds: 'fetching sidecars', fix: 'apt-get install git', wanted: false },
  { program: 'espeak-ng', args: ['--version'], adds: 'speech in many languages', fix: 'apt-get install espeak-ng', wanted: false },
  {
    program: 'pocketsphinx_continuous',
    args: [],
    adds: 'recognition of English',
    fix: 'apt-get install pocketsphinx pocketsphinx-en-us',
    wanted: false,
  },
  { program: 'apertium', args: ['-V'], adds: 'translation between some languages', fix: 'apt-get install apertium', wanted: false },
]
const PATIENCE_MS = 10_000

export async function checkPrograms(env: Environment, signal: AbortSignal): Promise<Check[]> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  const found = PROGRAMS.map(async ({ program, args, adds, fix, wanted }): Promise<Check> => {
    const path = findProgram(program, env.PATH)
    if (!path) return wanted ? warn(program, `not here; it adds ${adds}`, fix) : ok(program, `not here; it would add ${adds} (${fix})`)
    if (args.length === 0) return ok(program, path)
    const { code, text } = await captureProgram(path, args, { env, signal: patience })
    const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
    return code === 0 ? ok(program, first.trim()) : warn(program, `${path} does not start: ${first.trim()}`, `Install it again: ${fix}`)
  })
  return [...(await Promise.all(found)), await graphics(env, patience)]
}

async function graphics(env: Environment, signal: AbortSignal): Promise<Check> {
  const path = findProgram('nvidia-smi', env.PATH)
  if (!path)
    return process.platform === 'darwin' && process.arch === 'arm64'
      ? ok('gpu', 'Apple silicon')
      : ok('gpu', 'no NVIDIA driver was found; engines compute on the processor')
  const { code, text } = await captureProgram(path, ['--query-gpu=name,memory.total,driver_version', '--format=csv,noheader'], {
    env,
    signal,
  })
  const cards = text.trim().split('\n').filter(Boolean)
  return code === 0 && cards.length > 0
    ? ok('gpu', cards.join('; '))
    : warn(
        'gpu',
        `nvidia-smi finds no card: ${cards[0] ?? 'it says nothing'}`,
        'Install a driver that fits the card, or compute on the processor.',
      )
}

const Health = z.object({ status: z.string(), version: z.string() })
const Targets = z.object({
  target: z.string(),
  targets: z.array(
    z.object({ label: z.string(), is_local: z.boolean(), available: z.boolean(), detail: z.string(), can: z.array(z.string()) }),
  ),
})

/** Whether a studio answers, on which port one could start, and which agents are connected. */
export async function checkStudio(env: Environment, settings: Settings): Promise<Check[]> {
  const where = `${settings.host}:${settings.port}`
  let health: z.output<typeof Health>
  try {
    health = Health.parse(await askStudio(env, 'GET', '/health'))
  } catch {
    if (settings.port === 0 || (await isFree(settings.port, settings.host)))
      return [ok('port', `${where} is free`), ok('studio', 'does not run; start it with ./studio')]
    return [fail('port', `another program answers at ${where}`, 'Stop it, or choose another STUDIO_PORT.')]
  }
  const checks = [ok('port', `${where} is the studio's`), ok('studio', `version ${health.version} runs`)]
  try {
    const { targets } = Targets.parse(await askStudio(env, 'GET', '/workers/target'))
    const agents = targets.map(({ label, is_local, available, detail, can }) => {
      if (is_local && can.length === 0) return fail('agent', 'the agent of this machine is not connected', "Look at the studio's log.")
      return available ? ok('agent', `${label} is connected`) : warn('agent', `${label}: ${detail}`, './studio workers tells more.')
    })
    return [...checks, ...agents]
  } catch (error) {
    return [
      ...checks,
      warn('agent', `which agents are connected is not told: ${(error as Error).message}`, 'Ask on the machine of the studio itself.'),
    ]
  }
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
