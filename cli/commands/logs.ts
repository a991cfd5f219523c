// `logs`: the newest lines of the studio's log, from the running studio or, when none answers, from the file.

import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { type CommandRun, type Environment, Misuse, parseArguments, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { failureFrom, readNow, request, responseLines } from '#cli/lib/studio/api.ts'
import { studioFolder } from '#cli/lib/studio/folder.ts'
import { printable } from '#cli/views/table.ts'
import { systemLogsContracts } from '#control-plane/features/operate/system/logs/system-logs.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { logPath } from '#shared/runtime/log/paths.ts'
import { linesOf } from '#shared/text/lines.ts'

const OPTIONS = { json: { type: 'boolean' }, last: { type: 'string' }, follow: { type: 'boolean' } } as const
const Log = systemLogsContracts.readLog.reply
type LogView = z.output<typeof Log>
const Lines = z.array(z.string())
/** The API returns at least this many lines. */
const LEAST = 10
const POLL_SECONDS = 0.5

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  refuseArguments('logs', positionals)
  const last = lineCount(values.last)
  if (values.follow) terminal.stream?.()
  const log = await readLog(last, terminal)
  const lines = last === 0 ? [] : log.lines.slice(-last)
  if (values.json && !values.follow) terminal.output.write(`${JSON.stringify({ ...log, lines }, null, 2)}\n`)
  else show(lines, values.json === true, terminal)
  return values.follow ? follow(values.json === true, terminal) : 0
}

const show = (lines: readonly string[], json: boolean, { output }: Terminal): void => {
  for (const line of lines) output.write(`${json ? JSON.stringify(line.trimEnd()) : printable(line).trimEnd()}\n`)
}

function lineCount(text = '50'): number {
  const count = Number(text)
  if (!(/^\d+$/.test(text) && count <= 2_000)) throw new Misuse('--last takes a number from 0 to 2000.')
  return count
}

async function readLog(last: number, { env, errors }: Terminal): Promise<LogView> {
  try {
    return Log.parse(await readNow(env, `/system/logs?tail=${Math.max(LEAST, last)}`))
  } catch (error) {
    const path = error instanceof Failure && error.code === 'NOT_READY' ? fileOf(env) : null
    if (path === null) throw error
    errors.write(`studio: ${Failure.from(error).message} These are the last lines of ${path}.\n`)
    const lines = linesOf(readFileSync(path, 'utf8'))
    return { lines, path, exists: true, total_lines: lines.length }
  }
}

/** The log file of the studio of this data folder; null without one. */
function fileOf(env: Environment): string | null {
  const path = logPath(studioFolder(env))
  return existsSync(path) ? path : null
}

async function follow(json: boolean, terminal: Terminal): Promise<number> {
  const signal = terminal.interrupted()
  const response = await request(terminal.env, { method: 'GET', path: `/system/logs/stream?interval=${POLL_SECONDS}`, signal })
  if (response.statusCode !== 200) throw await failureFrom(terminal.env, response)
  for await (const text of responseLines(response))
    if (text.startsWith('data: ')) show(Lines.parse(JSON.parse(text.slice('data: '.length))), json, terminal)
  if (!signal.aborted) throw new Failure('NOT_READY', 'The studio has stopped. Its log ends here.')
  return 0
}
