// The use of the disk, and what may be cleared.

import { get, messageOf, post } from '#control-plane/web/lib/api.ts'
import type { StorageReport } from '#control-plane/web/lib/api-types.ts'
import { Action } from '#control-plane/web/lib/controls.tsx'
import { bytes, exact } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.disk
/** Tints of the parts of the bar, in the order of the categories. */
const TINTS = [7, 1, 4, 5, 3]

export function Disk() {
  const [{ report, error }, set] = useState({ report: null as StorageReport | null, error: '' })
  const folder = useRead('/api/settings/storage/models-dir')
  const backups = useRead('/api/settings/db-backup')
  const read = async (refresh = false) => {
    try {
      set({ report: await get(`/api/settings/storage?refresh=${refresh}`), error: '' })
    } catch (failure) {
      set((now) => ({ ...now, error: messageOf(failure) }))
    }
  }
  useEffect(() => void read(), [])
  const clear = async () => {
    const { freed_bytes: freed, errors } = await post('/api/settings/storage/temp/clear', {})
    notify(errors.length > 0 ? words.notCleared(errors.length) : words.cleared(bytes(freed)), errors.length > 0 ? 'error' : 'good')
    await read(true)
  }
  if (!report)
    return (
      <p class={error ? 'callout bad text' : 'empty'} role="status">
        {error || shared.loading}
      </p>
    )
  const parts = report.categories.filter(({ exists }) => exists)
  const all = Math.max(
    1,
    parts.reduce((sum, one) => sum + one.bytes, 0),
  )
  return (
    <>
      {report.warnings.map(({ kind, path, message }) => (
        <p key={kind + path} class="callout text" role="status">
          {serverSentence(message)}
        </p>
      ))}
      <div class="disk-bar" aria-hidden="true">
        {parts.map(
          ({ id, bytes: size }, at) =>
            size > 0 && <span key={id} class={`k${TINTS[at % TINTS.length]}`} style={{ flexGrow: size / all }}></span>,
        )}
      </div>
      <ul class="disk-parts">
        {parts.map(({ id, path, bytes: size, complete }, at) => (
          <li key={id}>
            <span class={`dot k${TINTS[at % TINTS.length]}`} aria-hidden="true"></span>
            <span class="grow">
              <b>{words.categories[id as keyof typeof words.categories] ?? id}</b>
              <small class="text one-line" title={path}>
                {path}
              </small>
            </span>
            <span class="number">{complete ? bytes(size) : words.atLeast(bytes(size))}</span>
          </li>
        ))}
      </ul>
      {report.volumes.map(({ path, free_bytes: free, total_bytes: total }) => (
        <p key={path} class="soft text">
          {words.free(bytes(free), bytes(total), path)}
        </p>
      ))}
      {folder.value && (
        <p class="soft text">
          {words.models(folder.value.effective)} {words.modelsHelp}
        </p>
      )}
      {backups.value?.latest && (
        <p class="soft text">{words.backup(exact(backups.value.latest.created_at), bytes(backups.value.latest.size_bytes))}</p>
      )}
      <div class="row">
        <Action onPress={() => read(true)}>{words.measure}</Action>
        <Action onPress={clear}>{words.clear}</Action>
      </div>
    </>
  )
}
