// `models`: lists, installs, adds, verifies and removes models. Installation shows a progress bar on a terminal and progress lines in a pipe.
import { createInterface as createDialogue } from 'node:readline/promises'
import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { z } from 'zod'
import { type CommandRun, canAsk, Misuse, parseArguments, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { offerAsDefault } from '#cli/lib/engine-choice.ts'
import { machineNamed } from '#cli/lib/names/machines.ts'
import { modelToInstall, modelToRemove, modelToVerify } from '#cli/lib/names/model-names.ts'
import { confirmed } from '#cli/lib/questions.ts'
import { failureFrom, request, requestJson, responseLines } from '#cli/lib/studio/api.ts'
import { isBack, MOST_RESTARTS } from '#cli/lib/studio/restart.ts'
import { barLine, type ListedModel, ModelsAnswer, modelLines } from '#cli/views/model-views.ts'
import { verifyLines } from '#cli/views/verify-view.ts'
import { modelsContracts } from '#control-plane/features/machines/models/models.contract.ts'
import { VerifyReply } from '#control-plane/features/machines/models/verify/verify.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { cleanLines } from '#shared/protocol/fields/clean-text.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  'accept-licence': { type: 'boolean' },
  worker: { type: 'string' },
  engine: { type: 'string' },
  name: { type: 'string' },
  found: { type: 'string' },
} as const
const Advice = z.object({ models: z.array(z.object({ repo_id: z.string() })) })
/** This machine, as a target. */
const LOCAL = 'local'
const VERBS = ['install', 'add', 'found', 'verify', 'remove']
const OF_A_MACHINE = ['add', 'verify', 'remove']
const ADDING = ['engine', 'name', 'found'] as const
const Event = z.looseObject({ phase: z.string(), repo_id: z.string().optional() })
type Event = z.output<typeof Event>
const FINAL_PHASES = ['install_done', 'install_error', 'install_cancelled']

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, name, ...rest] = positionals
  if (verb === undefined) return list(values.json === true, terminal)
  if (!VERBS.includes(verb)) throw unknownVerb('models', verb, VERBS)
  if (!OF_A_MACHINE.includes(verb) && values.worker !== undefined)
    throw new Misuse('--worker is an option of models add, models verify and models remove.')
  const misplaced = ADDING.find((option) => values[option] !== undefined && verb !== 'add')
  if (misplaced) throw new Misuse(`--${misplaced} is an option of models add.`)
  const isJson = values.json === true
  if (verb === 'add' || verb === 'found') {
    const { addModel, listFound } = await import('./model-files.ts')
    if (rest.length > 0 || (verb === 'found' && name !== undefined)) throw new Misuse(`Too many arguments: models ${verb}.`)
    if (verb === 'found') return listFound(isJson, terminal)
    const { name: wanted, engine, found } = values
    const target = await targetOf(values.worker, terminal)
    const check = (id: string) => verify(id, target ?? LOCAL, false, terminal)
    const worker = target === LOCAL ? undefined : values.worker
    return addModel(name, { name: wanted, engine, found, target, worker, json: isJson }, terminal, check)
  }
  if (!name?.trim() || rest.length > 0) throw new Misuse(`Name one model: models ${verb} NAME. List them with ${COMMAND} models.`)
  const target = await targetOf(values.worker, terminal)
  const query = target === undefined ? '' : `?target=${encodeURIComponent(target)}`
  const { models } = ModelsAnswer.parse(await requestJson(terminal.env, 'GET', `/models${query}`))
  if (verb === 'verify') return verify(modelToVerify(models, name), target, isJson, terminal)
  if (verb === 'install') {
    const recommended = Advice.parse(await requestJson(terminal.env, 'GET', '/setup/recommendations')).models.map(({ repo_id }) => repo_id)
    const model = modelToInstall(models, name, recommended)
    const { repo_id: id } = model
    const advice = recommended.includes(id) ? ', recommended for this machine' : ''
    if (id !== name && !values.json) terminal.output.write(`${model.label}: ${id}${advice}\n`)
    const accepting = await accepted(model, values['accept-licence'] === true, terminal)
    const status = await install(id, accepting, values.json === true, terminal)
    if (status === 0 && !values.json) await offerAsDefault(model, terminal)
    return status
  }
  const { repo_id: id } = modelToRemove(
    models.filter(({ size_on_disk_bytes }) => size_on_disk_bytes > 0),
    name,
  )
  const where = values.worker === undefined ? '' : ` on ${values.worker}`
  await confirmed(`This deletes the files of ${id}${where}.`, values.yes, terminal)
  const answer = modelsContracts.remove.reply
    .pick({ freed_bytes: true })
    .parse(await requestJson(terminal.env, 'DELETE', `/models/${encodeURIComponent(id)}${query}`))
  const from = values.worker === undefined ? '' : ` from ${values.worker}`
  terminal.output.write(isJson ? `${JSON.stringify(answer)}\n` : `Removed ${id}${from} and freed ${shortBytes(answer.freed_bytes)}.\n`)
  return 0
}

