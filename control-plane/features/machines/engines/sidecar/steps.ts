// The steps of a sidecar installation. Each function returns its outcome or throws a StepFailure with a remedy.
import { cp, mkdir, realpath, stat, statfs } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Failure } from '#shared/protocol/failure.ts'
import { foreignAccess, foreignAccessBelow } from '#shared/runtime/access/foreign-access.ts'
import { killGroup, spawnGroup } from '#shared/runtime/child/group.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createLineSplitter } from '#shared/runtime/lines.ts'
import { pythonName, venvPython } from '#shared/runtime/program.ts'
import type { SidecarDescription } from '#shared/sidecar/messages.ts'
import { startSidecar } from '#shared/sidecar/process.ts'

export const STEPS = ['preflight', 'fetch_source', 'create_venv', 'install_deps', 'verify', 'fetch_weights', 'persist'] as const
export type StepId = (typeof STEPS)[number]
export const PROGRAM = 'voice_sidecar.py'

/** The upstream repository of each engine, used when no folder is given. */
const UPSTREAM: Readonly<Record<string, string>> = {
  cosyvoice: 'https://github.com/FunAudioLLM/CosyVoice.git',
  voxcpm2: 'https://github.com/OpenBMB/VoxCPM.git',
  'mlx-audio': 'https://github.com/Blaizzy/mlx-audio.git',
  indextts2: 'https://github.com/index-tts/index-tts.git',
}
const FREE_BYTES = 2 * 2 ** 30
const MINUTE_MS = 60_000
const DESCRIBE_MS = 60_000
const LINE_CHARS = 2_000
const OUTPUT_CHARS = 64 * 1024
const PIPE_MS = 1_000

/** A failed step, with its remedy for people. */
export class StepFailure extends Error {
  readonly remediation: string
  constructor(message: string, remediation: string) {
    super(message)
    this.name = 'StepFailure'
    this.remediation = remediation
  }
}
export type Workshop = {
  readonly engine: string
  /** A folder of the owner; null: the upstream repository. */
  readonly source: string | null
  /** The folder in which it is assembled, renamed to its final place at the end. */
  readonly staging: string
  readonly environment: Readonly<Record<string, string>>
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Appends to the log of the installation. */
  readonly addLine: (line: string) => void
}
export type Done = { readonly skipped?: boolean; readonly detail: string }

/** The way to a Python with environments of its own. */
export function installPython(platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return 'Install Python from python.org with the box “Add python.exe to PATH” ticked.'
  return platform === 'darwin' ? 'Install it with brew install python.' : 'Install it with apt-get install python3 python3-venv.'
}

export async function preflight({ engine, source, staging, addLine, ...shop }: Workshop): Promise<Done> {
  if (engine === 'mlx-audio' && !(process.platform === 'darwin' && process.arch === 'arm64'))
    throw new StepFailure('mlx-audio runs on Apple silicon only.', 'Install it on such a machine and lend that machine to this studio.')
  const version = await runProgram(shop, addLine, pythonName(), ['--version'], { ms: MINUTE_MS, remedy: installPython() })
  if (source === null)
    await runProgram(shop, addLine, 'git', ['--version'], { ms: MINUTE_MS, remedy: 'Install git, or give a local folder as source.' })
  await mkdir(staging, { recursive: true, mode: 0o700 })
  const { bavail, bsize } = await statfs(staging)
  if (bavail * bsize < FREE_BYTES) throw new StepFailure('Less than 2 GB of disk are free.', 'Free some space and install again.')
  return { detail: version.trim() }
}

export async function fetchSource({ engine, source, staging, addLine, ...shop }: Workshop): Promise<Done> {
  const remedy = 'Give a local folder as source; docs/sidecar.md lists what it must contain.'
  if (source === null) {
    const url = UPSTREAM[engine]!
    await runProgram(shop, addLine, 'git', ['clone', '--depth', '1', '--', url, staging], { ms: 10 * MINUTE_MS, remedy })
  } else {
    if (!isAbsolute(source))
      throw new StepFailure(
        'The source is not an absolute path.',
        `Enter the full path, such as ${process.platform === 'win32' ? 'C:\\engines' : '/srv/engines'}.`,
      )
    const isFolder = await stat(source).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isFolder) throw new StepFailure(`There is no folder ${source}.`, remedy)
    // Links are resolved once: a path that only this user can change stays the same until it is copied.
    const folder = await realpath(source)
    const foreign = foreignAccess(folder) ?? foreignAccessBelow(folder, isLeftOut)
    if (foreign) throw new StepFailure(`The studio does not run programs that other users can change. ${foreign.problem}`, foreign.remedy)
    await cp(folder, staging, { recursive: true, filter: (path) => path === folder || !isLeftOut(path) })
  }
  if (!(await exists(join(staging, PROGRAM))))
    throw new StepFailure(`The source has no ${PROGRAM}, so the studio cannot start it.`, `Add one as docs/sidecar.md describes. ${remedy}`)
  return { detail: source === null ? 'cloned' : 'copied' }
}

