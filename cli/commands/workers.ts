// `workers`: lists the machines of the running studio, changes their state, chooses where tasks run, and shows the logs of machines.
import type { z } from 'zod'
import { logsContracts } from '#control-plane/areas/workers/logs.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import {
  type CommandRun,
  Misuse,
  type Outcome,
  parseArguments,
  print,
  refuseArguments,
  type Terminal,
  unknownVerb,
} from '../lib/command.ts'
import { findMachine, readMachines } from '../lib/names/machines.ts'
import { secretArgument } from '../lib/secret-argument.ts'
import { failureFrom, request, requestJson, responseLines } from '../lib/studio-api.ts'
import { logLine } from '../views/log-line.ts'
import { FleetAnswer, type WorkerRow, workerLines } from '../views/worker-views.ts'

const OPTIONS = { json: { type: 'boolean' }, last: { type: 'string' }, follow: { type: 'boolean' } } as const
const LogLines = logsContracts.readLogs.reply

type Change = { readonly method: string; readonly path: string; readonly body?: unknown; readonly done: (name: string) => string }
/** The requests about one machine, by verb. */
const CHANGES: Readonly<Record<string, Change>> = {
  approve: {
    method: 'POST',
    path: '/consent',
    done: (name) => `Approved ${name}. The studio may now send it text and audio. To run tasks on it: ./studio workers use ${quoted(name)}`,
  },
  withdraw: {
    method: 'DELETE',
    path: '/consent',
    done: (name) => `Withdrew the approval of ${name}. The studio sends it nothing, and its copies were deleted.`,
  },
  remove: { method: 'DELETE', path: '', done: (name) => `Removed ${name}. It needs a new join code to connect again.` },
  drain: {
    method: 'POST',
    path: '/drain',
    body: { drain: true },
    done: (name) => `Draining ${name}: it finishes its tasks and gets no new ones. To end this: ./studio workers resume ${quoted(name)}`,
  },
  resume: { method: 'POST', path: '/resume', done: (name) => `Resumed ${name}. It gets tasks again.` },
}
const VERBS = ['on', 'off', 'use', 'connect', ...Object.keys(CHANGES), 'logs']

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb] = positionals
  if (verb !== 'logs' && (values.last !== undefined || values.follow)) throw new Misuse('--last and --follow are options of workers logs.')
  if (verb === undefined) return list(values.json === true, terminal)
  if (!VERBS.includes(verb)) throw unknownVerb('workers', verb, VERBS)
  if (verb === 'logs') {
    const worker = findMachine((await read(terminal)).rows, machineIn(verb, positionals))
    return logs(worker, { last: lineCount(values.last), follow: values.follow === true, json: values.json === true }, terminal)
  }
  print(await outcomeOf(verb, positionals, terminal), values.json, terminal.output)
  return 0
}

async function outcomeOf(verb: string, positionals: readonly string[], terminal: Terminal): Promise<Outcome> {
  if (verb === 'on' || verb === 'off') {
    refuseArguments(`workers ${verb}`, positionals.slice(1))
    return setEnabled(verb === 'on', terminal)
  }
  if (verb === 'connect') {
    const [, text, ...more] = positionals
    if (text === undefined || more.length > 0)
      throw new Misuse('workers connect takes one connection string, or - to read it from standard input.')
    return connect(await secretArgument(text, 'connection string', terminal), terminal)
  }
  const name = machineIn(verb, positionals)
  return verb === 'use' ? use(name, terminal) : change(verb, name, terminal)
}

function machineIn(verb: string, [, name, ...more]: readonly string[]): string {
  if (more.length > 0) throw new Misuse('Name one machine only. Put a name with spaces in quotes.')
  if (name === undefined) throw new Misuse(`Name one machine: workers ${verb} NAME. List them with ./studio workers.`)
  return name
}

async function change(verb: string, name: string, terminal: Terminal): Promise<Outcome> {
  const worker = findMachine((await read(terminal)).rows, name)
  if (worker.is_local) throw new Failure('BAD_REQUEST', `Local is this machine. workers ${verb} applies to other machines only.`)
  const { method, path, body, done } = CHANGES[verb]!
  const value = await requestJson(terminal.env, method, `/workers/${encodeURIComponent(worker.id)}${path}`, body)
  return { value, lines: [done(worker.label)] }
}

