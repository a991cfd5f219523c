// Deletes a transcript at once, with a way back for a while. Its recording goes when it can't come back.
import { post, remove } from '#control-plane/web/lib/api.ts'
import { isolated } from '#control-plane/web/lib/format.ts'
import { notify, reportFailure } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/library/projects.ts'
import { strings as shared } from '#messages/shared.ts'

/** Throws ApiError. `changed`: called after the deletion, and when the transcript is back */
export async function deleteTranscript({ id, name }: { id: string; name: string }, changed: () => unknown) {
  const path = `/projects/${encodeURIComponent(id)}` as const
  await remove(path)
  const back = async () => {
    await post(`${path}/undelete`, {})
    await changed()
  }
  notify(strings.transcriptDeleted(isolated(name)), 'good', { label: shared.undo, run: () => void back().catch(reportFailure) })
  await changed()
}
