// `uninstall`: removes the service and the copies of the program, and asks before it deletes data. Says what stays.
import { rmSync } from 'node:fs'
import { type CommandRun, canAsk, parseArguments, print, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { agreed } from '#cli/lib/install-programs.ts'
import { deletionObjection, isOfStudio, removePrograms } from '#cli/service/leave-nothing.ts'
import type { ServedProgram, ServicePlace } from '#cli/service/place.ts'
import { findService, removeService } from '#cli/service/services.ts'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND, COMMAND, PACKAGES } from '#shared/protocol/version.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'

const OPTIONS = { json: { type: 'boolean' }, 'delete-data': { type: 'boolean' } } as const

const commandFor =
  (program: ServedProgram, command: string): CommandRun =>
  async (args, terminal) => {
    const { values, positionals } = parseArguments(args, OPTIONS)
    refuseArguments('uninstall', positionals)
    const found = await findService(program, terminal)
    const { place, service } = found
    const other = program === 'studio' ? await findService('agent', terminal) : await findService('studio', terminal)
    const isShared = other.origin === 'ours' && program === 'agent'
    const removed: string[] = []
    const kept: string[] = []
    if (await removeService(found)) removed.push(`The service ${service.name}`)
    // The agent of a package of the studio runs from the same programs.
    if (program === 'studio' && (await removeService(other))) removed.push(`The service ${other.service.name}`)
    if (found.origin === 'foreign') kept.push(`${found.system.where}, which is not from this program and this data folder`)
    await refuseRunning(place, command)
    if (isShared) kept.push(`The copies of the program in ${place.dataDir}, which the service ${other.service.name} runs`)
    else if (removePrograms(place)) removed.push(`The copies of the program in ${place.dataDir}`)
    const data = await removeData(program, place, terminal, values['delete-data'] ?? false, isShared)
    ;(data.removed ? removed : kept).push(data.line)
    kept.push(
      place.isCheckout
        ? `This checkout: ${place.root}`
        : `What npm installed: npm uninstall --global ${PACKAGES[program]}, if you installed it so`,
    )
    const lines = [...removed.map((line) => `Removed: ${line}`), ...kept.map((line) => `Stays: ${line}`)]
    print({ value: { removed, kept }, lines }, values.json, terminal.output)
    return 0
  }
export const run: CommandRun = commandFor('studio', COMMAND)
/** The same for the agent. */
export const runUninstallOfAgent: CommandRun = commandFor('agent', AGENT_COMMAND)

/** A service that was removed ends its program within this time. */
const STOP_MS = 45_000
const LOOK_MS = 200

/** A program that a person started goes on without its service, and would lose its files. The agent of a studio answers for it. */
async function refuseRunning({ dataDir }: ServicePlace, command: string): Promise<void> {
  const agent = createControlClient(controlPath(dataDir), clock)
  const state = (): Promise<'running' | 'stopping' | 'none' | 'studio'> =>
    agent.status({}).then(
      ({ daemon }) => (daemon ? 'running' : 'studio'),
      (error: unknown) => {
        if (!(error instanceof Failure && error.code === 'NOT_READY')) throw error
        // Only a socket without a listener has a cause.
        return error.cause === undefined ? 'stopping' : 'none'
      },
    )
  const until = clock.mono() + STOP_MS
  let found = await state()
  while (found === 'stopping' && clock.mono() < until) {
    await clock.sleep(LOOK_MS)
    found = await state()
  }
  if (found === 'none') return
  const runs = found === 'studio' ? 'A studio' : 'An agent'
  throw new Failure(
    'CONFLICT',
    `${runs} is running here, so its files stay. Stop it with Ctrl-C where it runs, then run ${command} uninstall again.`,
  )
}

async function removeData(
  program: ServedProgram,
  place: ServicePlace,
  terminal: Terminal,
  isWanted: boolean,
  isShared: boolean,
): Promise<{ removed: boolean; line: string }> {
  const { dataDir } = place
  const what = isOfStudio(dataDir)
    ? 'voices, takes, books, films, models, settings and keys'
    : 'the identity of this machine, its keys and models'
  const stays = { removed: false, line: `Your data in ${dataDir}: ${what}` }
  if (program === 'agent' && (isShared || isOfStudio(dataDir))) return { removed: false, line: `The data of the studio in ${dataDir}` }
  const objection = deletionObjection(place)
  if (objection !== null) return { removed: false, line: objection }
  if (!isWanted) {
    if (!canAsk(terminal)) return stays
    if (!(await agreed(`Also delete ${dataDir}: ${what}? This cannot be undone. (y/N) `, terminal))) return stays
  }
  rmSync(dataDir, { recursive: true, force: true })
  return { removed: true, line: `Your data in ${dataDir}` }
}
