// `history`: lists, shows, saves and removes the takes of the running studio.

import { basename, extname, resolve } from 'node:path'
import { z } from 'zod'
import { type CommandRun, Misuse, type Outcome, parseArguments, print, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { refuseUnwritable, save } from '#cli/lib/file-transfer.ts'
import { confirmed } from '#cli/lib/questions.ts'
import { failureFrom, request, requestJson } from '#cli/lib/studio/api.ts'
import { relativeTime } from '#cli/views/relative-time.ts'
import { pairLines, printable, shortDuration, tableLines } from '#cli/views/table.ts'
import { type HistoryRow, historyContracts } from '#control-plane/features/base/library/history.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  last: { type: 'string' },
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const
type Options = ReturnType<typeof parseArguments<typeof OPTIONS>>['values']
const VERBS = ['show', 'save', 'remove']
/** The newest 50, and every starred take. */
const Takes = z.array(historyContracts.listHistory.reply.element).max(100_000)
const LABEL_WIDTH = 10

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, id, ...more] = positionals
  if (verb !== undefined && !VERBS.includes(verb)) throw unknownVerb('history', verb, VERBS)
  if (verb !== undefined && (id === undefined || more.length > 0))
    throw new Misuse(`Name one take: history ${verb} ID. List them with ${COMMAND} history.`)
  const outcome = (): Promise<Outcome> => {
    if (verb === undefined) return list(values.last, terminal)
    if (verb === 'show') return show(id!, terminal)
    return verb === 'save' ? saveTake(id!, values, terminal) : remove(id!, values, terminal)
  }
  print(await outcome(), values.json, terminal.output)
  return 0
}

const readTakes = async ({ env }: Terminal): Promise<HistoryRow[]> => Takes.parse(await requestJson(env, 'GET', '/history'))

async function takeNamed(id: string, terminal: Terminal): Promise<HistoryRow> {
  const take = (await readTakes(terminal)).find((one) => one.id === id)
  if (!take) throw new Failure('NOT_FOUND', `There is no take ${printable(id.slice(0, 64))}. List them with ${COMMAND} history.`)
  return take
}

async function list(last = '20', terminal: Terminal): Promise<Outcome> {
  const count = Number(last)
  if (!(/^\d+$/.test(last) && count >= 1 && count <= 1000)) throw new Misuse('--last takes a number from 1 to 1000.')
  const value = (await readTakes(terminal)).slice(0, count)
  if (value.length === 0) return { value, lines: ['No takes yet. The page of the studio makes them.'] }
  const now = Date.now() / 1000
  const rows = value.map((take) => ({
    cells: [take.id, relativeTime(take.created_at, now), shortDuration(take.duration_seconds), take.voice || '-', take.text],
  }))
  return { value, lines: tableLines(['TAKE', 'MADE', 'LENGTH', 'VOICE', 'TEXT'], rows, [16, 16, 7, 16, 60]) }
}

async function show(id: string, terminal: Terminal): Promise<Outcome> {
  const value = await takeNamed(id, terminal)
  const facts: (readonly [string, string])[] = [
    ['Made', new Date(value.created_at * 1000).toLocaleString('sv')],
    ['Engine', value.engine],
    ['Voice', value.voice],
    ['Language', value.language],
    ['Length', `${shortDuration(value.duration_seconds)}, ${shortBytes(value.size_bytes)}`],
    ['Made in', shortDuration(value.generation_time)],
    ['Seed', String(value.seed)],
    ['Starred', value.starred === 1 ? 'yes' : 'no'],
    ['Notice', value.notice],
    ['Text', value.text],
  ]
  return {
    value,
    lines: pairLines(
      facts.filter(([, text]) => text !== ''),
      LABEL_WIDTH,
    ),
  }
}

async function saveTake(id: string, { output, force = false }: Options, terminal: Terminal): Promise<Outcome> {
  if (output === undefined) throw new Misuse('Name the file: history save ID -o FILE')
  const { env, cwd, interrupted } = terminal
  const path = resolve(cwd, output)
  await refuseUnwritable(path, force)
  const { audio_path: name } = await takeNamed(id, terminal)
  // A file must not claim to be something else.
  const extension = extname(name)
  if (extname(path).toLowerCase() !== extension)
    throw new Failure('BAD_REQUEST', `The take is kept as ${extension}. Give the file a name that ends with ${extension}.`)
  const signal = interrupted()
  const response = await request(env, { method: 'GET', path: `/audio/${encodeURIComponent(name)}`, signal })
  if (response.statusCode !== 200) throw await failureFrom(env, response)
  const bytes = await save(response, path, signal)
  return { value: { id, path, bytes }, lines: [`${printable(basename(path))}, ${shortBytes(bytes)}`] }
}

async function remove(id: string, { yes }: Options, terminal: Terminal): Promise<Outcome> {
  await takeNamed(id, terminal)
  await confirmed(`This deletes take ${printable(id)} and its sound for good.`, yes, terminal)
  historyContracts.removeTake.reply.parse(await requestJson(terminal.env, 'DELETE', `/history/${encodeURIComponent(id)}`))
  return { value: { id, removed: true }, lines: [`Deleted take ${printable(id)}.`] }
}
