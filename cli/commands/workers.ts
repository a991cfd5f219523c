// `workers`: lists the machines of the running studio, changes their state and shows their logs.
import { createInterface } from 'node:readline'
import type { z } from 'zod'
import { logsContracts } from '#control-plane/areas/workers/logs.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type CommandRun, Misuse, parseArguments, type Terminal } from '../lib/command.ts'
import { failureFrom, request, requestJson } from '../lib/studio-api.ts'
import { logLine } from '../views/log-line.ts'
import { FleetAnswer, TargetAnswer, type WorkerRow, workerLines, workerRows } from '../views/worker-views.ts'

const OPTIONS = { json: { type: 'boolean' }, last: { type: 'string' }, follow: { type: 'boolean' } } as const
const LogLines = logsContracts.readLogs.reply

type Verb = { readonly method: string; readonly path: string; readonly body?: unknown; readonly done: (name: string) => string }
const VERBS: Readonly<Record<string, Verb>> = {
  approve: { method: 'POST', path: '/consent', done: (name) => `Approved ${name}. The studio may now send it text and audio.` },
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
    done: (name) => `Draining ${name}: it finishes its tasks and gets no new ones.`,
  },
  resume: { method: 'POST', path: '/resume', done: (name) => `Resumed ${name}. It gets tasks again.` },
}

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, name] = positionals
  if (verb !== 'logs' && (values.last !== undefined || values.follow)) throw new Misuse('--last and --follow are options of workers logs.')
  if (positionals.length > 2) throw new Misuse('Name one machine only. Put a name with spaces in quotes.')
  if (verb === undefined) return list(values.json === true, terminal)
  const action = VERBS[verb]
  if (verb !== 'logs' && !action) throw new Misuse(`Unknown workers command '${verb}'. Use ${Object.keys(VERBS).join(', ')} or logs.`)
  if (name === undefined) throw new Misuse(`Name one machine: workers ${verb} NAME`)
  const { rows } = await read(terminal)
  const worker = find(rows, name)
  if (!action) return logs(worker, { last: lineCount(values.last), follow: values.follow === true, json: values.json === true }, terminal)
  if (worker.is_local) throw new Failure('BAD_REQUEST', `Local is this machine. workers ${verb} applies to other machines only.`)
  const answer = await requestJson(terminal.env, action.method, `/workers/${encodeURIComponent(worker.id)}${action.path}`, action.body)
  terminal.output.write(`${values.json ? JSON.stringify(answer, null, 2) : action.done(worker.label)}\n`)
  return 0
}

async function read({ env }: Terminal) {
  const targets = TargetAnswer.parse(await requestJson(env, 'GET', '/workers/target'))
  const fleet = FleetAnswer.parse(await requestJson(env, 'GET', '/workers'))
  return { targets, fleet, rows: workerRows(targets, fleet) }
}

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
  else lines.push(fleet.startup_error ? `Remote machines: error: ${fleet.startup_error}` : 'Remote machines: off')
  terminal.output.write(`${lines.join('\n')}\n`)
  return 0
}

/** By id, or by name in any case. A name that several machines have is refused. */
function find(rows: readonly WorkerRow[], nameOrId: string): WorkerRow {
  const exact = rows.find(({ id }) => id === nameOrId)
  if (exact) return exact
  const named = rows.filter(({ label }) => label.toLowerCase() === nameOrId.toLowerCase())
  if (named.length === 1) return named[0]!
  const ids = named.map(({ id }) => id).join(', ')
  if (named.length > 1)
    throw new Failure('CONFLICT', `${named.length} machines are named ${nameOrId}. Use one of these ids instead: ${ids}`)
  throw new Failure('NOT_FOUND', `There is no machine named ${nameOrId}. The machines are: ${rows.map(({ label }) => label).join(', ')}`)
}

function lineCount(text = '50'): number {
  const count = Number(text)
  if (!(Number.isInteger(count) && count >= 1 && count <= 1000)) throw new Misuse('--last takes a number from 1 to 1000.')
  return count
}

async function logs(worker: WorkerRow, options: { last: number; follow: boolean; json: boolean }, terminal: Terminal): Promise<number> {
  const path = `/workers/${encodeURIComponent(worker.id)}/logs`
  const print = (line: z.output<typeof LogLines>[number]) =>
    void terminal.output.write(`${options.json ? JSON.stringify(line) : logLine(line)}\n`)
  if (!options.follow) {
    for (const line of LogLines.parse(await requestJson(terminal.env, 'GET', `${path}?last=${options.last}`))) print(line)
    return 0
  }
  const signal = terminal.interrupted()
  const response = await request(terminal.env, { method: 'GET', path: `${path}/stream?last=${options.last}`, signal })
  if (response.statusCode !== 200) throw await failureFrom(response)
  response.on('error', () => {}) // reported below, when the lines end
  for await (const text of createInterface({ input: response })) if (text !== '') print(LogLines.element.parse(JSON.parse(text)))
  if (!signal.aborted) throw new Failure('WORKER_DISCONNECTED', `${worker.label} has disconnected. Its log ends here.`)
  return 0
}
