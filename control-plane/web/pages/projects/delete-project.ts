// Deletes a project at once, with a way back for a while. The recording of a transcript goes when it can't come back.
import { post, remove } from '#control-plane/web/lib/api.ts'
import { isolated } from '#control-plane/web/lib/format.ts'
import { notify, undoBy } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/library/projects.ts'

/** Throws ApiError. `changed`: called after the deletion, and when the transcript is back */
export async function deleteProject({ id, name }: { id: string; name: string }, changed: () => unknown) {
  const path = `/projects/${encodeURIComponent(id)}` as const
  await remove(path)
  const back = async () => {
    await post(`${path}/undelete`, {})
    await changed()
  }
  notify(strings.projectDeleted(isolated(name)), 'good', undoBy(back))
  await changed()
}
