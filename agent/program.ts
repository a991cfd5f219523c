// The agent program: `join CODE` once, then run; `leave` undoes it, and `unlisten` what `listen` stored. The studio starts its own agent as
// `local`; that one requests its invitation from the parent process over the IPC channel and then works like any other.

import { hostname } from 'node:os'
import { join as joinPath } from 'node:path'
import { type Invitation, isByOwnStudio, join, moved, readInvitation } from '#agent/connection/enrol.ts'
import { createIdentityFile, type IdentityFile } from '#agent/connection/identity.ts'
import { createLogLines } from '#agent/connection/log-lines.ts'
import { gpuEnvironment } from '#agent/gpu/folder.ts'
import { createListeningAddressFile } from '#agent/inbound/listening-address.ts'
import { createSwitchFile } from '#agent/lending/switch-file.ts'
import { formatAddress } from '#shared/link/transport/address.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import type { AgentControl } from '#shared/protocol/agent-control.ts'
import { type DownloadSource, FinishMessage, ProxyMessage, SourceMessage } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { INVALID_SETTINGS, readSettings, type Settings } from '#shared/protocol/settings.ts'
import { AGENT_COMMAND, VERSION } from '#shared/protocol/version.ts'
import { keepPrivate, restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { useProxies } from '#shared/runtime/builtin/http.ts'
import { childEnvironment } from '#shared/runtime/child/environment.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { createLineRing } from '#shared/runtime/log/line-ring.ts'
import { createLog, type Log } from '#shared/runtime/log.ts'
import { letHeapGrow } from '#shared/runtime/memory/collect-garbage.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openTracing } from '#shared/trace/tracing.ts'
import { type AgentParts, startDaemon, startLocal } from './build.ts'

type Env = Readonly<Record<string, string | undefined>>
const STOP_GRACE_MS = 30_000
const STOPPING = `Stopping. Current tasks have ${STOP_GRACE_MS / 1000} seconds to finish. Press Ctrl-C again to stop at once.`
const LOCAL_STOP_GRACE_MS = 10_000

/** Called once the agent serves its owner's requests. A rejection stops it. */
export type OnStarted = (control: AgentControl) => Promise<void>

/**
 * Runs the agent until it is stopped. `onFinished` is called when its owner has made it finish, and nothing of it runs any more. Resolves with the exit status: 0, or INVALID_SETTINGS after it printed why. Throws the reason if it
 * cannot start otherwise.
 */
export async function run(
  args: readonly string[],
  env: Env,
  onStarted: OnStarted = async () => {},
  onFinished: () => void = () => {},
): Promise<number> {
  let settings: Settings
  try {
    settings = readSettings(env)
  } catch (error) {
    process.stderr.write(`studio: ${Failure.from(error).message}\n`)
    return INVALID_SETTINGS
  }
  await prepare(settings)
  if (args[0] === 'local' && process.send) return runLocal(settings, env)
  if (args.length === 0) return runDaemon(settings, env, onStarted, onFinished)
  for (const line of (await changeEnrolment(args, env)).lines) process.stdout.write(`${line}\n`)
  return 0
}

export type EnrolmentChange = { readonly value: object; readonly lines: readonly string[] }
/**
 * `join CODE`, `leave` or `unlisten`. Only while no agent runs; a running one is asked through its control socket instead. Throws BAD_REQUEST for
 * other words, and why a studio cannot be joined.
 */
export async function changeEnrolment([word, code, ...more]: readonly string[], env: Env): Promise<EnrolmentChange> {
  const settings = readSettings(env)
  await prepare(settings)
  if (word === 'join' && code && more.length === 0) return joinStudio(code, settings)
  if (word === 'leave' && code === undefined) return leaveStudio(settings)
  if (word === 'unlisten' && code === undefined) return unlisten(settings)
  throw new Failure('BAD_REQUEST', 'The program of the agent takes join CODE, leave, unlisten or nothing.')
}

async function prepare({ dataDir }: Settings): Promise<void> {
  requireTls13()
  restrictNewFiles()
  const notice = await keepPrivate(dataDir)
  if (notice) process.stderr.write(`studio: ${notice.text}\n`)
}

const fileOf = (settings: Settings, name: string): IdentityFile => createIdentityFile(joinPath(settings.dataDir, name))

async function joinStudio(code: string, settings: Settings): Promise<EnrolmentChange> {
  const file = fileOf(settings, 'agent')
  const invitation = readInvitation(code)
  const known = file.readIfWhole()
  const kept = known && isByOwnStudio(invitation, known) ? await moved(invitation, known, { save: file.write, random, clock }) : null
  const identity = kept ?? (await join(invitation, clock))
  file.write(identity)
  createSwitchFile(joinPath(settings.dataDir, 'agent')).write({ enabled: true, lastError: '' })
  const endpoint = identity.endpoints.map(formatAddress).join(', ')
  const { studioName, workerId } = identity
  return {
    value: { studio_name: studioName, endpoint, worker_id: workerId },
    lines: [
      kept
        ? `This machine stays ${workerId} of ${studioName}, which it reaches at ${endpoint} now. The code was not used.`
        : `Joined ${studioName} at ${endpoint} as ${workerId}.`,
    ],
  }
}

function leaveStudio(settings: Settings): EnrolmentChange {
  const file = fileOf(settings, 'agent')
  const left = file.read()
  file.remove()
  createSwitchFile(joinPath(settings.dataDir, 'agent')).write({ enabled: false, lastError: '' })
  const line = left ? `This machine no longer belongs to ${left.studioName}.` : 'This machine belongs to no studio.'
  return { value: { left: left?.studioName ?? null }, lines: [line] }
}

function unlisten(settings: Settings): EnrolmentChange {
  const file = createListeningAddressFile(joinPath(settings.dataDir, 'inbound'))
  file.write({ ...file.read(), enabled: false })
  return { value: { running: false }, lines: ['No agent is running here. The next one will not listen.'] }
}

type Records = Pick<AgentParts, 'log' | 'tracing' | 'lines'>
const partsOf = (settings: Settings, env: Env, records: Records): AgentParts => ({
  settings,
  hostEnvironment: gpuEnvironment(childEnvironment(env), settings.dataDir, settings.overrides.STUDIO_COMPUTE_DEVICE),
  machineName: hostname(),
  pid: process.pid,
  clock,
  random,
  ...records,
})

async function runDaemon(settings: Settings, env: Env, onStarted: OnStarted, onFinished: () => void): Promise<number> {
  const records = await openRecords(settings, 'agent')
  const { log } = records
  const { promise: finished, resolve: finish } = Promise.withResolvers<'finished'>()
  const agent = await startDaemon(partsOf(settings, env, records), () => finish('finished'))
  if (!agent) throw new Failure('CONFLICT', `An agent is already running here. See \`${AGENT_COMMAND} status\`.`)
  letHeapGrow()
  const { control } = agent
  const stopped = Promise.race([stopSignal(log, STOPPING), finished])
  try {
    await onStarted(control)
  } catch (error) {
    await agent.stop(0)
    throw error
  }
  await logStart(control, log)
  const why = await stopped
  await agent.stop(STOP_GRACE_MS)
  if (why === 'finished') onFinished()
  return 0
}

async function logStart(control: AgentControl, log: Log): Promise<void> {
  const [{ enabled, enrolled, connected, studio_name }, { running }] = [await control.status({}), await control.inbound({})]
  const lending = enabled && enrolled
  log.info({ lending, listening: running, notice: 'The agent is running. Press Ctrl-C to stop it.' }, 'agent started')
  if (lending && !connected) log.info({ notice: `Connecting to studio ${studio_name}.` }, 'connecting to the studio')
  if (lending || running) return
  const notice = enrolled
    ? `Lending is off, so this machine serves no studio. Turn it on with ${AGENT_COMMAND} lend on.`
    : `This machine serves no studio yet. Join one with ${AGENT_COMMAND} join CODE, or let studios connect with ${AGENT_COMMAND} listen.`
  log.info({ notice }, 'the agent serves no studio')
}

async function runLocal(settings: Settings, env: Env): Promise<number> {
  const records = await openRecords(settings, 'local-agent')
  const { log } = records
  const file = fileOf(settings, 'local-agent')
  // The invitation carries both too.
  let downloadSource: DownloadSource | null = null
  let restoreProxies = () => {}
  process.on('message', (message) => {
    downloadSource = SourceMessage.safeParse(message).data?.downloadSource ?? downloadSource
    const proxies = ProxyMessage.safeParse(message).data?.proxies
    if (!proxies) return
    restoreProxies()
    restoreProxies = useProxies(proxies)
  })
  const invitation = await requestInvitation()
  let identity = invitation.known ? file.read() : null
  if (!identity) {
    identity = await join(invitation, clock)
    file.write(identity)
  }
  // The data folder may have moved, and the studio's socket with it.
  identity = { ...identity, endpoints: [...invitation.endpoints] }
  const { promise: refused, resolve: refuse } = Promise.withResolvers<void>()
  // The parent restarts this process with a new invitation.
  const options = { identity, file, onRefused: () => refuse(), downloadSource: () => downloadSource }
  const agent = await startLocal(partsOf(settings, env, records), options)
  letHeapGrow()
  const why = await Promise.race([stopSignal(log), refused])
  // Without a studio the attempts are never fetched, and the next studio starts its own agent.
  await agent.stop(why === 'orphaned' ? 0 : LOCAL_STOP_GRACE_MS)
  if (process.connected) process.disconnect?.()
  return 0
}

/** The program's log, its last lines in memory, and tracing if it is configured. */
async function openRecords(settings: Settings, program: string): Promise<Records> {
  const ring = createLineRing()
  const log = createLog(settings.logLevel, program, { format: settings.logFormat, tap: ring.append })
  const tracing = await openTracing(settings, { program, version: VERSION, clock, log })
  return { log, tracing, lines: createLogLines(ring) }
}

/** `known`: the parent has this agent in its table, so the identity on disk is still valid. */
function requestInvitation(): Promise<Invitation & { readonly known: boolean }> {
  return new Promise((resolve, reject) => {
    process.once('message', (message) => resolve(message as Invitation & { known: boolean }))
    process.once('disconnect', () => reject(new Failure('NOT_READY', 'The studio has ended.')))
    process.send!('invitation')
  })
}

/** SIGBREAK is Ctrl-Break of Windows, and SIGHUP its closed window, which leaves ten seconds. */
const ENDING = process.platform === 'win32' ? (['SIGINT', 'SIGBREAK', 'SIGHUP'] as const) : (['SIGINT', 'SIGTERM'] as const)

/** Resolves with the first signal of `ENDING`, or when the parent asks for it or is gone. A second signal ends the process at once. `notice`: for a terminal. */
function stopSignal(log: Log, notice = ''): Promise<'asked' | 'orphaned'> {
  return new Promise((resolve) => {
    const stop = (why: 'asked' | 'orphaned') => {
      log.info({ why, ...(notice !== '' && { notice }) }, 'agent stopping')
      for (const signal of ENDING) process.once(signal, () => process.exit(130))
      resolve(why)
    }
    for (const signal of ENDING) process.once(signal, () => stop('asked'))
    if (!process.send) return
    process.once('disconnect', () => stop('orphaned'))
    process.on('message', (message) => void (FinishMessage.safeParse(message).success && stop('asked')))
  })
}