async function setEnabled(enabled: boolean, { env }: Terminal): Promise<Outcome> {
  const value = await requestJson(env, 'POST', '/workers/enabled', { enabled })
  const { endpoint } = FleetAnswer.parse(value)
  const on = `Remote machines are on${endpoint ? `, reachable at ${endpoint}` : ''}. To invite one: ./studio invite`
  return { value, lines: [enabled ? on : 'Remote machines are off. Connected machines were disconnected.'] }
}

async function connect(text: string, { env }: Terminal): Promise<Outcome> {
  const value = await requestJson(env, 'POST', '/workers/inbound/connections', { connection_string: text })
  return { value, lines: ['Connecting. The machine appears in ./studio workers and then needs your approval.'] }
}

async function use(name: string, terminal: Terminal): Promise<Outcome> {
  const { rows, targets } = await read(terminal)
  const worker = name === 'auto' ? null : findMachine(rows, name)
  const target = worker?.id ?? 'auto'
  const value = target === targets.target ? targets : await requestJson(terminal.env, 'POST', '/workers/target', { target })
  if (!worker) return { value, lines: ['Tasks now run on the fastest machine that is ready.'] }
  const why =
    worker.detail === 'not approved'
      ? `It gets none before you approve it: ./studio workers approve ${quoted(name)}`
      : `It is ${worker.state} now, so tasks wait until it is ready.`
  const away = worker.available ? '' : ` ${why}`
  return { value, lines: [`Tasks now run on ${worker.is_local ? 'this machine' : worker.label}.${away}`] }
}

const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`)

const read = ({ env }: Terminal) => readMachines(env)

async function list(json: boolean, terminal: Terminal): Promise<number> {
  const { targets, fleet, rows } = await read(terminal)
  if (json) {
    const { running, queue_depth } = fleet
    terminal.output.write(`${JSON.stringify({ running, queue_depth, target: targets.target, workers: rows }, null, 2)}\n`)
    return 0
  }
  const lines = workerLines(rows, targets.target, Date.now() / 1000)
  const target = targets.target === 'auto' ? 'Automatic (fastest)' : (rows.find(({ id }) => id === targets.target)?.label ?? targets.target)
  lines.push('', `Runs on: ${target}`, `Waiting tasks: ${fleet.queue_depth}`)
  if (fleet.running)
    lines.push('Remote machines: on', ...(rows.length > 1 ? [] : [`No other machine has joined. Invite one with ./studio invite.`]))
  else if (fleet.startup_error) lines.push(`Remote machines: error: ${fleet.startup_error}`)
  else lines.push('Remote machines: off. Turn them on with ./studio workers on.')
  terminal.output.write(`${lines.join('\n')}\n`)
  return 0
}

function lineCount(text = '50'): number {
  const count = Number(text)
  if (!(Number.isInteger(count) && count >= 1 && count <= 1000)) throw new Misuse('--last takes a number from 1 to 1000.')
  return count
}

async function logs(worker: WorkerRow, options: { last: number; follow: boolean; json: boolean }, terminal: Terminal): Promise<number> {
  const path = `/workers/${encodeURIComponent(worker.id)}/logs`
  const show = (line: z.output<typeof LogLines>[number]) =>
    void terminal.output.write(`${options.json ? JSON.stringify(line) : logLine(line)}\n`)
  if (!options.follow) {
    for (const line of LogLines.parse(await requestJson(terminal.env, 'GET', `${path}?last=${options.last}`))) show(line)
    return 0
  }
  const signal = terminal.interrupted()
  const response = await request(terminal.env, { method: 'GET', path: `${path}/stream?last=${options.last}`, signal })
  if (response.statusCode !== 200) throw await failureFrom(terminal.env, response)
  for await (const text of responseLines(response)) if (text !== '') show(LogLines.element.parse(JSON.parse(text)))
  if (!signal.aborted) throw new Failure('WORKER_DISCONNECTED', `${worker.label} has disconnected. Its log ends here.`)
  return 0
}
