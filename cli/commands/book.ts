// `book`: plans, renders, resumes and lists audiobooks. The rendered file is copied to the folder of the caller.

import { extname, resolve } from 'node:path'
import { chapterPlaces } from '#cli/lib/books/chapter-places.ts'
import { type CommandRun, Misuse, type Outcome, parseArguments, print, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { fileAt } from '#cli/lib/file-transfer.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { printable, shortDuration, tableLines } from '#cli/views/table.ts'
import { bookContracts } from '#control-plane/features/books/book/book.contract.ts'
import { importContracts } from '#control-plane/features/books/import/import.contract.ts'
import { planContracts } from '#control-plane/features/books/plan/plan.contract.ts'
import { LayoutPauses } from '#control-plane/features/books/render/layout.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { receive } from './book-file.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  output: { type: 'string', short: 'o' },
  voice: { type: 'string' },
  engine: { type: 'string' },
  language: { type: 'string' },
  loudness: { type: 'string' },
  bitrate: { type: 'string' },
  cover: { type: 'string' },
  title: { type: 'string' },
  author: { type: 'string' },
  titles: { type: 'boolean' },
  chapters: { type: 'string' },
  pause: { type: 'string', multiple: true },
  force: { type: 'boolean' },
} as const
type Options = ReturnType<typeof parseArguments<typeof OPTIONS>>['values']
const VERBS = ['plan', 'render', 'resume', 'save', 'list']
/** An EPUB has MP3 in it, which needs no ffmpeg. */
const FORMATS: Readonly<Record<string, string>> = { m4b: 'm4b', mp3: 'mp3', epub: 'mp3' }
const LOUDNESS = ['acx', 'podcast']

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, operand, ...more] = positionals
  if (verb === undefined || !VERBS.includes(verb)) throw unknownVerb('book', verb, VERBS)
  if (verb === 'list') {
    if (operand !== undefined) throw new Misuse('book list takes no argument.')
    print(await list(terminal), values.json, terminal.output)
    return 0
  }
  if (operand === undefined || more.length > 0)
    throw new Misuse(
      verb === 'resume' || verb === 'save'
        ? `Name one book: book ${verb} ID -o FILE. List them with ${COMMAND} book list.`
        : `Name one file: book ${verb} FILE`,
    )
  if (verb === 'plan') print(await plan(operand, values, terminal), values.json, terminal.output)
  else if (verb === 'render') await render(operand, values, terminal)
  else await receive(operand, null, values, terminal, verb === 'save')
  return 0
}

/** `listsChapters`: true if the command prints the chapters, with the reasons of those that are switched off. */
async function importBook(file: string, { env, cwd, errors }: Terminal, { listsChapters = false } = {}) {
  const form = new FormData()
  const path = resolve(cwd, file)
  form.set('file', await fileAt(path), `book${extname(path)}`)
  const book = importContracts.importBook.reply.parse(await requestJson(env, 'POST', '/audiobook/import', form))
  for (const notice of book.notices) errors.write(`studio: ${printable(notice)}\n`)
  const isListed = ({ title, why }: { title: string; why: string }) => book.parts.some((part) => part.title === title && part.why === why)
  for (const part of book.skipped) {
    if (listsChapters && isListed(part)) continue
    const [title, why] = [printable(part.title), printable(part.why)]
    errors.write(title === '' ? `studio: ${why}\n` : `studio: Left out: ${title} (${why})\n`)
  }
  return book
}

