import { currentClient, currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { eventStream } from '#control-plane/http/contract/respond.ts'
import type { BookManifest } from '../render/manifest.ts'
import { bookContracts } from './book.contract.ts'
import type { BookJobs } from './book-job.ts'
import type { BookStream } from './book-stream.ts'
import type { ChapterSounds } from './chapter-sounds.service.ts'
import type { BookConversions } from './conversion-job.ts'
import type { BookDeletion } from './deletion.service.ts'
import { chaptersOfPlan, chaptersOfScript, chosenChapters, manifestFor } from './manifest.rules.ts'
import type { ChapterPreview } from './preview.service.ts'

type Parts = {
  readonly books: BookJobs
  readonly deletion: BookDeletion
  readonly stream: BookStream
  readonly preview: ChapterPreview
  readonly chapters: ChapterSounds
  readonly conversions: BookConversions
}

export function bookRoutes({ books, deletion, stream, preview, chapters, conversions }: Parts): Route[] {
  async function render(manifest: BookManifest, keepRunning: boolean, signal: AbortSignal, project = '') {
    const job = await books.start(manifest, keepRunning, currentClient().id, project)
    return eventStream(await stream.follow(job, keepRunning, signal))
  }
  return [
    handle(bookContracts.render, async ({ body: { text, chapters: places, keep_running, project, ...request }, signal }) => {
      const chapters = chosenChapters(await chaptersOfScript(text), places ?? null)
      return render(manifestFor('audiobook', chapters, request, request), keep_running, signal, project ?? '')
    }),
    handle(bookContracts.preview, ({ body, signal }) => preview(body, signal)),
    handle(bookContracts.renderPlan, async ({ body: { chapters, keep_running, ...request }, signal }) => {
      const chosen = chosenChapters(await chaptersOfPlan(chapters), null)
      return render(manifestFor('story', chosen, request, request), keep_running, signal)
    }),
    handle(bookContracts.resumable, async () => ({ jobs: await books.resumable(currentViewer()) })),
    handle(bookContracts.resume, async ({ params, query: { keep_running }, signal }) =>
      eventStream(await stream.follow(await books.resume(params.job_id, keep_running), keep_running, signal)),
    ),
    handle(bookContracts.remove, async ({ params }) => {
      await deletion.remove(params.job_id)
      return { deleted: true as const }
    }),
    handle(bookContracts.cover, ({ params }) => chapters.cover(params.job_id)),
    handle(bookContracts.chapter, ({ params }) => chapters.read(params.job_id, params.chapter)),
    handle(bookContracts.convert, ({ params, body }) => conversions.convert(params.job_id, body.format)),
    handle(bookContracts.undelete, async ({ params }) => {
      await deletion.undelete(params.job_id, currentViewer())
      return { restored: true as const }
    }),
    handle(bookContracts.finished, async ({ query }) => ({ jobs: await books.finished(query.limit, currentViewer()) })),
  ]
}
