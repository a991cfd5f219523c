// The agent program: `join CODE` once, then run; `leave` undoes it. The studio starts its own agent as `local`; that one requests its
// invitation from the parent process over the IPC channel and then works like any other.
import { hostname } from 'node:os'
import { join as joinPath } from 'node:path'
import { formatAddress } from '#shared/link/transport/address.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { readSettings, type Settings } from '#shared/protocol/settings.ts'
import { VERSION } from '#shared/protocol/version.ts'
import { closedNotice, closeToOthers, restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { childEnvironment } from '#shared/runtime/environment.ts'
import { createLineRing } from '#shared/runtime/line-ring.ts'
import { createLog, type Log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openTracing } from '#shared/trace/tracing.ts'
import { type AgentParts, startDaemon, startLocal } from './build.ts'
import { type Invitation, join, readInvitation } from './connection/enrol.ts'
import { createIdentityFile, type IdentityFile } from './connection/identity.ts'
import { createLogLines } from './connection/log-lines.ts'
import { createSwitchFile } from './lending/switch-file.ts'

type Env = Readonly<Record<string, string | undefined>>
const STOP_GRACE_MS = 30_000
const LOCAL_STOP_GRACE_MS = 10_000

/** Resolves with the exit status: 0 after a clean stop, 1 for a failure that was printed, 2 for wrong arguments. */
export async function main(args: readonly string[], env: Env): Promise<number> {
  requireTls13()
  restrictNewFiles()
  try {
    const settings = readSettings(env)
    const closed = closeToOthers(settings.dataDir)
    if (closed.length > 0) process.stderr.write(`agent: ${closedNotice(closed)}\n`)
    const [verb, code] = args
    if (verb === 'join' && code && args.length === 2) return await joinStudio(code, settings)
    if (verb === 'local' && process.send) return await runLocal(settings, env)
    if (verb === undefined) return await runDaemon(settings, env)
    if (verb === 'leave' && args.length === 1) return leaveStudio(settings)
    process.stderr.write('Usage: studio agent join CODE | studio agent leave | studio agent\n')
    return 2
  } catch (error) {
    const failure = Failure.from(error)
    process.stderr.write(`agent: ${failure.message}\n`)
    return 1
  }
}

const fileOf = (settings: Settings, name: string): IdentityFile => createIdentityFile(joinPath(settings.dataDir, name))

async function joinStudio(code: string, settings: Settings): Promise<number> {
  const file = fileOf(settings, 'agent')
  const identity = await join(readInvitation(code, clock.now()), clock)
  file.write(identity)
  createSwitchFile(joinPath(settings.dataDir, 'agent')).write({ enabled: true, lastError: '' })
  const where = identity.endpoints.map(formatAddress).join(', ')
  process.stdout.write(`Joined ${identity.studioName} at ${where} as ${identity.workerId}.\nStart lending with: ./studio agent\n`)
  return 0
}

/** Only while no agent runs; a running agent leaves through its control socket instead. */
function leaveStudio(settings: Settings): number {
  fileOf(settings, 'agent').remove()
  createSwitchFile(joinPath(settings.dataDir, 'agent')).write({ enabled: false, lastError: '' })
  process.stdout.write('This machine no longer belongs to a studio.\n')
  return 0
}

type Records = Pick<AgentParts, 'log' | 'tracing' | 'lines'>
const partsOf = (settings: Settings, env: Env, records: Records): AgentParts => ({
  settings,
  hostEnvironment: childEnvironment(env),
  machineName: hostname(),
  pid: process.pid,
  clock,
  random,
  ...records,
})

async function runDaemon(settings: Settings, env: Env): Promise<number> {
  const records = await openRecords(settings, 'agent')
  const { log } = records
  const { promise: finished, resolve: finish } = Promise.withResolvers<'finished'>()
  const agent = await startDaemon(partsOf(settings, env, records), () => finish('finished'))
  if (!agent) throw new Failure('CONFLICT', 'An agent is already running here. See `./studio agent status`.')
  log.info({ lending: agent.isLending(), listening: agent.isListening() }, 'agent started')
  if (!agent.isLending() && !agent.isListening())
    process.stdout.write(
      [
        'The agent is running but serves no studio. To change that:',
        '  ./studio agent join CODE   join the studio that issued CODE',
        '  ./studio agent lend on     lend to the studio joined before',
        '  ./studio agent listen      let other studios connect to this machine',
        '',
      ].join('\n'),
    )
  await Promise.race([stopSignal(log), finished])
  await agent.stop(STOP_GRACE_MS)
  return 0
}

async function runLocal(settings: Settings, env: Env): Promise<number> {
  const records = await openRecords(settings, 'local-agent')
  const { log } = records
  const file = fileOf(settings, 'local-agent')
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
  const agent = await startLocal(partsOf(settings, env, records), { identity, file, onRefused: () => refuse() })
  const why = await Promise.race([stopSignal(log), refused])
  // Without a studio the attempts are never fetched, and the next studio starts its own agent.
  await agent.stop(why === 'orphaned' ? 0 : LOCAL_STOP_GRACE_MS)
  if (process.connected) process.disconnect?.()
  return 0
}

/** The program's log, its last lines in memory, and tracing if it is configured. */
async function openRecords(settings: Settings, program: string): Promise<Records> {
  const ring = createLineRing()
  const log = createLog(settings.logLevel, program, ring.append)
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

/** Resolves with the first SIGTERM or SIGINT, or when the parent is gone. A second signal ends the process at once. */
function stopSignal(log: Log): Promise<'asked' | 'orphaned'> {
  return new Promise((resolve) => {
    const stop = (why: 'asked' | 'orphaned') => {
      log.info({ why }, 'agent stopping')
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
      resolve(why)
    }
    process.once('SIGTERM', () => stop('asked'))
    process.once('SIGINT', () => stop('asked'))
    if (process.send) process.once('disconnect', () => stop('orphaned'))
  })
}

if (import.meta.main) process.exitCode = await main(process.argv.slice(2), process.env)