async function plan(file: string, { voice, language, chapters: chosen }: Options, terminal: Terminal): Promise<Outcome> {
  const book = await importBook(file, terminal, { listsChapters: true })
  const spoken = language ?? book.language
  const body = { text: book.text, ...(voice !== undefined && { default_voice: voice }), ...(spoken && { language: spoken }) }
  const value = planContracts.plan.reply.parse(await requestJson(terminal.env, 'POST', '/audiobook/plan', body))
  const places = chosen === undefined ? null : new Set(chapterPlaces(chosen, value.chapters.length))
  const isSpoken = (included: boolean, at: number) => places?.has(at) ?? included
  const rows = value.chapters.map(({ title, words, minutes, included, spans }, at) => {
    const voices = [...new Set(spans.map(({ voice_id }) => voice_id ?? 'default'))]
    const why = isSpoken(included, at) ? null : book.parts[at]?.why
    return {
      cells: [String(at + 1), isSpoken(included, at) ? 'yes' : 'no', String(words), lengthOf(minutes), voices.join(', '), title || '-'],
      ...(why && { notes: [why] }),
    }
  })
  const kept = value.chapters.filter(({ included }, at) => isSpoken(included, at))
  const sumOf = (field: 'words' | 'minutes') => kept.reduce((sum, chapter) => sum + chapter[field], 0)
  const lines = tableLines(['CHAPTER', 'SPOKEN', 'WORDS', 'LENGTH', 'VOICES', 'TITLE'], rows, [7, 6, 7, 8, 16, 40])
  const total = `${kept.length} of ${counted(value.chapters.length, 'chapter')}, ${counted(sumOf('words'), 'word')}, about ${lengthOf(sumOf('minutes'))}.`
  return { value, lines: value.chapters.length === 0 ? ['The file has no text to read aloud.'] : [...lines, total] }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
const lengthOf = (minutes: number): string => shortDuration(60 * minutes)

async function render(file: string, options: Options, terminal: Terminal): Promise<void> {
  const { voice, engine, language, loudness, bitrate } = options
  const format = formatOf(options)
  const pauses = pausesOf(options.pause ?? [])
  if (loudness !== undefined && !LOUDNESS.includes(loudness)) throw new Misuse(`--loudness is one of ${LOUDNESS.join(', ')}.`)
  const book = await importBook(file, terminal)
  const chapters = options.chapters === undefined ? null : chapterPlaces(options.chapters, book.parts.length)
  const cover = options.cover === undefined ? book.cover : await keepCover(options.cover, terminal)
  const title = options.title ?? book.title
  const author = options.author ?? book.author
  const body = {
    text: book.text,
    format: FORMATS[format],
    ...(format === 'epub' && { readalong: true }),
    metadata: { ...(title !== null && { title }), ...(author !== null && { author }) },
    ...(cover !== null && { cover_path: cover }),
    ...(voice !== undefined && { default_voice: voice }),
    ...(engine !== undefined && { engine }),
    ...((language ?? book.language) && { language: language ?? book.language }),
    ...(loudness !== undefined && { loudness }),
    ...(bitrate !== undefined && { bitrate }),
    ...(options.titles && { speak_titles: true }),
    ...(chapters !== null && { chapters }),
    ...(pauses !== null && { layout_pauses: pauses }),
  }
  await receive('', body, options, terminal)
}

/** Null without any. */
function pausesOf(written: readonly string[]): Readonly<Record<string, number>> | null {
  const pauses = written.map((one) => {
    const [, name = '', ms = ''] = /^([a-z_]{1,20})=(\d{1,6})$/.exec(one.replaceAll('-', '_')) ?? []
    const { success } = LayoutPauses.safeParse({ [name]: Number(ms) })
    if (!success || ms === '')
      throw new Misuse(`--pause is NAME=MILLISECONDS, up to 10000. The names are: ${Object.keys(LayoutPauses.shape).join(', ')}.`)
    return [name, Number(ms)] as const
  })
  return pauses.length === 0 ? null : Object.fromEntries(pauses)
}

function formatOf({ output }: Options): string {
  if (output === undefined) throw new Misuse('Name the file: book render FILE -o BOOK.m4b')
  const format = extname(output).slice(1).toLowerCase()
  if (!Object.hasOwn(FORMATS, format)) throw new Misuse(`The name of the file must end with .${Object.keys(FORMATS).join(', .')}.`)
  return format
}

async function keepCover(file: string, { env, cwd }: Terminal): Promise<string> {
  const form = new FormData()
  form.set('cover', await fileAt(resolve(cwd, file)), `cover${extname(file)}`)
  return importContracts.keepCover.reply.parse(await requestJson(env, 'POST', '/audiobook/cover', form)).path
}

async function list({ env }: Terminal): Promise<Outcome> {
  const interrupted = bookContracts.resumable.reply.parse(await requestJson(env, 'GET', '/audiobook/jobs')).jobs
  const finished = bookContracts.finished.reply.parse(await requestJson(env, 'GET', '/longform/jobs')).jobs
  const now = Date.now() / 1000
  const age = (seconds: number | null) => (seconds === null ? '-' : shortDuration(now - seconds))
  const rows = [
    ...interrupted.map(({ job_id, status, chapters_done, total_chapters, created_at, title }) => ({
      cells: [job_id, status, `${chapters_done} of ${total_chapters}`, age(created_at), title || '-'],
    })),
    ...finished.map(({ job_id, chapters, duration_s, created_at, title }) => ({
      cells: [job_id, shortDuration(duration_s), String(chapters), age(created_at), title || '-'],
    })),
  ]
  const lines = tableLines(['BOOK', 'LENGTH', 'CHAPTERS', 'AGE', 'TITLE'], rows, [16, 12, 10, 6, 30])
  return {
    value: { interrupted, finished },
    lines: rows.length === 0 ? [`No books yet. Make one with ${COMMAND} book render FILE -o BOOK.m4b.`] : lines,
  }
}
