// `update`: installs a version beside the current one, tries it, makes the running program finish, and waits until the new one runs.
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Misuse, parseArguments, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isNewer, PUBLISHED, VERSION } from '#shared/protocol/version.ts'
import { installVersion } from './files/install.ts'
import { fillFrom, packagesIn } from './files/packages.ts'
import { isWholeVersion, type ProgramRecord, programIn } from './files/tree.ts'
import { type CurrentProgram, currentProgram } from './folder.ts'
import { START_MS } from './launch.ts'
import { confirmSwitch, readSwitches } from './state.ts'
import { dropSwitch, isAlive, isCommandAlive, makeSwitch, planSwitch, type SwitchedDatabase, switchBack } from './switching.ts'
import { type Trial, tryVersion } from './trial.ts'

/** Reaches a program that runs with a data folder. */
export type Runner = {
  /** Null while none runs. `version`: null if the program does not say. */
  readonly running: () => Promise<{ readonly version: string | null } | null>
  /** Asks it to finish its work and to hand over. Resolves with its process id. Rejects with a Failure. */
  readonly finish: (waitSeconds: number) => Promise<number>
  /** Address at which it serves requests, for messages. */
  readonly address: string | null
}
export type UpdateParts = {
  /** The command, for messages. */
  readonly command: string
  readonly dataFolder: string
  readonly data: SwitchedDatabase | null
  /** Tries this version with a copy of the database. */
  readonly trial: () => Omit<Trial, 'version'>
  readonly runners: readonly Runner[]
}

const LOOK_MS = 200
/** The program that ends stops its services in this time, beside the time for requests. */
const STOP_MS = 45_000
const WAIT_SECONDS = 60
const MAX_WAIT_SECONDS = 3_600

export async function runUpdate(args: readonly string[], terminal: Terminal, parts: UpdateParts): Promise<number> {
  const { values, positionals } = parseArguments(args, { from: { type: 'string' }, wait: { type: 'string' }, try: { type: 'boolean' } })
  refuseArguments('update', positionals)
  const { command, dataFolder, trial } = parts
  const { cwd, env, output } = terminal
  if (values.try) {
    output.write(`${JSON.stringify({ version: VERSION, ...trial() })}\n`)
    return 0
  }
  const waitSeconds = secondsIn(values.wait)
  if (values.from === undefined)
    throw new Misuse(
      `${PUBLISHED ? 'This version updates from a folder' : 'No version is published yet'}. Name the folder that has the packages and their SHA256SUMS with --from.`,
    )
  const { current, program } = installed(parts)
  const { name } = program
  const packages = packagesIn(resolve(cwd, values.from), name)
  const { version } = packages
  if (version === current.version) {
    output.write(`Version ${version} is the current one already.\n`)
    return 0
  }
  if (!isNewer(version, current.version))
    throw new Failure(
      'CONFLICT',
      `${values.from} has version ${version}, which is older than ${current.version}. To go back, run ${command} rollback.`,
    )
  output.write(`Installing version ${version} beside ${current.version} …\n`)
  const folder = await installVersion({
    dataFolder,
    name,
    version,
    fill: (to) => fillFrom({ packages, name, current: current.path }, to),
    isNew: true,
  })
  output.write('Trying it …\n')
  const tried = await tryVersion({ folder, program: programIn(folder)!, env, signal: terminal.interrupted() })
  if (tried.objection !== null) throw new Failure('UPGRADE_REQUIRED', `Version ${version} cannot be used: ${tried.objection}`)
  return switchTo({ version, changesDatabase: tried.changesDatabase, restore: null, waitSeconds }, terminal, parts)
}

/** The current version. Throws NOT_FOUND before the first start of the package. */
export function installed({ command, dataFolder }: Pick<UpdateParts, 'command' | 'dataFolder'>): {
  readonly current: CurrentProgram
  readonly program: ProgramRecord
} {
  const current = currentProgram(dataFolder)
  const program = current && programIn(current.path)
  if (current === null || program === null || !isWholeVersion(current.path))
    throw new Failure('NOT_FOUND', `${dataFolder} has no program yet. Start it once with ${command}, which puts it there.`)
  // It was put in place while nothing ran, and counts as used when the next one comes.
  const { pending } = readSwitches(dataFolder)
  if (pending?.to === current.version && pending.runner === null && !pending.failed && !isCommandAlive(pending))
    confirmSwitch(dataFolder, Date.now())
  return { current, program }
}