const isLeftOut = (path: string): boolean => /[\\/](\.git|\.venv|venv|__pycache__)$/.test(path)

export async function createVenv({ staging, addLine, ...shop }: Workshop): Promise<Done> {
  if (!(await exists(join(staging, 'requirements.txt')))) return { skipped: true, detail: 'it needs no packages' }
  await runProgram(shop, addLine, pythonName(), ['-m', 'venv', join(staging, 'venv')], { ms: 5 * MINUTE_MS, remedy: installPython() })
  return { detail: 'created' }
}

export async function installDeps({ staging, addLine, ...shop }: Workshop): Promise<Done> {
  if (!(await exists(join(staging, 'requirements.txt')))) return { skipped: true, detail: 'it needs no packages' }
  const args = ['-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '-r', join(staging, 'requirements.txt')]
  const remedy = 'See the output of pip in the log. Without a network, use a source whose requirements.txt lists local files.'
  await runProgram(shop, addLine, join(staging, 'venv', venvPython()), args, { ms: 60 * MINUTE_MS, remedy })
  return { detail: 'installed' }
}

/** Relative to the folder of the sidecar. */
export const commandIn = async (staging: string): Promise<string[]> => [
  (await exists(join(staging, 'venv'))) ? join('venv', venvPython()) : pythonName(),
  '-u',
  PROGRAM,
]

/** Starts the sidecar and requests its description. */
export async function verify(shop: Workshop): Promise<Done & { readonly version: string; readonly described: SidecarDescription }> {
  const { engine, staging, environment, clock, signal, addLine } = shop
  const answer = Promise.withResolvers<SidecarDescription>()
  try {
    const [program = '', ...args] = await commandIn(staging)
    const sidecar = await startSidecar({
      engine,
      command: [program !== basename(program) ? join(staging, program) : program, ...args],
      folder: staging,
      clock,
      helloMs: DESCRIBE_MS,
      signal,
      environment,
      onMessage: (message) => void (message.type === 'describe' && answer.resolve(message)),
      onLog: addLine,
    })
    const forget = clock.after(DESCRIBE_MS, () => sidecar.kill(new Failure('ENGINE_HUNG', 'it sent no description within a minute')))
    sidecar.send({ type: 'describe' })
    const died = sidecar.ended.then((failure) => Promise.reject(failure ?? new Failure('ENGINE_CRASHED', 'it exited')))
    try {
      const described = await Promise.race([answer.promise, died])
      died.catch(() => {})
      return { detail: `version ${sidecar.version || 'unknown'}, ${described.sample_rate} Hz`, version: sidecar.version, described }
    } finally {
      forget()
      await sidecar.end(2_000)
    }
  } catch (error) {
    throw new StepFailure(
      Failure.from(error).message,
      `Run ${PROGRAM} by hand and check its output. docs/sidecar.md describes the protocol.`,
    )
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

type Limits = { readonly ms: number; readonly remedy: string }
/** Resolves with the standard output; every line goes to the log. Rejects with a StepFailure unless the program succeeds. */
async function runProgram(
  { environment, clock, signal }: Pick<Workshop, 'environment' | 'clock' | 'signal'>,
  addLine: Workshop['addLine'],
  program: string,
  args: readonly string[],
  { ms, remedy }: Limits,
): Promise<string> {
  const failed = (why: string) => new StepFailure(`${basename(program)}: ${why}`.slice(0, 1000), remedy)
  if (signal.aborted) throw failed('it was stopped')
  const env = { ...environment, GIT_TERMINAL_PROMPT: '0' }
  const child = spawnGroup(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [output, lastError, isLate] = ['', '', false]
  const add = (line: string) => void (line.trim() !== '' && addLine(line))
  readLines(child.stdout, (line) => {
    if (output.length < OUTPUT_CHARS) output += `${line}\n`
    add(line)
  })
  readLines(child.stderr, (line) => {
    if (line.trim() !== '') lastError = line.trim()
    add(line)
  })
  const stop = () => killGroup(child)
  signal.addEventListener('abort', stop, { once: true })
  const forgets = [
    clock.after(ms, () => {
      isLate = true
      stop()
    }),
  ]
  // A process that has left the group may hold the pipes open.
  child.once('exit', () => forgets.push(clock.after(PIPE_MS, () => void [child.stdout, child.stderr].map((pipe) => pipe.destroy()))))
  const ended = await new Promise<number | NodeJS.ErrnoException | null>((resolve) => child.once('error', resolve).once('close', resolve))
  signal.removeEventListener('abort', stop)
  for (const forget of forgets) forget()
  if (ended === 0) return output
  if (ended instanceof Error) throw failed(ended.code === 'ENOENT' ? 'it is not on PATH' : ended.message)
  throw failed(signal.aborted ? 'it was stopped' : isLate ? 'it took too long' : lastError || 'it failed')
}

function readLines(stream: Readable, use: (line: string) => void): void {
  const reader = createLineSplitter(LINE_CHARS, use)
  stream.on('data', reader.push).on('end', reader.end)
}
