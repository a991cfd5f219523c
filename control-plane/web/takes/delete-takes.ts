// Deletes takes at once, with a way back for a while.
import { post, remove } from '#control-plane/web/lib/api.ts'
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { notify, undoBy } from '#control-plane/web/lib/notices.ts'
import { stopSound } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/library/takes.ts'

const NAME_CHARS = 40

/** Throws ApiError. */
export async function deleteTake({ id, text, audio_path }: Pick<HistoryTake, 'id' | 'text' | 'audio_path'>) {
  stopSound(`/audio/${audio_path}`)
  await remove(`/history/${id}`)
  notify(
    strings.deleted(isolated(short(text, NAME_CHARS))),
    'good',
    undoBy(() => post(`/history/${id}/undelete`, {})),
  )
}

/** Takes with a star stay. Throws ApiError. */
export async function deleteTakes(count: number) {
  await remove('/history?keep_starred=true')
  const back = async () => {
    const { restored } = await post('/history/undelete', {})
    if (restored === 0) notify(strings.tooLate, 'error')
  }
  notify(strings.deletedAll(count), 'good', undoBy(back))
}

/** The next button that deletes a row gets the focus, so that a person without a mouse goes on there. */
export function focusNextRow(button: Element) {
  const row = button.closest('[data-row]')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  const target = next?.querySelector('[data-delete]') ?? document.querySelector('h1')
  if (target instanceof HTMLElement) target.focus({ preventScroll: next === null })
}
