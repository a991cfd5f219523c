// Books as jobs: creating, resuming and listing them. The manifest is an artifact, because it may be larger than the parameters of a job.
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { jobStep, jobType, type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import type { JobView } from '#control-plane/jobs/view.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { ReleasedEvents, RenderBook } from '../assembly/render-book.ts'
import { BookManifest } from '../render/manifest.ts'
import type { BookRow, BookStore } from './book.store.ts'
import { BookDone, BookEvent } from './book-events.schema.ts'

export type BookJobs = ReturnType<typeof createBookJobs>
type Deps = {
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'get' | 'events'>
  readonly store: BookStore
  readonly makers: Pick<Makers, 'makerOf' | 'record'>
  readonly artifacts: Pick<LocalArtifacts, 'keep' | 'pathOf'>
  readonly renderBook: RenderBook
  readonly audioFolder: string
  readonly clock: Clock
  readonly random: Random
}
const Params = z.object({ manifest: z.string(), keepRunning: z.boolean() })
type Params = z.output<typeof Params>

const ID_BYTES = 8
/** Books that run at the same time, of each kind. */
const AT_ONCE = 4
const STEP = 'render'
const EVENTS_READ = 500
const KINDS = ['audiobook', 'story'] as const
const LIVE = new Set(['pending', 'running'])
const MS = 1_000
/** Parts of an event that a resumed book needs; earlier versions may have written it. */
const ReadEvent = z.object({ type: z.string(), index: z.int().optional() })
const CHAPTER_TYPES = new Set(['chapter', 'chapter_error'])

export function createBookJobs({ jobs, store, makers, artifacts, renderBook, audioFolder, clock, random }: Deps) {
  async function manifestOf(digest: string): Promise<BookManifest> {
    const text = await readFile(artifacts.pathOf(digest), 'utf8').catch(() => null)
    if (text === null) throw new Failure('INPUT_UNAVAILABLE', 'The text of the book was deleted. Start the book again.')
    return BookManifest.parse(JSON.parse(text))
  }

  /** The events of an earlier run of this job; null if there are none. */
  async function releasedBy(jobId: string): Promise<ReleasedEvents | null> {
    const types = new Set<string>()
    let chapters = 0
    for (let last = 0; ; ) {
      const events = await jobs.events(jobId, last, EVENTS_READ)
      for (const { payload } of events) {
        const event = ReadEvent.parse(JSON.parse(payload))
        types.add(event.type)
        if (CHAPTER_TYPES.has(event.type)) chapters = Math.max(chapters, (event.index ?? -1) + 1)
      }
      if (events.length < EVENTS_READ) return types.size === 0 ? null : { chapters, types }
      last = events.at(-1)!.seq
    }
  }

  async function run(jobId: string, { manifest }: Params, context: StepContext<BookEvent>): Promise<StepOutput<BookDone>> {
    return stepOutput(await renderBook({ jobId, manifest: await manifestOf(manifest), released: await releasedBy(jobId) }, context))
  }

  function stoppedFrame(jobId: string): BookEvent {
    const row = store.find(jobId)
    return {
      type: 'stopped',
      rendered: row?.chapters_done ?? 0,
      total: row?.total_chapters ?? 0,
      cached_chapters: row?.cached_chapters ?? 0,
      failed_chapters: failedOf(row),
    }
  }

  for (const kind of KINDS)
    jobs.add(
      jobType({
        type: kind,
        params: Params,
        events: BookEvent,
        inputs: ({ manifest }) => [manifest],
        // The job is part of the key, because two books never share a file.
        steps: (params, _, job) => [
          [
            jobStep({
              name: STEP,
              key: { kind: 'book', version: 1, inputs: [], params: { job } },
              output: BookDone,
              run: (context) => run(job, params, context),
            }),
          ],
        ],
        concurrency: AT_ONCE,
        onRestart: ({ keepRunning }) => (keepRunning ? 'resume' : 'interrupt'),
        framing: 'json',
        result: (_, outcomes) => {
          const { output, duration_s } = readOutput(outcomes, STEP, BookDone)!
          return { output, duration_s }
        },
        doneFrame: (_, outcomes) => readOutput(outcomes, STEP, BookDone)!,
        cancelledFrame: stoppedFrame,
      }),
    )

  async function create(
    { kind, title, chapters, output }: Pick<BookManifest, 'kind' | 'title' | 'chapters' | 'output'>,
    digest: string,
    keepRunning: boolean,
    madeBy: ClientId,
    { project, replaced }: { readonly project: string; readonly replaced: BookRow | null },
  ): Promise<string> {
    const id = random.hex(ID_BYTES)
    const cover = output.cover ?? ''
    const book = { job_id: id, kind, title, manifest: digest, total_chapters: chapters.length, created_at: clock.now(), project, cover }
    makers.record('job', id, madeBy)
    if (!store.add(book, replaced?.job_id ?? null)) throw notResumable()
    try {
      const meta = { title, chapters: chapters.length, ...(project !== '' && { project }) }
      await jobs.create({ type: kind, id, params: { manifest: digest, keepRunning }, meta, madeBy })
    } catch (error) {
      // A book that could not begin is not one that was interrupted.
      store.withdraw(id, replaced)
      throw error
    }
    return id
  }

  async function isLive(id: string): Promise<boolean> {
    const view = await jobs.get(id)
    return view !== null && LIVE.has(view.record.job.status)
  }

  return {
    /** Resolves with the id of the job, which is durable. `project`: '' for none. Throws what `Jobs.create` throws, STORAGE_FULL. */
    async start(manifest: BookManifest, keepRunning: boolean, madeBy: ClientId, project = ''): Promise<string> {
      const bytes = Buffer.from(JSON.stringify(manifest))
      const digest = createHash('sha256').update(bytes).digest('hex')
      try {
        await artifacts.keep(digest, { chunks: [bytes] })
      } catch (cause) {
        throw new Failure('STORAGE_FULL', `The book could not be stored: ${(cause as Error).message}.`, { cause })
      }
      return create(manifest, digest, keepRunning, madeBy, { project, replaced: null })
    },

    /** A new job for the same book. Throws NOT_FOUND for an unknown or finished book, CONFLICT for one that runs, INPUT_UNAVAILABLE. */
    async resume(id: string, keepRunning: boolean): Promise<string> {
      const row = store.find(id)
      if (!row || (row.output !== null && failedOf(row).length === 0)) throw notResumable()
      if (await isLive(id)) throw new Failure('CONFLICT', 'The book is being rendered now. Follow it instead, or cancel it first.')
      return create(await manifestOf(row.manifest), row.manifest, keepRunning, makers.makerOf('job', id), {
        project: row.project,
        replaced: row,
      })
    },

    /** Books that can be resumed, newest first. `viewer`: only books of this client; null for all. */
    async resumable(viewer: ClientId | null) {
      const rows = await Promise.all(store.open(viewer).map(async (row) => ({ row, view: await jobs.get(row.job_id) })))
      return rows.filter(({ view }) => view === null || !LIVE.has(view.record.job.status)).map(({ row, view }) => openBook(row, view))
    },

    isLive,

    /** Newest first. `viewer` as in `resumable`. */
    finished: (limit: number, viewer: ClientId | null) =>
      Promise.all(
        store.finished(limit, viewer).map(async (row) => ({
          job_id: row.job_id,
          type: row.kind,
          output: row.output!,
          duration_s: row.duration_s ?? 0,
          chapters: row.total_chapters,
          created_at: row.created_at / MS,
          title: row.title,
          ...shownOf(row),
          size_bytes: await stat(fileIn(audioFolder, row.output!)).then(
            ({ size }) => size,
            () => null,
          ),
        })),
      ),
  }
}

const openBook = (row: BookRow, view: JobView | null) => ({
  job_id: row.job_id,
  type: row.kind,
  status: view === null || view.record.job.interrupted ? ('interrupted' as const) : view.record.job.status,
  title: row.title,
  total_chapters: row.total_chapters,
  chapters_done: row.chapters_done,
  created_at: row.created_at / MS,
  ...shownOf(row),
})
/** Absent where a book has none. */
const shownOf = ({ project, cover }: BookRow) => ({ ...(project !== '' && { project }), ...(cover !== '' && { has_cover: true as const }) })
const notResumable = () => new Failure('NOT_FOUND', 'There is no interrupted book with this id.')
const failedOf = (row: BookRow | null): number[] => (row ? z.array(z.int()).parse(JSON.parse(row.failed_chapters)) : [])