/** The id of the machine that a person named; undefined if they named none. */
const targetOf = async (worker: string | undefined, { env }: Terminal): Promise<string | undefined> =>
  worker === undefined ? undefined : (await machineNamed(env, worker)).id

async function list(json: boolean, { env, output }: Terminal): Promise<number> {
  const answer = await requestJson(env, 'GET', '/models')
  output.write(json ? `${JSON.stringify(answer, null, 2)}\n` : `${modelLines(ModelsAnswer.parse(answer)).join('\n')}\n`)
  return 0
}

/** Prints the report. The exit status is 1 if a check differs. `target`: the chosen machine by default. */
async function verify(id: string, target: string | undefined, json: boolean, { env, output, interrupted }: Terminal): Promise<number> {
  const body = { repo_id: id, ...(target !== undefined && { target }) }
  // The studio ends the task when the connection closes.
  const response = await request(env, { method: 'POST', path: '/models/verify', body, signal: interrupted() })
  if (response.statusCode !== 200) throw await failureFrom(env, response)
  const report = VerifyReply.parse(JSON.parse(await readText(response)))
  output.write(json ? `${JSON.stringify(report, null, 2)}\n` : `${verifyLines(report).join('\n')}\n`)
  return report.passed ? 0 : 1
}

/**
 * Shows the licence card of a model that has one. Prompts on a terminal only, and throws if the answer is no. Without a terminal, the studio refuses
 * and names the option that accepts the licence.
 */
async function accepted(model: ListedModel, isAccepting: boolean, terminal: Terminal): Promise<boolean> {
  const { env, input, errors, alerts = errors } = terminal
  if (!model.gated || model.licence_accepted) return isAccepting
  // Not among the results, which a program may read.
  if (model.card) alerts.write(`${await cardOf(env, model)}\n`)
  if (isAccepting || !canAsk(terminal)) return isAccepting
  const lines = createDialogue({ input, output: alerts })
  const what = model.card ? '' : `${model.label} is licensed under ${model.licence}, which restricts its use. ${model.note ?? ''}\n`
  const question = `${what}Do you accept this licence? [y/N] `
  const answer = await lines.question(question).finally(() => lines.close())
  if (/^y(es)?$/i.test(answer.trim())) return true
  throw new Failure('FORBIDDEN', `${model.label} was not installed, because its licence was not accepted.`)
}

async function cardOf(env: Terminal['env'], { repo_id, label }: ListedModel): Promise<string> {
  const { card } = modelsContracts.readCard.reply.parse(
    await requestJson(env, 'GET', `/models/card?repo_id=${encodeURIComponent(repo_id)}`),
  )
  const rule = '-'.repeat(72)
  return [`The licence card of ${label}:`, rule, cleanLines(card), rule].join('\n')
}

async function install(id: string, accepting: boolean, json: boolean, terminal: Terminal): Promise<number> {
  const signal = terminal.interrupted()
  // The installation goes on after a restart of the studio: the second request finds it.
  for (let left = MOST_RESTARTS; left >= 0; left--) {
    const status = await followed(id, { accepting, json, isFirst: left === MOST_RESTARTS }, terminal, signal)
    if (status !== null) return status
    if (!(await isBack(terminal.env, signal))) break
  }
  throw new Failure('NOT_READY', 'The studio closed the connection. Downloaded data is kept; run the same command again to continue.')
}

