// `dub`: a film in other languages, in one command. The same command continues what was stopped.
import { basename } from 'node:path'
import { type CommandRun, Misuse, parseArguments, print, refuseArguments, type Terminal } from '#cli/lib/command.ts'
import { createDubCalls, type DubCalls } from '#cli/lib/dub/dub-calls.ts'
import { askStudio, type DubRequest, dubRequest } from '#cli/lib/dub/dub-request.ts'
import { createDubRun, LATE, MISSING, UNTRANSLATED } from '#cli/lib/dub/dub-run.ts'
import { digestOfFilm } from '#cli/lib/dub/film-upload.ts'
import { knownLanguages, nameOfLanguage } from '#cli/lib/dub/languages.ts'
import { type Advice, advice, countedLines, createRemarks } from '#cli/lib/dub/remarks.ts'
import { createStages, type Stages } from '#cli/lib/dub/stages.ts'
import { save } from '#cli/lib/file-transfer.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { pairLines, printable, shortDuration } from '#cli/views/table.ts'
import { modelsContracts } from '#control-plane/features/machines/models/models.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

const OPTIONS = {
  to: { type: 'string', multiple: true },
  from: { type: 'string' },
  voice: { type: 'string' },
  strategy: { type: 'string' },
  subtitles: { type: 'string' },
  speakers: { type: 'string' },
  output: { type: 'string', short: 'o' },
  force: { type: 'boolean' },
  languages: { type: 'boolean' },
  json: { type: 'boolean' },
} as const
const CODE_WIDTH = 3
/** Digits of a digest: enough that no two films of one studio share it. */
const ID_DIGITS = 24

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  if (values.languages) {
    refuseArguments('dub --languages', positionals)
    print(
      {
        value: knownLanguages(),
        lines: pairLines(
          knownLanguages().map(({ code, name }) => [code, name]),
          CODE_WIDTH,
        ),
      },
      values.json,
      terminal.output,
    )
    return 0
  }
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) throw new Misuse('Name one file: dub FILE --to es -o FILM.mp4')
  const asked = await dubRequest(file, values, terminal.cwd)
  const signal = terminal.interrupted()
  const stages = createStages(terminal)
  const { env } = terminal
  const { engines, profile } = await askStudio(env, asked, values.voice, signal)
  const calls = createDubCalls(env, `film-${(await digest(asked, stages, signal)).slice(0, ID_DIGITS)}`)
  const remarks = createRemarks()
  const job = createDubRun({ env, calls, stages, remarks, signal })
  try {
    const known = await job.ready(asked)
    const { lines, source: found } = await job.lines(asked, known)
    const source = asked.source?.code ?? found
    for (const target of asked.targets) await job.speak(lines, await job.translate(lines, source, target), target, profile, asked)
    const files = await receive(calls, asked, stages, signal)
    const models = modelsContracts.list.reply.parse(await requestJson(env, 'GET', '/models')).models
    const stored = known ?? (await calls.stored())
    const targets = asked.targets.map(({ code }) => code)
    const better = advice({ engines, models, source, targets, hasBackground: stored?.has_bg === true })
    const facts = { files, id: calls.id, source, targets, lines: lines.length, seconds: stored?.duration ?? null }
    const counts = { missing: remarks.countOf(MISSING), untranslated: remarks.countOf(UNTRANSLATED), late: remarks.countOf(LATE) }
    report({ ...facts, ...counts, notes: remarks.all(), better }, values.json === true, terminal)
    return 0
  } catch (error) {
    stages.clear()
    if (signal.aborted) await stopped(calls, terminal)
    else if (!(error instanceof Misuse) && Failure.from(error).code === 'NOT_READY')
      terminal.errors.write('What is finished is kept. The same command continues.\n')
    throw error
  }
}

async function digest({ path, size }: DubRequest, stages: Stages, signal: AbortSignal): Promise<string> {
  const stage = stages.begin('Reading the file')
  const found = await digestOfFilm(path, (bytes) => stage.at(bytes / size), signal)
  stages.clear()
  return found
}

async function stopped(calls: DubCalls, { errors }: Terminal): Promise<void> {
  const isCancelled = await calls.abort().then(
    () => true,
    () => false,
  )
  errors.write(isCancelled ? 'Stopped, and cancelled in the studio. ' : 'Stopped. The studio could not be reached, and may go on. ')
  errors.write('What is finished is kept: the same command continues.\n')
}

type SavedFile = { readonly path: string; readonly bytes: number }
async function receive(calls: DubCalls, { outputs, subtitleFiles, subtitles, inputType }: DubRequest, stages: Stages, signal: AbortSignal) {
  const files: SavedFile[] = []
  for (const { path, languages } of outputs) {
    const stage = stages.begin(inputType === 'video' ? 'Film' : 'Recording')
    const [first] = languages
    const query = {
      default_track: first!,
      include_tracks: [...languages, ...(inputType === 'video' ? ['original'] : [])].join(','),
      burn_subs: String(subtitles === 'burn'),
      out_format: path.slice(path.lastIndexOf('.') + 1).toLowerCase(),
    }
    stage.at(null, 'being written')
    const response = await calls.open(calls.download(query), signal)
    const size = Number(response.headers['content-length'] ?? Number.NaN)
    let read = 0
    response.on('data', (piece: Buffer) => {
      read += piece.length
      stage.at(Number.isNaN(size) ? null : read / size)
    })
    const bytes = await save(response, path, signal)
    files.push({ path, bytes })
    stage.end(`${basename(path)}, ${shortBytes(bytes)}`)
  }
  for (const { path, language, format } of subtitleFiles)
    files.push({ path, bytes: await save(await calls.open(calls.subtitles(format, language), signal), path, signal) })
  return files
}

type Result = {
  readonly id: string
  readonly files: readonly SavedFile[]
  readonly source: string
  readonly targets: readonly string[]
  readonly lines: number
  /** Lines of all languages that have no sound, kept the original words, or do not fit. */
  readonly missing: number
  readonly untranslated: number
  readonly late: number
  /** Seconds. */
  readonly seconds: number | null
  readonly notes: readonly string[]
  readonly better: readonly Advice[]
}
function report(result: Result, json: boolean, { output }: Terminal): void {
  if (json) return void output.write(`${JSON.stringify(result)}\n`)
  const { files, source, targets, lines, seconds, notes, better } = result
  const names = files.map(({ path }) => printable(basename(path))).join(', ')
  const languages = `${nameOfLanguage(source)} to ${targets.map(nameOfLanguage).join(', ')}`
  const count = countedLines(lines)
  output.write(`\n${names}: ${languages}, ${count}${seconds === null ? '' : `, ${shortDuration(seconds)}`}\n`)
  const isWhole = result.missing + result.untranslated + result.late === 0
  if (isWhole) output.write('Every line was translated and spoken, and fits.\n')
  const list = (title: string, all: readonly string[]) => {
    if (all.length > 0) output.write(`\n${title}\n${all.join('\n')}\n`)
  }
  list(
    'What to know about this dub:',
    notes.flatMap((note) => pairLines([['-', note]], 0)),
  )
  // A command stays in one line, so that it can be copied.
  list(
    'What would make it better:',
    better.flatMap(({ gain, command }) => [...pairLines([['-', `${gain}:`]], 0), `    ${printable(command)}`]),
  )
}
