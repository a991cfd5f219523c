// The checks of `doctor`. Each returns one line and, for a problem, what to do.

import { statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import net from 'node:net'
import { totalmem } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { z } from 'zod'
import { WSL_DRIVER } from '#agent/engine/runtimes/onnx/trial/cards.ts'
import { captureProgram } from '#cli/lib/child.ts'
import type { Environment } from '#cli/lib/command.ts'
import { isOfThisMachine, studioAddress } from '#cli/lib/studio/address.ts'
import { readNow } from '#cli/lib/studio/api.ts'
import { workersContracts } from '#control-plane/features/machines/workers/workers.contract.ts'
import { healthContracts } from '#control-plane/features/operate/system/health.contract.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { GIB } from '#shared/runtime/memory/bytes.ts'
import { findProgram, pythonName } from '#shared/runtime/program.ts'

export type DoctorCheck = {
  readonly id: string
  readonly status: 'ok' | 'warn' | 'fail'
  readonly detail: string
  readonly fix: string | null
}
const ok = (id: string, detail: string): DoctorCheck => ({ id, status: 'ok', detail, fix: null })
const warn = (id: string, detail: string, fix: string): DoctorCheck => ({ id, status: 'warn', detail, fix })
const fail = (id: string, detail: string, fix: string): DoctorCheck => ({ id, status: 'fail', detail, fix })
const gib = (bytes: number): string => `${(bytes / GIB).toFixed(1)} GB`

/** Same as in package.json; older versions need a flag to run TypeScript. */
const OLDEST_NODE = { major: 22, minor: 18 }
/** The first release of the studio. With an earlier clock every certificate counts as not valid yet. */
const EARLIEST = Date.UTC(2026, 0, 1)

/** Node, memory, clock, free disk space, and the permissions of the data folder. `now` in epoch milliseconds. */
export async function checkMachine(dataDir: string, now: number): Promise<DoctorCheck[]> {
  return [node(process.versions.node), memory(totalmem()), clock(now), await disk(dataDir), await dataFolder(dataDir)]
}

export function node(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const oldest = `${OLDEST_NODE.major}.${OLDEST_NODE.minor}`
  if (major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor)) return ok('node', `Node ${version}`)
  return fail('node', `Node ${version}; the studio needs ${oldest} or newer`, `Start it with ${COMMAND}, which installs the right version.`)
}

export function memory(bytes: number): DoctorCheck {
  const detail = `${gib(bytes)} of memory`
  if (bytes < 1 * GIB) return fail('memory', detail, 'The studio needs 1 GB. Neural engines need 4 to 16 GB.')
  return bytes < 7.5 * GIB
    ? warn('memory', detail, 'Enough for the embedded voice. Larger engines need 8 GB or more.')
    : ok('memory', detail)
}

export const clock = (now: number): DoctorCheck =>
  now < EARLIEST
    ? fail('clock', `the clock shows ${new Date(now).toISOString()}`, 'Set the clock. Certificates are not valid at that time.')
    : ok('clock', new Date(now).toISOString())

export function diskSpace(freeBytes: number): DoctorCheck {
  const detail = `${gib(freeBytes)} free for the data folder`
  if (freeBytes < 0.5 * GIB) return fail('disk', detail, 'Free some space. The studio refuses tasks when the disk is full.')
  return freeBytes < 10 * GIB ? warn('disk', detail, 'Models take 0.1 to 5 GB each.') : ok('disk', detail)
}

async function disk(dataDir: string): Promise<DoctorCheck> {
  const where = nearestFolder(dataDir)
  try {
    const { bavail, bsize } = await statfs(where)
    return diskSpace(bavail * bsize)
  } catch (error) {
    return fail('disk', `${where} cannot be read (${(error as NodeJS.ErrnoException).code})`, 'Choose another STUDIO_DATA_DIR.')
  }
}

function nearestFolder(path: string): string {
  for (let at = path; ; at = dirname(at)) if (statSync(at, { throwIfNoEntry: false })?.isDirectory() || dirname(at) === at) return at
}

