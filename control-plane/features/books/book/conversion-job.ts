// Finished books in another format. Each is a job, because a long book takes minutes; its file stays beside the book and goes with it.

import { rm, stat } from 'node:fs/promises'
import { z } from 'zod'
import { jobStep, jobType, type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import type { BookConversion } from '#control-plane/media/book/convert.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import { conversionFile } from '../assembly/publish-book.ts'
import { CONVERTED_FORMATS } from './book.schema.ts'
import type { BookStore } from './book.store.ts'
import { BookConversionEvent } from './book-events.schema.ts'

const CONVERSION_TYPE = 'book_conversion'
const VERSION = 1
const AT_ONCE = 1
const ID_BYTES = 8
const Params = z.object({ book: z.string(), format: z.enum(CONVERTED_FORMATS) })
type Params = z.output<typeof Params>
const Made = z.object({ output: z.string(), bytes: z.number() })
type Deps = {
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get' | 'active'>
  readonly store: Pick<BookStore, 'find'>
  readonly makers: Pick<Makers, 'makerOf'>
  /** Null without the program. Asked for each file. */
  readonly programs: { readonly ffmpeg: () => string | null; readonly ffprobe: () => string | null }
  readonly audioFolder: string
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
}
export type BookConversions = ReturnType<typeof createBookConversions>

export function createBookConversions({ jobs, store, makers, programs, audioFolder, clock, random }: Deps) {
  /** Equal requests that came together share one job. */
  const starting = new Map<string, Promise<string>>()

  function bookOf(id: string) {
    const row = store.find(id)
    if (!row?.output) throw new Failure('NOT_FOUND', 'There is no finished book with this id.')
    return { ...row, output: row.output }
  }
  function requirePrograms(): { readonly ffmpeg: string; readonly ffprobe: string } {
    const [ffmpeg, ffprobe] = [programs.ffmpeg(), programs.ffprobe()]
    if (ffmpeg === null || ffprobe === null)
      throw new Failure('PROGRAM_MISSING', `Converting needs ffmpeg, which is not on this machine. ${COMMAND} setup installs it.`)
    return { ffmpeg, ffprobe }
  }
  const exists = (name: string) =>
    stat(fileIn(audioFolder, name)).then(
      (file) => file.isFile(),
      () => false,
    )

  async function run({ book, format }: Params, { report, signal }: StepContext): Promise<StepOutput<z.output<typeof Made>>> {
    const row = bookOf(book)
    const output = conversionFile(row, format)
    // Loaded with the first conversion, because a start needs none of it.
    const { convertBook } = await import('#control-plane/media/book/convert.ts')
    const { writeZip } = await import('#shared/archive/zip.ts')
    const zip: BookConversion['zip'] = (file, entries, stop) => writeZip(file, entries, null, stop)
    const [from, to] = [fileIn(audioFolder, row.output), fileIn(audioFolder, output)]
    const progress = (fraction: number) => report({ fraction, secondsLeft: null, frame: null })
    const bytes = await convertBook(
      { ...requirePrograms(), from, to, format, untitled: row.title || 'Chapter', zip },
      progress,
      clock,
      signal,
    )
    // Deleted meanwhile: nothing names the file any more.
    if (!store.find(book)) {
      await rm(to, { force: true })
      throw new Failure('INPUT_UNAVAILABLE', 'The book was deleted while it was converted.')
    }
    return stepOutput({ output, bytes })
  }

  /** The job that makes this file now, also one of before a restart. */
  async function runningFor(wanted: Params): Promise<string | null> {
    for (const { id, type } of jobs.active()) {
      const params = type === CONVERSION_TYPE ? (await jobs.get(id))?.record.params : undefined
      if (params !== undefined && JSON.stringify(Params.safeParse(JSON.parse(params)).data) === JSON.stringify(wanted)) return id
    }
    return null
  }
  async function create(params: Params, title: string): Promise<string> {
    const running = await runningFor(params)
    if (running !== null) return running
    const id = random.hex(ID_BYTES)
    await jobs.create({ type: CONVERSION_TYPE, id, params, meta: { title, ...params }, madeBy: makers.makerOf('job', params.book) })
    return id
  }

  jobs.add(
    jobType({
      type: CONVERSION_TYPE,
      params: Params,
      events: BookConversionEvent,
      // The job is part of the key: a file that was deleted with its book is made again.
      steps: (params, _, job) => [
        [
          jobStep({
            name: 'convert',
            output: Made,
            key: { kind: 'book.convert', version: VERSION, inputs: [], params: { job } },
            run: (context) => run(params, context),
          }),
        ],
      ],
      concurrency: AT_ONCE,
      onRestart: 'resume',
      onCancel: 'keep',
      result: (_, outcomes) => readOutput(outcomes, 'convert', Made)!,
    }),
  )

  return {
    /**
     * The name of the file below /audio, and the job that makes it; null if it is there. The same job for an equal request. Throws NOT_FOUND,
     * PROGRAM_MISSING, INPUT_UNAVAILABLE for a book whose file was removed, and what `Jobs.create` throws.
     */
    async convert(book: string, format: Params['format']): Promise<{ readonly output: string; readonly job_id: string | null }> {
      const row = bookOf(book)
      const output = conversionFile(row, format)
      if (await exists(output)) return { output, job_id: null }
      if (!(await exists(row.output))) throw new Failure('INPUT_UNAVAILABLE', 'The file of this book was removed. Make the book again.')
      requirePrograms()
      const started = starting.get(output) ?? create({ book, format }, row.title).finally(() => starting.delete(output))
      starting.set(output, started)
      return { output, job_id: await started }
    },
  }
}
