// Starts the program of a package: it runs from the program folder, hands over to another version when an update has asked for it, and goes back
// to the version before when a new one does not start. The process stays the same, so a terminal or a service manager sees one program.

import { basename } from 'node:path'
import type { Writable } from 'node:stream'
import { runProgram } from '#cli/lib/child.ts'
import type { Environment } from '#cli/lib/command.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isNewer } from '#shared/protocol/version.ts'
import { silentEnvironment } from '#shared/runtime/child/environment.ts'
import { startOfProcess } from '#shared/runtime/child/process-start.ts'
import { copyProgram, packageManifest } from './files/copy.ts'
import { installVersion, tidyPrograms } from './files/install.ts'
import { isWholeVersion, programIn } from './files/tree.ts'
import { currentProgram, runsInPlace, switchProgram, versionFolder, versionsIn } from './folder.ts'
import { withProgramLock } from './lock.ts'
import { changePending, confirmSwitch, prune, readSwitches } from './state.ts'
import {
  dropSwitch,
  isCommandAlive,
  isRunnerAlive,
  makeSwitch,
  planSwitch,
  type SwitchedDatabase,
  settleFailed,
  switchBack,
} from './switching.ts'
import { commandFileIn, tryVersion, withoutCache } from './trial.ts'

/** Reports of the program while it runs. */
export type Launched = {
  /** It serves requests. */
  readonly running: () => void
  /** It has finished its work and ends, so that another version takes its place. */
  readonly leaving: () => void
}
/** Replaces this process by a program. Where the system has no such call, resolves with the exit status of a child. */
export type Become = (command: string, words: readonly string[], env: Environment) => Promise<number>
export type Launch = {
  readonly dataFolder: string
  /** The folder of the package that runs. */
  readonly root: string
  /** The words after the command, with which every version is started. */
  readonly words: readonly string[]
  readonly env: Environment
  readonly data: SwitchedDatabase | null
  readonly errors: Writable
  readonly run: (launched: Launched) => Promise<number>
  readonly become?: Become
  readonly now?: () => number
}

/** A new version must serve requests after this time. */
export const START_MS = 120_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves with the exit status. Throws a Failure for a program folder that cannot be used. */
export const launch = (request: Launch): Promise<number> =>
  runsInPlace(request.root, request.dataFolder) ? runHere(request) : enter(request)

/**
 * Copies the package below `root` into the program folder if that has no current version. Returns the name and version of the package, the
 * function that copies it, and the current version if there was one. Throws CONFLICT if the folder belongs to another package.
 */
export async function placeProgram({ dataFolder, root }: Pick<Launch, 'dataFolder' | 'root'>) {
  const { name, version } = packageManifest(root)
  tidyPrograms(dataFolder)
  const current = currentProgram(dataFolder)
  const program = current && programIn(current.path)
  if (program && program.name !== name)
    throw new Failure('CONFLICT', `${dataFolder} has the program ${program.name}. Choose another STUDIO_DATA_DIR for ${name}.`)
  const install = () => installVersion({ dataFolder, name, version, fill: (to) => copyProgram(root, to), isNew: false })
  if (current !== null && isWholeVersion(current.path)) return { name, version, install, current }
  await install()
  if (current?.version !== version) await switchProgram(dataFolder, version)
  return { name, version, install, current: null }
}

/** From the folder of npm: the program is copied, and goes on from its copy. */
async function enter(request: Launch): Promise<number> {
  const { dataFolder, env } = request
  const { name, version, install, current } = await placeProgram(request)
  if (current === null) return goOn(request)
  if (isNewer(version, current.version) && !versionsIn(dataFolder).includes(version)) {
    // A person has started a newer package: the same steps as those of an update.
    await withProgramLock(dataFolder, async () => {
      const folder = await install()
      const { changesDatabase, objection } = await tryVersion({
        folder,
        program: programIn(folder)!,
        env,
        signal: new AbortController().signal,
      })
      if (objection !== null) throw new Failure('UPGRADE_REQUIRED', objection)
      planSwitch(dataFolder, { from: current.version, to: version, changesDatabase, restore: null })
      await makeSwitch(dataFolder, request.data).catch((error: unknown) => {
        dropSwitch(dataFolder, null)
        throw error
      })
    })
  } else if (version !== current.version)
    request.errors.write(`${name}: Runs version ${current.version}, the current one of ${dataFolder}.\n`)
  return goOn(request)
}