/** Windows has lists of access rights instead of modes. */
async function dataFolder(dataDir: string): Promise<DoctorCheck> {
  if (process.platform !== 'win32') return folder(dataDir)
  const { openToOthers } = await import('#shared/runtime/access/windows-access.ts')
  return folderOnWindows(dataDir, openToOthers(dataDir))
}

/** `open`: its entries that others have access to, or null if that is not known. */
export function folderOnWindows(dataDir: string, open: readonly string[] | null): DoctorCheck {
  if (open === null)
    return warn(
      'data folder',
      `Windows does not say who has access to ${dataDir}`,
      'Check its properties, tab Security: only you should have access.',
    )
  if (open.length > 0) return warn('data folder', `other users have access to ${open[0]}`, 'Start the studio, which removes that access.')
  return ok('data folder', dataDir)
}

/** The data folder holds keys and recordings, so no other user may read it. */
export function folder(dataDir: string): DoctorCheck {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found) return ok('data folder', `${dataDir} will be created at the first start`)
  if (!found.isDirectory()) return fail('data folder', `${dataDir} is not a folder`, 'Move it, or choose another STUDIO_DATA_DIR.')
  if (process.getuid && found.uid !== process.getuid())
    return fail('data folder', `${dataDir} belongs to another user`, 'Start the studio as that user, or choose another STUDIO_DATA_DIR.')
  const mode = found.mode & 0o777
  if ((mode & 0o077) !== 0)
    return warn('data folder', `${dataDir} is readable by other users (mode ${mode.toString(8)})`, `Run: chmod 700 '${dataDir}'`)
  return ok('data folder', dataDir)
}

type Probe = {
  readonly program: string
  readonly args: readonly string[]
  readonly adds: string
  readonly fix: string
  readonly recommended: boolean
}
const PROGRAMS: readonly Probe[] = [
  { program: 'ffmpeg', args: ['-version'], adds: 'Opus, AAC, FLAC and all input formats', fix: `${COMMAND} setup`, recommended: true },
  { program: 'python3', args: ['--version'], adds: 'sidecar engines', fix: 'apt-get install python3 python3-venv', recommended: false },
  { program: 'git', args: ['--version'], adds: 'downloading sidecar engines', fix: 'apt-get install git', recommended: false },
  { program: 'espeak-ng', args: ['--version'], adds: 'speech in many languages', fix: 'apt-get install espeak-ng', recommended: false },
  {
    program: 'pocketsphinx_continuous',
    args: [],
    adds: 'recognition of English speech',
    fix: 'apt-get install pocketsphinx pocketsphinx-en-us',
    recommended: false,
  },
  { program: 'apertium', args: ['-V'], adds: 'translation between some languages', fix: 'apt-get install apertium', recommended: false },
]
const TIMEOUT_MS = 10_000
/** The programs whose packages are known for other systems than Linux; for the others there is no package. */
const ELSEWHERE: Readonly<Partial<Record<string, Readonly<Record<string, string>>>>> = {
  darwin: { ffmpeg: 'ffmpeg', python3: 'python', git: 'git', 'espeak-ng': 'espeak-ng' },
  win32: { ffmpeg: 'Gyan.FFmpeg', python3: 'Python.Python.3.13', git: 'Git.Git', 'espeak-ng': 'eSpeak-NG.eSpeak-NG' },
}
/** The command that installs an optional program. `usual`: that of Linux. */
export function installCommand(program: string, usual: string, platform: string): string {
  const known = ELSEWHERE[platform]
  if (!known) return usual
  const name = known[program]
  if (name === undefined) return 'no package is known for this system'
  return platform === 'darwin' ? `brew install ${name}` : `winget install ${name}`
}

