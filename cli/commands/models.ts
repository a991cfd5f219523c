// `models`: what can be installed, what is, and installing it with a bar that shows how far it is.
import { createInterface } from 'node:readline'
import { createInterface as createDialogue } from 'node:readline/promises'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { Misuse, parse, type Run, type Terminal } from '../lib/command.ts'
import { askStudio, callStudio, refusalIn } from '../lib/studio-api.ts'
import { barLine, ModelsAnswer, modelLines, shortBytes } from '../views/model-views.ts'

const OPTIONS = { json: { type: 'boolean' }, 'accept-licence': { type: 'boolean' } } as const
const Event = z.looseObject({ phase: z.string(), repo_id: z.string().optional() })
type Event = z.output<typeof Event>
const ENDS = ['install_done', 'install_error', 'install_cancelled']

export const run: Run = async (args, terminal) => {
  const { values, positionals } = parse(args, OPTIONS)
  const [verb, id, ...rest] = positionals
  if (verb === undefined) return list(values.json === true, terminal)
  if (verb !== 'install' && verb !== 'remove') throw new Misuse(`models can install and remove; '${verb}' is neither`)
  if (id === undefined || rest.length > 0) throw new Misuse(`say which model: models ${verb} ID`)
  if (verb === 'install') {
    const accepting = values['accept-licence'] === true || (await accepted(id, terminal))
    return install(id, accepting, values.json === true, terminal)
  }
  const answer = z.object({ freed_bytes: z.number() }).parse(await askStudio(terminal.env, 'DELETE', `/models/${encodeURIComponent(id)}`))
  terminal.output.write(
    values.json ? `${JSON.stringify(answer)}\n` : `${id} is removed; ${shortBytes(answer.freed_bytes)} are free again.\n`,
  )
  return 0
}

async function list(json: boolean, { env, output }: Terminal): Promise<number> {
  const answer = await askStudio(env, 'GET', '/models')
  output.write(json ? `${JSON.stringify(answer, null, 2)}\n` : `${modelLines(ModelsAnswer.parse(answer)).join('\n')}\n`)
  return 0
}

/** Asks where somebody is there to answer; elsewhere the studio refuses and says how. */
async function accepted(id: string, { env, input, output }: Terminal): Promise<boolean> {
  if (!input.isTTY) return false
  const { models } = ModelsAnswer.parse(await askStudio(env, 'GET', '/models'))
  const model = models.find(({ repo_id }) => repo_id === id)
  if (!model?.gated || model.licence_accepted) return false
  const lines = createDialogue({ input, output })
  const question = `${id} is under ${model.licence}, which restricts its use. ${model.note ?? ''}\nDo you accept that licence? [y/N] `
  const answer = await lines.question(question).finally(() => lines.close())
  return /^y(es)?$/i.test(answer.trim())
}

async function install(id: string, accepting: boolean, json: boolean, terminal: Terminal): Promise<number> {
  const { env, output } = terminal
  const signal = terminal.interrupted()
  const hangUp = new AbortController()
  // Listening begins before the installation does, so that nothing of it is missed.
  const stream = await callStudio(env, { method: 'GET', path: '/setup/download-stream', signal: hangUp.signal })
  if (stream.statusCode !== 200) throw await refusalIn(stream)
  stream.on('error', () => {}) // told below: the events end
  const onInterrupt = () => {
    askStudio(env, 'POST', '/models/install/cancel', { repo_id: id }).catch(() => hangUp.abort())
  }
  try {
    const events = eventsOf(stream)[Symbol.asyncIterator]()
    await events.next() // the stream is open
    const Started = z.object({ status: z.string(), target: z.string().default('local') })
    const { status, target } = Started.parse(
      await askStudio(env, 'POST', '/models/install', { repo_id: id, ...(accepting && { accept_licence: true }) }),
    )
    if (status === 'already_running' && !json) output.write(`${id} is being fetched already.\n`)
    signal.addEventListener('abort', onInterrupt, { once: true })
    if (signal.aborted) onInterrupt()
    const show = output.isTTY === true && !json ? createBar(terminal) : createLines(terminal, json)
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value
      if (event === null || event.repo_id !== id || (event['target'] ?? 'local') !== target) continue
      show(event)
      if (ENDS.includes(event.phase)) return endOf(id, event, json, terminal)
    }
    throw new Failure('NOT_READY', 'the studio is gone; what was fetched stays, so try again')
  } finally {
    signal.removeEventListener('abort', onInterrupt)
    hangUp.abort()
  }
}

function endOf(id: string, event: Event, json: boolean, { output }: Terminal): number {
  if (event.phase === 'install_error') throw new Failure('BAD_REQUEST', `${id} was not installed: ${String(event['error'])}`)
  if (!json)
    output.write(
      event.phase === 'install_done' ? `${id} is installed.\n` : `${id} was not installed; what was fetched stays for the next try.\n`,
    )
  return event.phase === 'install_done' ? 0 : 1
}

/** null for a comment: it says that the stream is open. */
async function* eventsOf(stream: NodeJS.ReadableStream): AsyncGenerator<Event | null> {
  const lines = createInterface({ input: stream })
  lines.on('error', () => {}) // the end of the events says the same
  for await (const line of lines) {
    if (line.startsWith(':')) yield null
    else if (line.startsWith('data: ')) yield Event.parse(JSON.parse(line.slice('data: '.length)))
  }
}

/** One line that is written over and over. */
function createBar({ output }: Terminal): (event: Event) => void {
  return (event) => {
    const columns = (output as { columns?: number }).columns ?? 80
    if (event.phase === 'aggregate') output.write(`\r\x1b[K${barLine(event, columns)}`)
    else if (event.phase === 'install_retry') output.write(`\r\x1b[K${retryLine(event)}\n`)
    else if (ENDS.includes(event.phase)) output.write('\r\x1b[K')
  }
}

/** For a file or a pipe: a line for each step and each tenth of the whole. */
function createLines({ output }: Terminal, json: boolean): (event: Event) => void {
  let told = -1
  return (event) => {
    if (json) return void output.write(`${JSON.stringify(event)}\n`)
    if (event.phase === 'install_retry') output.write(`${retryLine(event)}\n`)
    if (event.phase === 'install_plan')
      output.write(`${String(event['n_files'])} files, ${shortBytes(Number(event['to_download_bytes']))} to fetch\n`)
    if (event.phase !== 'aggregate') return
    const tenth = Math.floor((Number(event['bytes_done']) / Math.max(1, Number(event['total_bytes']))) * 10)
    if (tenth <= told) return
    told = tenth
    output.write(`${barLine(event, 0)}\n`)
  }
}

const retryLine = (event: Event) => `try ${String(event['attempt'])} failed: ${String(event['error'])}; trying again`
