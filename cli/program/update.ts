// `update`: installs a version beside the current one, tries it, makes the running program finish, and waits until the new one runs.
import { resolve } from 'node:path'
import { Misuse, parseArguments, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isNewer, PUBLISHED, REGISTRY, RELEASE_FILES, RELEASE_KEY, VERSION } from '#shared/protocol/version.ts'
import { installVersion } from './files/install.ts'
import { fillFrom, packagesIn } from './files/packages.ts'
import { type ReleaseSource, releasePackages } from './files/registry.ts'
import { isWholeVersion, type ProgramRecord, programIn } from './files/tree.ts'
import { type CurrentProgram, currentProgram } from './folder.ts'
import { withProgramLock } from './lock.ts'
import { confirmSwitch, readSwitches } from './state.ts'
import { dropSwitch, isCommandAlive, makeSwitch, planSwitch } from './switching.ts'
import { type Trial, tryVersion } from './trial.ts'
import { type Switched, untilRunning } from './waiting.ts'

/** Reaches a program that runs with a data folder. */
export type Runner = {
  /** Null while none runs. `version`: null if the program does not say. */
  readonly running: () => Promise<{ readonly version: string | null } | null>
  /** Asks it to finish its work and to hand over. Resolves with its process id. Rejects with a Failure. */
  readonly finish: (waitSeconds: number) => Promise<number>
  /** Address at which it serves requests, for messages. */
  readonly address: string | null
}
export type UpdateParts = Switched & {
  /** Tries this version with a copy of the database. */
  readonly trial: () => Omit<Trial, 'version'>
  readonly runners: readonly Runner[]
  /** Addresses of the releases; null before the first one. */
  readonly release?: ReleaseSource | null
}
const RELEASE: ReleaseSource | null =
  PUBLISHED && RELEASE_FILES !== null && RELEASE_KEY !== null ? { registry: REGISTRY, files: RELEASE_FILES, key: RELEASE_KEY } : null

const WAIT_SECONDS = 60
const MAX_WAIT_SECONDS = 3_600

export async function runUpdate(args: readonly string[], terminal: Terminal, parts: UpdateParts): Promise<number> {
  const { values, positionals } = parseArguments(args, { from: { type: 'string' }, wait: { type: 'string' }, try: { type: 'boolean' } })
  refuseArguments('update', positionals)
  if (values.try) {
    terminal.output.write(`${JSON.stringify({ version: VERSION, ...parts.trial() })}\n`)
    return 0
  }
  const waitSeconds = secondsIn(values.wait)
  const { from } = values
  const { release = RELEASE } = parts
  if (from === undefined && release === null)
    throw new Misuse(
      `${PUBLISHED ? 'This version has no key of the releases, so it cannot verify one' : 'No version is published yet'}. Name the folder that has the packages and their SHA256SUMS with --from.`,
    )
  installed(parts)
  return withProgramLock(parts.dataFolder, () => updateFrom({ from, release, waitSeconds }, terminal, parts))
}

type Source = { readonly from: string | undefined; readonly release: ReleaseSource | null; readonly waitSeconds: number }
async function updateFrom({ from, release, waitSeconds }: Source, terminal: Terminal, parts: UpdateParts): Promise<number> {
  const { command, dataFolder } = parts
  const { cwd, env, output } = terminal
  const { current, program } = installed(parts)
  const { name } = program
  const packages =
    from === undefined && release !== null
      ? await releasePackages(release, name, terminal.interrupted())
      : packagesIn(resolve(cwd, from ?? ''), name)
  const { version } = packages
  if (version === current.version) {
    output.write(`Version ${version} is the current one already.\n`)
    return 0
  }
  if (!isNewer(version, current.version))
    throw new Failure(
      'CONFLICT',
      `${from ?? packages.place} has version ${version}, which is older than ${current.version}. To go back, run ${command} rollback.`,
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
  return untilRunning({ version, pid, waitSeconds, isAgent: runner.address === null, isBack: restore !== null }, output, parts)
}