/** Goes on as the current version. */
async function goOn({ dataFolder, words, env, become = becomeProgram }: Launch): Promise<number> {
  const current = currentProgram(dataFolder)
  const program = current && programIn(current.path)
  if (current === null || program === null) throw new Failure('NOT_FOUND', `${dataFolder} has no program. Install the package again.`)
  return become(commandFileIn(current.path, program), words, env)
}

async function runHere(request: Launch): Promise<number> {
  const { dataFolder, root, data, run, now = Date.now } = request
  const own = basename(root)
  tidyPrograms(dataFolder)
  const { pending } = readSwitches(dataFolder)
  // While another process starts this version, that one decides about it: only one of the two gets the database.
  const isTrial = pending?.to === own && (pending.failed || !isRunnerAlive(pending))
  if (isTrial) {
    if (pending.failed || pending.runner !== null) return goBack(request, 'It ended before it served requests.')
    changePending(dataFolder, { runner: process.pid, runnerStart: startOfProcess(process.pid), at: Date.now() })
  } else if (pending?.from === own) {
    if (pending.failed) await settleFailed(dataFolder, pending, data)
    else if (!isCommandAlive(pending)) {
      // A rollback was killed when the database had been put back.
      if (pending.restore !== null && data?.isOlder()) {
        await switchProgram(dataFolder, pending.to)
        return goOn(request)
      }
      dropSwitch(dataFolder, null)
    }
    prune(dataFolder)
  }
  let isConfirmed = false
  let isLeaving = false
  // A program that hangs never comes to its end. Only time in which it could have served requests counts: a migration of a large database blocks it.
  let seconds = 0
  const watchdog = isTrial
    ? setInterval(() => {
        if (++seconds < START_MS / 1000) return
        clearInterval(watchdog)
        void goBack(request, `It served no request within ${START_MS / 1000} s.`)
      }, 1_000)
    : undefined
  const launched: Launched = {
    running() {
      clearInterval(watchdog)
      if (isTrial) confirmSwitch(dataFolder, now())
      isConfirmed = true
    },
    leaving() {
      isLeaving = true
    },
  }
  const isUnproven = () => isTrial && !isConfirmed
  try {
    const status = await run(launched)
    clearInterval(watchdog)
    if (isUnproven() && status !== 0) return goBack(request, `It ended with status ${status}.`)
    // It was stopped while it started, which says nothing about it.
    if (isUnproven()) changePending(dataFolder, { runner: null, runnerStart: null })
    return isLeaving ? await handOver(request, own) : status
  } catch (error) {
    clearInterval(watchdog)
    if (isUnproven()) return goBack(request, (error as Error).message)
    throw error
  }
}

/** The program has finished its work: the version that an update asked for takes its place. */
async function handOver(request: Launch, own: string): Promise<number> {
  const { dataFolder, data, errors, now = Date.now } = request
  const { pending } = readSwitches(dataFolder)
  if (pending?.from === own && !pending.failed)
    try {
      await makeSwitch(dataFolder, data)
    } catch (error) {
      const reason = (error as Error).message
      errors.write(`studio: The update to ${pending.to} was not made: ${reason}\n`)
      dropSwitch(dataFolder, { version: pending.to, reason, at: now() })
    }
  return goOn(request)
}

async function goBack(request: Launch, reason: string): Promise<number> {
  const { dataFolder, errors, now = Date.now } = request
  const { pending } = readSwitches(dataFolder)
  if (pending === null || !isWholeVersion(versionFolder(dataFolder, pending.from)))
    throw new Failure('NOT_FOUND', 'The version before this one is not whole. Install the package again.')
  errors.write(`studio: Version ${pending.to} did not start. ${reason} Version ${pending.from} takes its place again.\n`)
  await switchBack(dataFolder, reason, now())
  return goOn(request)
}

const becomeProgram: Become = (command, words, env) => {
  const environment = withoutCache(silentEnvironment(env))
  const args = [command, ...words]
  if (process.execve && process.platform !== 'win32') process.execve(process.execPath, [process.execPath, ...args], environment)
  const stop = new AbortController()
  for (const signal of SIGNALS) process.on(signal, () => stop.abort())
  return runProgram(process.execPath, args, { env: environment, signal: stop.signal })
}
