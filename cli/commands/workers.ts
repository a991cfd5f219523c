// `workers`: lists the machines of the running studio, changes their state, chooses where tasks run, and shows the logs of machines.

import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  type CommandRun,
  type Environment,
  Misuse,
  type Outcome,
  parseArguments,
  print,
  refuseArguments,
  type Terminal,
  unknownVerb,
} from '#cli/lib/command.ts'
import { findMachine, machineNamed, readMachines } from '#cli/lib/names/machines.ts'
import { confirmed, consented } from '#cli/lib/questions.ts'
import { secretArgument } from '#cli/lib/secret-argument.ts'
import { failureFrom, request, requestJson, responseLines } from '#cli/lib/studio/api.ts'
import { logLine } from '#cli/views/log-line.ts'
import { PoolAnswer, poolLines, termLines } from '#cli/views/pool/pool-lines.ts'
import { printable } from '#cli/views/table.ts'
import { FleetAnswer, remedyOf, TargetAnswer, type WorkerRow, workerLines } from '#cli/views/worker-views.ts'
import { lendingContracts } from '#control-plane/features/machines/lending/lending.contract.ts'
import { logsContracts } from '#control-plane/features/machines/workers/logs.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const OPTIONS = { json: { type: 'boolean' }, last: { type: 'string' }, follow: { type: 'boolean' }, yes: { type: 'boolean' } } as const
const LogLines = logsContracts.readLogs.reply
const Connection = lendingContracts.connect.reply.shape.connections.element.pick({ endpoint: true, connected: true, last_error: true })
const Connected = z.object({ endpoint: z.string() })
const Endpoints = z.object({
  endpoints: z.array(z.string()),
  own: z.string(),
  behind: z.array(z.object({ id: z.string(), name: z.string() })),
})
/** The word for no named address. */
const OWN_ADDRESS = 'own'
const Connections = z.object({ connections: z.array(Connection) })
/** Milliseconds until the first answer of a machine that is dialled. */
const ANSWER_MS = 5_000
const POLL_MS = 200

type Change = { readonly method: string; readonly path: string; readonly body?: unknown; readonly done: (row: WorkerRow) => string }
/** The requests about one machine, by verb. `done` describes the machine as it was before the request. */
const CHANGES: Readonly<Record<string, Change>> = {
  approve: {
    method: 'POST',
    path: '/consent',
    done: ({ label }) =>
      `Approved ${label}. The studio may now send it text and audio. To run tasks on it: ${COMMAND} workers use ${quoted(label)}`,
  },
  withdraw: {
    method: 'DELETE',
    path: '/consent',
    done: ({ label, connected }) =>
      `Withdrew the approval of ${label}. The studio sends it nothing. ${connected ? 'It deleted its copies.' : 'It deletes its copies when it connects again.'}`,
  },
  remove: { method: 'DELETE', path: '', done: ({ label }) => `Removed ${label}. It needs a new join code to connect again.` },
  drain: {
    method: 'POST',
    path: '/drain',
    body: { drain: true },
    done: ({ label }) =>
      `Draining ${label}: it finishes its tasks and gets no new ones. To end this: ${COMMAND} workers resume ${quoted(label)}`,
  },
}
const VERBS = ['show', 'on', 'off', 'use', 'connect', 'address', ...Object.keys(CHANGES), 'resume', 'logs']

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
  if (verb === 'show') {
    print(await show(machineIn(verb, positionals), terminal), values.json, terminal.output)
    return 0
  }
  print(await outcomeOf(verb, positionals, values.yes, terminal), values.json, terminal.output)
  return 0
}

async function outcomeOf(verb: string, positionals: readonly string[], yes: boolean | undefined, terminal: Terminal): Promise<Outcome> {
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
  if (verb === 'address') return address(positionals.slice(1), terminal)
  const name = machineIn(verb, positionals)
  if (verb === 'use') return use(name, terminal)
  if (verb === 'approve') return approve(name, yes, terminal)
  return verb === 'resume' ? resume(name, terminal) : change(verb, name, yes, terminal)
}

function machineIn(verb: string, [, name, ...more]: readonly string[]): string {
  if (more.length > 0) throw new Misuse('Name one machine only. Put a name with spaces in quotes.')
  if (name === undefined) throw new Misuse(`Name one machine: workers ${verb} NAME. List them with ${COMMAND} workers.`)
  return name
}

