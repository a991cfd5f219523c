// `workers`: the machines of the running studio, and what may be done to each.
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { Misuse, parse, type Run, type Terminal } from '../lib/command.ts'
import { askStudio, callStudio, refusalIn } from '../lib/studio-api.ts'
import { logLine } from '../views/log-line.ts'
import { FleetAnswer, Targets, type WorkerRow, workerLines, workerRows } from '../views/worker-views.ts'

const OPTIONS = { json: { type: 'boolean' }, last: { type: 'string' }, follow: { type: 'boolean' } } as const
const LogLines = z.array(z.object({ at: z.number(), level: z.string(), message: z.string(), fields: z.record(z.string(), z.unknown()) }))

type Verb = { readonly method: string; readonly path: string; readonly body?: unknown; readonly done: (name: string) => string }
const VERBS: Readonly<Record<string, Verb>> = {
  approve: { method: 'POST', path: '/consent', done: (name) => `Text and audio may be sent to ${name} from now on.` },
  withdraw: { method: 'DELETE', path: '/consent', done: (name) => `Nothing is sent to ${name} any more; what it held was wiped.` },
  remove: { method: 'DELETE', path: '', done: (name) => `${name} is removed for good; it needs a new join code to come back.` },
  drain: { method: 'POST', path: '/drain', body: { drain: true }, done: (name) => `${name} takes nothing new and finishes what it holds.` },
  resume: { method: 'POST', path: '/resume', done: (name) => `${name} takes work again.` },
}

export const run: Run = async (args, terminal) => {
  const { values, positionals } = parse(args, OPTIONS)
  const [verb, name] = positionals
  if (verb !== 'logs' && (values.last !== undefined || values.follow)) throw new Misuse('--last and --follow belong to workers logs')
  if (positionals.length > 2) throw new Misuse(`one machine at a time; a name with blanks goes in quotes`)
  if (verb === undefined) return list(values.json === true, terminal)
  const act = VERBS[verb]
  if (verb !== 'logs' && !act) throw new Misuse(`workers can ${Object.keys(VERBS).join(', ')} and logs; '${verb}' is none of them`)
  if (name === undefined) throw new Misuse(`say which machine: workers ${verb} NAME`)
  const { rows } = await read(terminal)
  const worker = find(rows, name)
  if (!act) return logs(worker, { last: lineCount(values.last), follow: values.follow === true, json: values.json === true }, terminal)
  if (worker.is_local) throw new Failure('BAD_REQUEST', 'Local is this machine itself; there is nothing to decide about it')
  const answer = await askStudio(terminal.env, act.method, `/workers/${encodeURIComponent(worker.id)}${act.path}`, act.body)
  terminal.output.write(`${values.json ? JSON.stringify(answer, null, 2) : act.done(worker.label)}\n`)
  return 0
}

async function read({ env }: Terminal) {
  const targets = Targets.parse(await askStudio(env, 'GET', '/workers/target'))
  const fleet = FleetAnswer.parse(await askStudio(env, 'GET', '/workers'))
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
  const automatic = targets.target === 'auto' ? ', wherever it is done first' : ''
  lines.push(
    '',
    `Work goes to: ${rows.find(({ id }) => id === targets.target)?.label ?? targets.target}${automatic}. Waiting: ${fleet.queue_depth}.`,
  )
  if (!fleet.running)
    lines.push(fleet.startup_error ? `Other machines cannot join: ${fleet.startup_error}` : 'Other machines are turned off.')
  else if (rows.length === 1) lines.push(`No other machine has joined; they dial ${fleet.endpoint ?? 'this machine'}.`)
  terminal.output.write(`${lines.join('\n')}\n`)
  return 0
}

/** By id, or by name in any case; a name that several have needs the id. */
function find(rows: readonly WorkerRow[], wanted: string): WorkerRow {
  const exact = rows.find(({ id }) => id === wanted)
  if (exact) return exact
  const named = rows.filter(({ label }) => label.toLowerCase() === wanted.toLowerCase())
  if (named.length === 1) return named[0]!
  if (named.length > 1)
    throw new Failure('CONFLICT', `${named.length} machines are called ${wanted}; say which by id: ${named.map(({ id }) => id).join(', ')}`)
  throw new Failure('NOT_FOUND', `no machine is called ${wanted}; there are ${rows.map(({ label }) => label).join(', ')}`)
}

function lineCount(text = '50'): number {
  const count = Number(text)
  if (!(Number.isInteger(count) && count >= 1 && count <= 1000)) throw new Misuse('--last takes a number from 1 to 1000')
  return count
}

async function logs(worker: WorkerRow, wish: { last: number; follow: boolean; json: boolean }, terminal: Terminal): Promise<number> {
  const path = `/workers/${encodeURIComponent(worker.id)}/logs`
  const print = (line: z.output<typeof LogLines>[number]) =>
    void terminal.output.write(`${wish.json ? JSON.stringify(line) : logLine(line)}\n`)
  if (!wish.follow) {
    for (const line of LogLines.parse(await askStudio(terminal.env, 'GET', `${path}?last=${wish.last}`))) print(line)
    return 0
  }
  const signal = terminal.interrupted()
  const response = await callStudio(terminal.env, { method: 'GET', path: `${path}/stream?last=${wish.last}`, signal })
  if (response.statusCode !== 200) throw await refusalIn(response)
  response.on('error', () => {}) // told below: the lines end
  for await (const text of createInterface({ input: response })) if (text !== '') print(LogLines.element.parse(JSON.parse(text)))
  if (!signal.aborted) throw new Failure('WORKER_DISCONNECTED', `${worker.label} is gone; its log ends here`)
  return 0
}
