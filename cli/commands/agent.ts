// `agent`: runs and controls the agent of this machine. Commands reach a running agent over its private socket. Without one, `join` and
// `leave` change the stored enrolment, and `listen` starts the agent.

import {
  type CommandRun,
  isPackaged,
  Misuse,
  type Outcome,
  parseArguments,
  print,
  refuseArguments,
  type Terminal,
  unknownVerb,
} from '#cli/lib/command.ts'
import { secretArgument } from '#cli/lib/secret-argument.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { EXPOSED_WARNING, lendingLines, listeningLines, spaceLines } from '#cli/views/agent-view.ts'
import { controlPath, createControlClient } from '#shared/link/agent-control.ts'
import type { AgentControl } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { addKey, listKeys, revokeKey } from './agent-keys.ts'

type Values = {
  readonly json?: boolean
  readonly bind?: string
  readonly port?: string
  readonly off?: boolean
  readonly 'no-service'?: boolean
}
type Verb = (agent: AgentControl, args: readonly string[], values: Values, terminal: Terminal) => Promise<Outcome>
type Daemon = (onStarted?: (agent: AgentControl) => Promise<void>) => Promise<number>

const JSON_ONLY = { json: { type: 'boolean' } } as const
const JOIN = { ...JSON_ONLY, 'no-service': { type: 'boolean' } } as const
const LISTEN = { ...JSON_ONLY, bind: { type: 'string' }, port: { type: 'string' }, off: { type: 'boolean' } } as const

/** Words with commands of their own, which need no agent. */
const PARTS: Readonly<Record<string, () => Promise<CommandRun>>> = {
  gpu: async () => (await import('./gpu.ts')).runForAgent,
  service: async () => (await import('./service.ts')).runServiceOfAgent,
  uninstall: async () => (await import('./uninstall.ts')).runUninstallOfAgent,
}

/** A word such as `constructor` is in every object. */
const entryOf = <T>(of: Readonly<Record<string, T>>, word: string): T | undefined => (Object.hasOwn(of, word) ? of[word] : undefined)

export const run: CommandRun = async (args, terminal) => {
  const part = entryOf(PARTS, args[0] ?? '')
  if (part) return (await part())(args.slice(1), terminal)
  const word = args.find((arg) => !arg.startsWith('-')) ?? 'start'
  const { values, positionals } = parseArguments(args, word === 'listen' ? LISTEN : word === 'join' ? JOIN : JSON_ONLY)
  const given = positionals.slice(1)
  const rest = word === 'join' ? await Promise.all(given.map((code) => secretArgument(code, 'join code', terminal))) : given
  const env = values.json ? { ...terminal.env, STUDIO_LOG_FORMAT: 'json' } : terminal.env
  const daemon: Daemon = async (onStarted) => {
    terminal.stream?.()
    const { main } = await import('#agent/main.ts')
    if (!isPackaged(terminal.env)) return main([], env, onStarted)
    const { launchAgent } = await import('#cli/program/agent.ts')
    return launchAgent(args, terminal, ({ running, leaving }) => {
      const started = async (agent: AgentControl) => {
        await onStarted?.(agent)
        running()
      }
      return main([], env, started, leaving)
    })
  }
  // The arguments of a process can be read by every user of the machine, and this one contacts the studio first.
  if (word === 'join') process.title = `${AGENT_COMMAND} join`
  if (word === 'start') {
    if (rest.length) throw new Misuse('agent start takes no arguments. Settings come from the environment.')
    return daemon()
  }
  const verb = entryOf(VERBS, word)
  if (!verb) throw unknownVerb('agent', word, ['start', ...Object.keys(VERBS), ...Object.keys(PARTS)])
  const show = async (agent: AgentControl) => print(await verb(agent, rest, values, terminal), values.json, terminal.output)
  const agent = createControlClient(controlPath(studioFolder(terminal.env)), clock)
  const alone = entryOf(ALONE, word)
  if (alone && !(await answers(agent))) {
    const words = alone(rest, values)
    if (words === null) return daemon(show)
    const { joinOrLeave } = await import('#agent/main.ts')
    const { value, lines } = await joinOrLeave(words, env)
    const lending = word === 'join' ? await lend(agent, terminal, (values as Values)['no-service']) : { value: {}, lines: [] }
    print({ value: { ...value, ...lending.value }, lines: [...lines, ...lending.lines] }, values.json, terminal.output)
    return 0
  }
  await show(agent).catch((error: unknown) => {
    throw isAbsent(error) ? new Failure('NOT_READY', `No agent is running here. Start one with ${AGENT_COMMAND}.`, { cause: error }) : error
  })
  return 0
}

async function lend(agent: AgentControl, terminal: Terminal, isUnwanted = false) {
  const { lendByService } = await import('#cli/service/lend.ts')
  return lendByService(agent, terminal, isUnwanted)
}

/** The verbs that work without a running agent: what changes in its files, or null to start one. Throw a Misuse for wrong arguments. */
const ALONE: Readonly<Record<string, (args: readonly string[], values: Values) => readonly string[] | null>> = {
  join: (args) => ['join', codeIn(args)],
  leave(args) {
    refuseArguments('agent leave', args)
    return ['leave']
  },
  listen: (args, values) => (listenRequest(args, values).enabled ? null : ['unlisten']),
}

