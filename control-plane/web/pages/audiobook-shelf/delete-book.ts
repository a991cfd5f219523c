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
  if (file) await remove(file)
  if (manuscript) {
    await closeBook(project)
    await remove(manuscript)
  }
  const back = async () => {
    if (manuscript) await post(`${manuscript}/undelete`, {})
    if (file) await post(`${file}/undelete`, {})
    await changed()
  }
  notify(strings.deleted(isolated(title || strings.untitled)), 'good', undoBy(back))
  await changed()
}