type Followed = { readonly accepting: boolean; readonly json: boolean; readonly isFirst: boolean }
/** The exit status; null if the studio has closed the connection before the end. */
async function followed(
  id: string,
  { accepting, json, isFirst }: Followed,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number | null> {
  const { env, output } = terminal
  const hangUp = new AbortController()
  // The stream is opened before the installation starts, so that no event is missed.
  const stream = await request(env, { method: 'GET', path: '/setup/download-stream', signal: hangUp.signal })
  if (stream.statusCode !== 200) throw await failureFrom(env, stream)
  stream.on('error', () => {}) // reported below, when the events end
  const onInterrupt = () => {
    requestJson(env, 'POST', '/models/install/cancel', { repo_id: id }).catch(() => hangUp.abort())
  }
  try {
    const events = eventsOf(stream)[Symbol.asyncIterator]()
    await events.next() // the opening comment
    const Started = modelsContracts.install.reply.pick({ status: true, target: true })
    const { status, target = 'local' } = Started.parse(
      await requestJson(env, 'POST', '/models/install', { repo_id: id, ...(accepting && { accept_licence: true }) }),
    )
    if (status === 'already_running' && isFirst && !json) output.write(`${id} is already being downloaded.\n`)
    signal.addEventListener('abort', onInterrupt, { once: true })
    if (signal.aborted) onInterrupt()
    const show = output.isTTY === true && !json ? createBar(terminal) : createLines(terminal, json)
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value
      if (event === null || event.repo_id !== id || (event['target'] ?? 'local') !== target) continue
      show(event)
      if (FINAL_PHASES.includes(event.phase)) return exitStatusOf(id, event, json, terminal)
    }
    return null
  } finally {
    signal.removeEventListener('abort', onInterrupt)
    hangUp.abort()
  }
}

function exitStatusOf(id: string, event: Event, json: boolean, { output }: Terminal): number {
  if (event.phase === 'install_error') throw new Failure('BAD_REQUEST', `${id} was not installed: ${String(event['error'])}`)
  const sentence = event.phase === 'install_done' ? `Installed ${id}.` : `Cancelled. Downloaded data of ${id} is kept for the next try.`
  output.write(json ? `${JSON.stringify(event)}\n` : `${sentence}\n`)
  return event.phase === 'install_done' ? 0 : 1
}

/** Yields null for a comment; the studio sends one when the stream is open. */
async function* eventsOf(stream: Readable): AsyncGenerator<Event | null> {
  for await (const line of responseLines(stream)) {
    if (line.startsWith(':')) yield null
    else if (line.startsWith('data: ')) yield Event.parse(JSON.parse(line.slice('data: '.length)))
  }
}

/** Overwrites a single terminal line. */
function createBar({ output }: Terminal): (event: Event) => void {
  return (event) => {
    const columns = (output as { columns?: number }).columns ?? 80
    if (event.phase === 'aggregate') output.write(`\r\x1b[K${barLine(event, columns)}`)
    else if (event.phase === 'install_retry') output.write(`\r\x1b[K${retryLine(event)}\n`)
    else if (FINAL_PHASES.includes(event.phase)) output.write('\r\x1b[K')
  }
}

/** For a file or a pipe: one line for each step and for each tenth of the download. */
function createLines({ output }: Terminal, json: boolean): (event: Event) => void {
  let lastTenth = -1
  return (event) => {
    if (json) return
    if (event.phase === 'install_retry') output.write(`${retryLine(event)}\n`)
    if (event.phase === 'install_plan')
      output.write(`${String(event['n_files'])} files, ${shortBytes(Number(event['to_download_bytes']))} to download\n`)
    if (event.phase !== 'aggregate') return
    const tenth = Math.floor((Number(event['bytes_done']) / Math.max(1, Number(event['total_bytes']))) * 10)
    if (tenth <= lastTenth) return
    lastTenth = tenth
    output.write(`${barLine(event, 0)}\n`)
  }
}

const retryLine = (event: Event) => `Attempt ${String(event['attempt'])} failed, retrying: ${String(event['error'])}`