async function otherMachine(verb: string, name: string, { env }: Terminal): Promise<WorkerRow> {
  const worker = await machineNamed(env, name)
  if (worker.is_local) throw new Failure('BAD_REQUEST', `Local is this machine. workers ${verb} applies to other machines only.`)
  return worker
}

async function change(verb: string, name: string, yes: boolean | undefined, terminal: Terminal): Promise<Outcome> {
  const worker = await otherMachine(verb, name, terminal)
  if (verb === 'remove')
    await confirmed(`This removes ${printable(worker.label)} for good: it needs a new join code to connect again.`, yes, terminal)
  const { method, path, body, done } = CHANGES[verb]!
  return { value: await requestJson(terminal.env, method, `${pathOf(worker)}${path}`, body), lines: [done(worker)] }
}

/** Asks before the approval of a pool, which names what its operator declares; a machine declares nothing. */
async function approve(name: string, yes: boolean | undefined, terminal: Terminal): Promise<Outcome> {
  const worker = await otherMachine('approve', name, terminal)
  const { pool } = worker
  if (pool !== null) {
    const question = [`${printable(worker.label)} is a pool. Its operator declares:`, ...termLines(pool).map((line) => `  ${line}`)]
    await consented(
      [...question, 'The studio cannot check this. It will send the pool texts, samples and sound.'].join('\n'),
      yes,
      terminal,
    )
  }
  const value = await requestJson(terminal.env, 'POST', `${pathOf(worker)}/consent?terms=${pool?.terms ?? ''}`)
  return { value, lines: [CHANGES['approve']!.done(worker)] }
}

async function show(name: string, { env }: Terminal): Promise<Outcome> {
  const { rows, fleet, targets } = await readMachines(env)
  const row = findMachine(rows, name)
  const { pool } = row
  if (pool === null)
    return { value: row, lines: workerLines([row], { target: targets.target, isOn: fleet.running, now: Date.now() / 1000 }) }
  const view = PoolAnswer.parse(await requestJson(env, 'GET', `${pathOf(row)}/pool`))
  return { value: { ...row, ...view }, lines: poolLines({ ...row, pool }, view) }
}

/** Ends a drain and the pause after failures, and says what has become of the machine: something else may keep tasks away from it. */
async function resume(name: string, terminal: Terminal): Promise<Outcome> {
  const worker = await otherMachine('resume', name, terminal)
  const value = await requestJson(terminal.env, 'POST', `${pathOf(worker)}/resume`)
  await requestJson(terminal.env, 'POST', `${pathOf(worker)}/drain`, { drain: false })
  const now = await machineNamed(terminal.env, worker.id)
  const state = now.available
    ? 'It gets tasks again.'
    : `It still gets none, because it is ${now.detail}. ${remedyOf(now, quoted(now.label))}`
  return { value, lines: [`Resumed ${now.label}. ${state}`.trim()] }
}

async function setEnabled(enabled: boolean, { env }: Terminal): Promise<Outcome> {
  const value = await requestJson(env, 'POST', '/workers/enabled', { enabled })
  const { endpoint } = FleetAnswer.parse(value)
  const on = `Remote machines are on. ${endpoint ? `They connect to ${endpoint}. ` : ''}To invite one: ${COMMAND} invite`
  return { value, lines: [enabled ? on : 'Remote machines are off. Connected machines were disconnected.'] }
}

async function connect(text: string, { env, interrupted }: Terminal): Promise<Outcome> {
  const value = await requestJson(env, 'POST', '/workers/inbound/connections', { connection_string: text })
  const { endpoint } = Connected.parse(value)
  const approval = `needs your approval: ${COMMAND} workers approve NAME. List it with ${COMMAND} workers.`
  const state = await firstAnswer(env, endpoint, interrupted())
  if (state?.connected) return { value, lines: [`Connected to the machine at ${endpoint}. It ${approval}`] }
  const why = state?.last_error ? ` The last attempt failed: ${state.last_error}` : ''
  return {
    value,
    lines: [`The machine at ${endpoint} has not answered yet.${why} The studio keeps trying. When it answers, it ${approval}`],
  }
}

/** The state of a connection once it is made or has failed, or after ANSWER_MS. */
async function firstAnswer(env: Environment, endpoint: string, signal: AbortSignal) {
  const until = performance.now() + ANSWER_MS
  for (;;) {
    const { connections } = Connections.parse(await requestJson(env, 'GET', '/workers/inbound'))
    const found = connections.find((one) => one.endpoint === endpoint)
    if (!found || found.connected || found.last_error !== '' || performance.now() > until) return found
    await pause(POLL_MS, undefined, { signal })
  }
}