export function secondsIn(text = String(WAIT_SECONDS)): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN
  if (!(seconds <= MAX_WAIT_SECONDS)) throw new Misuse(`--wait takes a number of seconds from 0 to ${MAX_WAIT_SECONDS}.`)
  return seconds
}

export type Switching = {
  readonly version: string
  readonly changesDatabase: boolean
  /** Name of the copy of the database that is put back. */
  readonly restore: string | null
  readonly waitSeconds: number
}

/** Makes the installed version the current one. Resolves with the exit status; throws a Failure if the version before stays, or runs again. */
export async function switchTo(
  { version, changesDatabase, restore, waitSeconds }: Switching,
  { output }: Pick<Terminal, 'output'>,
  parts: UpdateParts,
): Promise<number> {
  const { command, dataFolder, data, runners } = parts
  const { current } = installed(parts)
  let runner: Runner | null = null
  for (const each of runners) if (runner === null && (await each.running())) runner = each
  // An agent knows nothing of the database of a studio.
  if (runner?.address === null && data !== null && (changesDatabase || restore !== null))
    throw new Failure(
      'CONFLICT',
      `An agent runs from ${dataFolder}, and the database of the studio is changed only while nothing runs. Stop the agent, then try again.`,
    )
  planSwitch(dataFolder, { from: current.version, to: version, changesDatabase, restore })
  if (runner === null) {
    await makeSwitch(dataFolder, data).catch((error: unknown) => {
      dropSwitch(dataFolder, null)
      throw error
    })
    output.write(`Version ${version} is in place. Nothing was running; start it with ${command}.\n`)
    return 0
  }
  output.write(`Finishing what runs, up to ${waitSeconds} s; new requests are asked to come again …\n`)
  const pid = await runner.finish(waitSeconds).catch((error: unknown) => {
    dropSwitch(dataFolder, null)
    throw error
  })
  return untilRunning({ version, pid, waitSeconds, isAgent: runner.address === null }, output, parts)
}

type Waiting = { readonly version: string; readonly pid: number; readonly waitSeconds: number; readonly isAgent: boolean }
async function untilRunning(
  { version, pid, waitSeconds, isAgent }: Waiting,
  output: Terminal['output'],
  { command, dataFolder }: UpdateParts,
): Promise<number> {
  const startedAt = performance.now()
  let switchedAt: number | null = null
  let lostAt: number | null = null
  for (;;) {
    const { pending, failed } = readSwitches(dataFolder)
    const at = performance.now()
    const now = currentProgram(dataFolder)?.version
    if (pending === null && now === version) {
      output.write(`Version ${version} runs.\n`)
      return 0
    }
    // A version that failed is still giving its place back while the switch is pending.
    if (pending === null)
      throw new Failure(
        'PROGRAM_FAILED',
        `Version ${version} did not take over: ${failed?.reason.replace(/\.$/, '') ?? 'the program was started again'}. Version ${now} stays.`,
      )
    if (now === version) switchedAt ??= at
    if (!isAlive(pid)) lostAt ??= at
    if (isAgent && switchedAt === null && at - startedAt > waitSeconds * 1000) {
      output.write(`The agent still finishes its tasks. Version ${version} takes over when they have ended.\n`)
      return 0
    }
    const isLate = at - (switchedAt ?? startedAt + waitSeconds * 1000) > (switchedAt === null ? STOP_MS : START_MS + STOP_MS)
    if (isLate || (lostAt !== null && at - lostAt > STOP_MS / 3)) break
    await pause(LOOK_MS)
  }
  // The program neither runs nor goes back by itself.
  if (switchedAt === null) dropSwitch(dataFolder, null)
  else {
    // The id of a process that was seen to end may be that of another program now.
    if (lostAt === null) kill(readSwitches(dataFolder).pending?.runner ?? pid)
    await switchBack(dataFolder, 'It did not answer.', Date.now())
  }
  throw new Failure(
    'PROGRAM_FAILED',
    `Version ${version} did not take over, and nothing runs now. If no service starts the program again, start version ${currentProgram(dataFolder)?.version} with ${command}.`,
  )
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // it has ended
}
