// `service`: runs the studio or the agent without a terminal, as a service of the user who installs it.
import { type CommandRun, Misuse, type Outcome, parseArguments, print, refuseArguments, unknownVerb } from '#cli/lib/command.ts'
import type { ServedProgram } from '#cli/service/place.ts'
import { type FoundService, findService, installService, removeService, settingsOfService } from '#cli/service/services.ts'
import type { ServiceState } from '#cli/service/system.ts'
import { AGENT_COMMAND, COMMAND } from '#shared/protocol/version.ts'

const OPTIONS = { json: { type: 'boolean' }, yes: { type: 'boolean' } } as const
const VERBS = ['install', 'remove', 'status'] as const

const commandFor =
  (program: ServedProgram, command: string): CommandRun =>
  async (args, terminal) => {
    const { values, positionals } = parseArguments(args, OPTIONS)
    const [verb = 'status', ...more] = positionals
    if (!VERBS.some((each) => each === verb)) throw unknownVerb('service', verb, VERBS)
    refuseArguments(`service ${verb}`, more)
    if (values.yes && verb !== 'install') throw new Misuse('The option --yes belongs to service install.')
    if (verb === 'install') {
      const installed = await installService(program, terminal, { replace: values.yes ? 'yes' : 'ask' })
      if (installed === null) return 1
      const { found, state, lines } = installed
      const settings = `Its settings: ${found.service.settingsFile}`
      print({ value: viewOf(found, state), lines: [...lines, settings] }, values.json, terminal.output)
      return 0
    }
    const found = await findService(program, terminal)
    print(verb === 'remove' ? await remove(found) : await status(found, command), values.json, terminal.output)
    return 0
  }
export const run: CommandRun = commandFor('studio', COMMAND)
/** The same for the agent. */
export const runServiceOfAgent: CommandRun = commandFor('agent', AGENT_COMMAND)

const viewOf = ({ system, origin }: FoundService, state: ServiceState | null) => ({
  installed: state !== null,
  foreign: state === null && origin === 'foreign',
  file: system.where,
  running: state?.running ?? false,
  pid: state?.pid ?? null,
  starts: state?.starts ?? 'never',
})

async function remove(found: FoundService): Promise<Outcome> {
  const removed = await removeService(found)
  const { service, system, origin } = found
  const kept = origin === 'foreign' ? ` ${system.where} is not from this program and this data folder, and stays.` : ''
  const line = removed
    ? `The service ${service.name} is stopped and removed. Programs, settings and data stay.`
    : `No service ${service.name} is installed here.${kept}`
  return { value: { removed }, lines: [line] }
}

const STARTS = {
  boot: 'It starts with the machine.',
  login: 'It starts when you log in.',
  never: 'It does not start by itself.',
} as const

async function status(found: FoundService, command: string): Promise<Outcome> {
  const { service, system, origin } = found
  if (origin !== 'ours') {
    const line =
      origin === 'none'
        ? `No service ${service.name} is installed. Install it with ${command} service install.`
        : `${system.where} is not from this program and this data folder. Replace it with ${command} service install.`
    return { value: viewOf(found, null), lines: [line] }
  }
  const state = await system.state()
  const settings = settingsOfService(found)
  const lines = [
    `Service ${service.name}: ${state.running ? 'running' : 'not running'}${state.pid === null ? '' : ` (process ${state.pid})`}. ${STARTS[state.starts]}`,
    `Definition: ${system.where}`,
    `Settings: ${service.settingsFile}${settings.length > 0 ? ` (${settings.join(', ')})` : ''}`,
    ...system.advice(state),
  ]
  return { value: viewOf(found, state), lines }
}
