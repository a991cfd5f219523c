// The use of a machine, as one choice: its priority, or never.
import { messageOf, patch } from '#control-plane/web/lib/api.ts'
import type { MachineView } from '#control-plane/web/lib/api-types.ts'
import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { refresh } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/machines/machines.ts'
import { changeFor, LOCAL, nameOf, useOf } from './state.ts'

const words = strings.use
export function UsedForWork({ machine }: { machine: MachineView }) {
  const [isSaving, setSaving] = useState(false)
  const name = isolated(short(nameOf(machine)))
  const use = useOf(machine)
  if (machine.id === LOCAL) return <span>{words.names.automatic}</span>
  if (!machine.consent_granted) return <span class="soft">{words.notYet}</span>
  const choose = async (event: Event) => {
    setSaving(true)
    try {
      await patch(`/workers/${encodeURIComponent(machine.id)}`, changeFor(fieldValue(event)))
      notify(words.saved(name))
      await refresh()
    } catch (error) {
      notify(messageOf(error), 'error')
    } finally {
      setSaving(false)
    }
  }
  const names = Object.hasOwn(words.names, use) ? words.names : { [use]: words.other(use), ...words.names }
  return (
    <select class="quiet" aria-label={words.label(name)} value={use} disabled={isSaving} onChange={choose}>
      {Object.entries(names).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
