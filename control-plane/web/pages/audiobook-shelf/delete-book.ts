// Deletes a book at once, with a way back for a while: its manuscript and its newest file.
import { post, remove } from '#control-plane/web/lib/api.ts'
import { isolated } from '#control-plane/web/lib/format.ts'
import { notify, undoBy } from '#control-plane/web/lib/notices.ts'
import { stopSound } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/create/audiobook.ts'
import { closeBook } from '../audiobook/book.ts'
import type { Shelved } from './shelf.ts'

/** Throws ApiError. `changed`: called after the deletion, and when the book is back */
export async function deleteBook({ title, project, finished }: Pick<Shelved, 'title' | 'project' | 'finished'>, changed: () => unknown) {
  const file = finished && (`/longform/jobs/${encodeURIComponent(finished.job_id)}` as const)
  const manuscript = project !== '' && (`/projects/${encodeURIComponent(project)}` as const)
  if (finished) stopSound(`/audio/${encodeURIComponent(finished.output)}`)
  const gone: (NonNullable<typeof file> | Exclude<typeof manuscript, false>)[] = []
  const back = async () => {
    for (const path of gone.reverse()) await post(`${path}/undelete`, {})
    await changed()
  }
  try {
    for (const path of [file, manuscript]) {
      if (!path) continue
      if (path === manuscript) await closeBook(project)
      await remove(path)
      gone.push(path)
    }
  } finally {
    // Also if only the first could be deleted.
    if (gone.length > 0) notify(strings.deleted(isolated(title || strings.untitled)), 'good', undoBy(back))
  }
  await changed()
}
