// The file of a book: follows the events of its rendering, also over a restart of the studio, and copies what was made.

import type { IncomingMessage } from 'node:http'
import { basename, extname, resolve } from 'node:path'
import { createBookProgress, type FinishedRender, followRender, type RenderProgress } from '#cli/lib/books/progress.ts'
import { Misuse, type Terminal } from '#cli/lib/command.ts'
import { refuseUnwritable, save } from '#cli/lib/file-transfer.ts'
import { failureFrom, readNow, request, requestJson } from '#cli/lib/studio/api.ts'
import { isBackAfter, isCut } from '#cli/lib/studio/restart.ts'
import { printable, shortDuration } from '#cli/views/table.ts'
import { jobsContracts } from '#control-plane/features/base/jobs/jobs.contract.ts'
import { bookContracts } from '#control-plane/features/books/book/book.contract.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

type Options = { readonly output?: string | undefined; readonly force?: boolean | undefined; readonly json?: boolean | undefined }
type Room = { readonly terminal: Terminal; readonly progress: RenderProgress; readonly signal: AbortSignal }
const LOOK_MS = 1_000
/** Limit of the studio's list. */
const MAX_FINISHED = 500

/** Renders the book of `body`, or continues the book `id` without one, unless `isFinished`. Throws for a book that was not rendered. */
export async function receive(
  id: string,
  body: object | null,
  { output: named, force = false, json }: Options,
  terminal: Terminal,
  isFinished = false,
): Promise<void> {
  const { cwd, output, errors } = terminal
  if (named === undefined) throw new Misuse('Name the file: -o BOOK.m4b')
  const path = resolve(cwd, named)
  await refuseUnwritable(path, force)
  const signal = terminal.interrupted()
  const progress = createBookProgress(terminal)
  const unwatch = watch(progress, terminal)
  const room = { terminal, progress, signal }
  let done: FinishedRender
  try {
    done = await (isFinished ? finished(id, room) : body === null ? resumed(id, room) : rendered(body, room)).finally(unwatch)
  } catch (error) {
    if (signal.aborted || isCut(error)) progress.stopped()
    throw error
  }
  const isEpub = extname(path).toLowerCase() === '.epub'
  // The list of finished books names the sound only.
  const epub = isEpub ? (done.readalong ?? `${done.output.slice(0, -extname(done.output).length)}.epub`) : null
  const found = (epub !== null && (await audioFile(epub, room))) || (await audioFile(done.output, room))
  if (!found) throw new Failure('NOT_FOUND', 'The file of this book was deleted. Render the book again.')
  const [made, file] = found
  // Without ffmpeg the studio makes MP3, and a file must not claim to be something else.
  const target = path.slice(0, path.length - extname(path).length) + extname(made)
  if (target !== path)
    await refuseUnwritable(target, force).catch((error: unknown) => {
      errors.write(`The book is kept: ${COMMAND} book resume ${progress.job()} -o FILE writes it to another file.\n`)
      throw error
    })
  const bytes = await save(file, target, signal)
  const chapters = `${done.chapters} chapter${done.chapters === 1 ? '' : 's'}`
  if (json) output.write(`${JSON.stringify({ ...done, path: target, bytes })}\n`)
  else output.write(`${printable(basename(target))}, ${chapters}, ${shortDuration(done.duration_s)}, ${shortBytes(bytes)}\n`)
  for (const index of done.failed_chapters) errors.write(`studio: Chapter ${index + 1} is missing, because it could not be spoken.\n`)
}

/** Null for a file that does not exist. */
async function audioFile(name: string, { terminal: { env }, signal }: Room): Promise<[name: string, content: IncomingMessage] | null> {
  const content = await request(env, { method: 'GET', path: `/audio/${encodeURIComponent(name)}`, signal })
  if (content.statusCode === 200) return [name, content]
  if (content.statusCode !== 404) throw await failureFrom(env, content)
  content.resume()
  return null
}

async function rendered(body: object, room: Room): Promise<FinishedRender> {
  const { progress, terminal, signal } = room
  try {
    return await followed('/audiobook', body, room)
  } catch (error) {
    // A studio that stops interrupts the book and keeps what was rendered.
    if (progress.job() === '' || !(await isBackAfter(error, terminal.env, signal))) throw error
    return resumed(progress.job(), room)
  }
}

async function finished(id: string, room: Room): Promise<FinishedRender> {
  const book = await finishedBook(id, room)
  if (book) return book
  throw new Failure('NOT_FOUND', `There is no finished book ${printable(id.slice(0, 64))}. List them with ${COMMAND} book list.`)
}

/** A book that is complete meanwhile is not rendered again. */
async function resumed(id: string, room: Room): Promise<FinishedRender> {
  try {
    return await followed(`/audiobook/resume/${encodeURIComponent(id)}`, undefined, room)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error
    const finished = await finishedBook(id, room)
    if (!finished) throw new Failure('NOT_FOUND', `There is no such book. List them with ${COMMAND} book list.`, { cause: error })
    return finished
  }
}

async function followed(path: string, body: object | undefined, { terminal, progress, signal }: Room): Promise<FinishedRender> {
  const response = await request(terminal.env, { method: 'POST', path, body, signal })
  if (response.statusCode !== 200) throw await failureFrom(terminal.env, response)
  return followRender(response, progress)
}

async function finishedBook(id: string, { terminal: { env }, signal }: Room): Promise<FinishedRender | null> {
  const { jobs } = bookContracts.finished.reply.parse(
    await requestJson(env, 'GET', `/longform/jobs?limit=${MAX_FINISHED}`, undefined, signal),
  )
  const book = jobs.find(({ job_id }) => job_id === id)
  if (!book) return null
  return { output: book.output, chapters: book.chapters, duration_s: book.duration_s, failed_chapters: [] }
}

/** On a terminal, asks the studio for the progress of the book, also within a chapter. The returned function ends it. */
function watch(progress: RenderProgress, { env, output }: Terminal): () => void {
  if (!output.isTTY) return () => {}
  let isOver = false
  let timer: NodeJS.Timeout
  const look = async () => {
    const job = progress.job()
    // The events report failures. If this request fails, the bar keeps its value.
    const row = job === '' ? null : await readNow(env, `/jobs/${encodeURIComponent(job)}`).catch(() => null)
    if (isOver) return
    const { data } = jobsContracts.read.reply.safeParse(row)
    if (data) progress.at(data)
    timer = setTimeout(look, LOOK_MS)
  }
  timer = setTimeout(look, LOOK_MS)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