/** Shows the addresses of the studio for machines, or names them. `own` stands for the address of this machine, without a name. */
async function address(named: readonly string[], { env }: Terminal): Promise<Outcome> {
  const endpoints = named.length === 1 && named[0] === OWN_ADDRESS ? [] : named
  const value =
    named.length === 0
      ? await requestJson(env, 'GET', '/workers/endpoints')
      : await requestJson(env, 'PUT', '/workers/endpoints', { endpoints })
  const { endpoints: now, own, behind } = Endpoints.parse(value)
  if (now.length === 0) return { value, lines: [`Machines reach this studio at ${own}. No other address is named.`] }
  const waiting = behind.map(({ id, name }) => `  ${id}  ${name}`)
  return {
    value,
    lines: [
      `Machines reach this studio at ${now.join(', then ')}.`,
      ...(waiting.length > 0
        ? ['Not received yet:', ...waiting, 'They receive them when they connect.']
        : ['All machines have received them.']),
    ],
  }
}

const REMOTE_WORK = 'Speech, dubs, audiobooks and dictation'
async function use(name: string, terminal: Terminal): Promise<Outcome> {
  const { rows } = await read(terminal)
  const worker = name === 'auto' ? null : findMachine(rows, name)
  // Also if this machine seems chosen: it stands for a chosen machine that was removed.
  const value = await requestJson(terminal.env, 'POST', '/workers/target', { target: worker?.id ?? 'auto' })
  const { active } = TargetAnswer.parse(value)
  if (worker?.is_local) return { value, lines: ['Tasks now run on this machine.'] }
  const chosen = worker ? worker.label : 'the fastest machine that is ready'
  if (active.remote) return { value, lines: [`${REMOTE_WORK} now run on ${chosen}. Other work runs on this machine.`] }
  const { fleet, rows: now } = await read(terminal)
  const row = worker && findMachine(now, worker.id)
  const why = !fleet.running ? `remote machines are off` : `it is ${row?.detail}`
  const remedy = !fleet.running ? `Turn them on with ${COMMAND} workers on.` : row ? remedyOf(row, quoted(row.label)) : ''
  const subject = worker ? worker.label : 'Automatic'
  return { value, lines: [`${subject} is chosen, but ${why}, so tasks run on this machine until that changes. ${remedy}`.trim()] }
}

const pathOf = ({ id }: WorkerRow): string => `/workers/${encodeURIComponent(id)}`
const quoted = (name: string): string => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`)

const read = ({ env }: Terminal) => readMachines(env)

async function list(json: boolean, terminal: Terminal): Promise<number> {
  const { targets, fleet, rows } = await read(terminal)
  if (json) {
    const { running, queue_depth } = fleet
    terminal.output.write(`${JSON.stringify({ running, queue_depth, target: targets.target, workers: rows }, null, 2)}\n`)
    return 0
  }
  const lines = workerLines(rows, { target: targets.target, isOn: fleet.running, now: Date.now() / 1000 })
  const target = targets.target === 'auto' ? 'Automatic (fastest)' : (rows.find(({ id }) => id === targets.target)?.label ?? targets.target)
  lines.push('', `Runs on: ${target}`, `Waiting tasks: ${fleet.queue_depth}`)
  if (fleet.running)
    lines.push('Remote machines: on', ...(rows.length > 1 ? [] : [`No other machine has joined. Invite one with ${COMMAND} invite.`]))
  else if (fleet.startup_error) lines.push(`Remote machines: error: ${fleet.startup_error}`)
  else lines.push(`Remote machines: off. Turn them on with ${COMMAND} workers on.`)
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
    const lines = LogLines.parse(await requestJson(terminal.env, 'GET', `${path}?last=${options.last}`))
    print({ value: lines, lines: lines.map(logLine) }, options.json, terminal.output)
    return 0
  }
  terminal.stream?.()
  const signal = terminal.interrupted()
  const response = await request(terminal.env, { method: 'GET', path: `${path}/stream?last=${options.last}`, signal })
  if (response.statusCode !== 200) throw await failureFrom(terminal.env, response)
  for await (const text of responseLines(response)) if (text !== '') show(LogLines.element.parse(JSON.parse(text)))
  if (!signal.aborted) throw new Failure('WORKER_DISCONNECTED', `${worker.label} has disconnected. Its log ends here.`)
  return 0
}