/** Starts each optional program once and reports its version. A missing program is a warning only if it is recommended. */
export async function checkPrograms(env: Environment, interrupted: AbortSignal): Promise<DoctorCheck[]> {
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(TIMEOUT_MS)])
  const found = PROGRAMS.map(async ({ program, args, adds, fix: usual, recommended }): Promise<DoctorCheck> => {
    const path = findProgram(program === 'python3' ? pythonName() : program, env['PATH'])
    const fix = installCommand(program, usual, process.platform)
    if (!path)
      return recommended ? warn(program, `not installed; adds ${adds}`, `Run: ${fix}`) : ok(program, `not installed; adds ${adds} (${fix})`)
    if (args.length === 0) return ok(program, path)
    const { code, text } = await captureProgram(path, args, { env: childEnvironment(env), signal })
    const first = text.split('\n').find((line) => line.trim() !== '') ?? ''
    return code === 0 ? ok(program, first.trim()) : warn(program, `${path} does not start: ${first.trim()}`, `Reinstall it: ${fix}`)
  })
  return [...(await Promise.all(found)), await graphics(env, signal)]
}

async function graphics(env: Environment, signal: AbortSignal): Promise<DoctorCheck> {
  // WSL puts it into a folder that is not on every PATH.
  const path = findProgram('nvidia-smi', [env['PATH'], WSL_DRIVER].filter(Boolean).join(delimiter))
  if (!path)
    return process.platform === 'darwin' && process.arch === 'arm64'
      ? ok('gpu', 'Apple silicon')
      : ok('gpu', 'no NVIDIA driver found; engines run on the CPU')
  const { code, text } = await captureProgram(path, ['--query-gpu=name,memory.total,driver_version', '--format=csv,noheader'], {
    env: childEnvironment(env),
    signal,
  })
  const cards = text.trim().split('\n').filter(Boolean)
  return code === 0 && cards.length > 0
    ? ok('gpu', cards.join('; '))
    : warn(
        'gpu',
        `nvidia-smi found no GPU: ${cards[0] ?? 'no output'}`,
        'Install a driver that matches the GPU, or run engines on the CPU.',
      )
}

const Health = healthContracts.health.reply.pick({ status: true, version: true })
const { targets: Targets } = workersContracts.readTarget.reply.shape
const TargetList = z.object({
  targets: z.array(Targets.element.pick({ label: true, is_local: true, available: true, detail: true, can: true })),
})

/** Checks whether the port is free or a studio answers on it, and which agents are connected to that studio. */
export async function checkStudio(env: Environment, settings: Settings): Promise<DoctorCheck[]> {
  // A port that the system chooses at the start is not known here.
  if (settings.port === 0) return [ok('port', 'chosen by the system at the start'), ok('studio', `not running; start it with ${COMMAND}`)]
  const address = studioAddress(env)
  const where = address.shown
  let health: z.output<typeof Health>
  try {
    health = Health.parse(await readNow(env, '/health'))
  } catch (error) {
    if (!isOfThisMachine(address) && address.host !== settings.host)
      return [fail('studio', (error as Error).message, 'Check STUDIO_HOST, and that the studio runs on its machine.')]
    if (await isFree(settings.port, settings.host))
      return [ok('port', `${where} is free`), ok('studio', `not running; start it with ${COMMAND}`)]
    return [fail('port', `${where} is used by another program`, 'Stop that program, or choose another STUDIO_PORT.')]
  }
  const checks = [ok('port', `${where} is used by the studio`), ok('studio', `version ${health.version} is running`)]
  try {
    // The answer comes when the agent is connected, if the studio has just started.
    await readNow(env, '/v1/models')
    const { targets } = TargetList.parse(await readNow(env, '/workers/target'))
    const agents = targets.map(({ label, is_local, available, detail, can }) => {
      if (is_local && can.length === 0) return fail('agent', 'the local agent is not connected', "Check the studio's log.")
      return available ? ok('agent', `${label} is connected`) : warn('agent', `${label}: ${detail}`, `See ${COMMAND} workers for details.`)
    })
    return [...checks, ...agents]
  } catch (error) {
    return [
      ...checks,
      warn('agent', `connected agents are unknown: ${(error as Error).message}`, "Run this command on the studio's own machine."),
    ]
  }
}

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', () => resolve(false))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