function codeIn([code, ...more]: readonly string[]): string {
  if (code === undefined || more.length) throw new Misuse('agent join takes one join code.')
  return code
}

const VERBS: Readonly<Record<string, Verb>> = {
  async join(agent, args) {
    const view = await agent.join({ code: codeIn(args) })
    return {
      value: view,
      lines: [`Joined ${view.studio_name} at ${view.endpoint} as ${view.worker_id}. The running agent now lends to it.`],
    }
  },

  async status(agent, args) {
    refuseArguments('agent status', args)
    const [lending, inbound] = [await agent.status({}), await agent.inbound({})]
    // An agent of an earlier version does not know its space.
    const space = await agent.space({}).catch(() => null)
    const lines = [...lendingLines(lending), ...listeningLines(inbound, clock.now() / 1000), ...(space ? spaceLines(space) : [])]
    return { value: { lending, inbound, space }, lines }
  },

  async space(agent, [word, ...more]) {
    if (more.length) throw new Misuse(SPACE_USAGE)
    if (word === 'clear') {
      const view = await agent.clearSpace({})
      return {
        value: view,
        lines: [`Removed ${shortBytes(view.freed_bytes)} of models that other studios installed.`, ...spaceLines(view)],
      }
    }
    const view = word === undefined ? await agent.space({}) : await agent.lendSpace({ bytes: word === 'auto' ? null : bytesOf(word) })
    return { value: view, lines: spaceLines(view) }
  },

  async files(agent, [word, ...more]) {
    if (more.length) throw new Misuse(FILES_USAGE)
    const bytes = word === undefined || word === 'off' ? 0 : bytesOf(word, FILES_USAGE)
    const view = word === undefined ? await agent.space({}) : await agent.lendFiles({ bytes })
    return { value: view, lines: spaceLines(view) }
  },

  async lend(agent, [word, ...more]) {
    if ((word !== 'on' && word !== 'off') || more.length) throw new Misuse('agent lend takes on or off.')
    const view = await agent.lend({ enabled: word === 'on' })
    return { value: view, lines: lendingLines(view) }
  },

  async finish(agent, args) {
    refuseArguments('agent finish', args)
    const view = await agent.finish({})
    const then = view.daemon ? 'exits' : 'stops lending'
    const unfinished = `${view.held} task${view.held === 1 ? '' : 's'}`
    const text =
      view.held === 0
        ? `The agent has no unfinished tasks and ${then} now.`
        : `The agent finishes ${unfinished}, accepts no new ones, then ${then}.`
    return { value: view, lines: [text] }
  },

  async leave(agent, args) {
    refuseArguments('agent leave', args)
    const { studio_name } = await agent.status({})
    const line = studio_name === '' ? 'This machine belongs to no studio.' : `This machine no longer belongs to ${studio_name}.`
    return { value: await agent.leave({}), lines: [line] }
  },

  async keys(agent, [word, ...rest], _values, terminal) {
    if (word === 'add') return addKey(agent, rest.join(' '), terminal)
    if (word === 'revoke') return revokeKey(agent, rest)
    if (word !== undefined) throw unknownVerb('agent keys', word, ['add', 'revoke'])
    return listKeys(agent, clock.now() / 1000)
  },

  async listen(agent, args, values) {
    const request = listenRequest(args, values)
    // A fixed setting cannot be chosen again; nothing is to be done if it already has this effect.
    const before = await agent.inbound({})
    const asked = values.bind !== undefined || values.port !== undefined
    const view = before.running && request.enabled && !asked ? before : await agent.listen(request)
    const lines = listeningLines(view, clock.now() / 1000)
    if (view.running && view.exposed) lines.push(EXPOSED_WARNING)
    if (view.running && view.keys.every(({ revoked }) => revoked))
      lines.push(`No connection string exists yet. Create one in another terminal with ${AGENT_COMMAND} keys add NAME.`)
    return { value: view, lines }
  },
}

const SPACE_USAGE = 'agent space takes a number of gigabytes, auto or clear.'
const MAX_GB = 1_000_000
const FILES_USAGE = 'agent files takes a number of gigabytes, or off.'
function bytesOf(word: string, usage = SPACE_USAGE): number {
  const gigabytes = /^\d{1,7}(?:\.\d{1,9})?$/.test(word) ? Number(word) : Number.NaN
  if (!(gigabytes <= MAX_GB)) throw new Misuse(usage)
  return Math.round(gigabytes * 1e9)
}

function listenRequest(args: readonly string[], { bind = '', port, off = false }: Values) {
  refuseArguments('agent listen', args)
  const number = port === undefined ? 0 : Number(port)
  if (!Number.isInteger(number) || number < 0 || number > 65_535 || port === '0') throw new Misuse('--port takes a number from 1 to 65535.')
  return { enabled: !off, bind, port: number }
}

async function answers(agent: AgentControl): Promise<boolean> {
  try {
    await agent.status({})
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Only a socket without a listener has a cause. An agent that is still starting reports NOT_READY without one. */
const isAbsent = (error: unknown): boolean => error instanceof Failure && error.code === 'NOT_READY' && error.cause !== undefined
