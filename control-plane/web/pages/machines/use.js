// @ts-check
// Whether and when a machine gets work, as one choice: its priority, or never.
import { messageOf, patch } from '../../lib/api.js'
import { fieldValue } from '../../lib/controls.js'
import { isolated, short } from '../../lib/format.js'
import { html, useState } from '../../lib/html.js'
import { refresh } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { LOCAL, nameOf } from './state.js'
import { strings } from './strings.js'

/** @import { MachineView } from '../../lib/api-types.ts' */
/** @typedef {keyof typeof PRIORITIES | 'never'} Use */

const words = strings.use
const PRIORITIES = { preferred: 80, automatic: 50, low: 20 }
const NEVER = 'never'
/** @param {string} name @returns {name is keyof typeof PRIORITIES} */
const isPriority = (name) => Object.hasOwn(PRIORITIES, name)

/** The choice, or a priority that is none of them as a number. Pure. @param {Pick<MachineView, 'enabled' | 'priority'>} machine */
export function useOf({ enabled, priority }) {
  if (!enabled) return NEVER
  return Object.keys(PRIORITIES).find((name) => isPriority(name) && PRIORITIES[name] === priority) ?? String(priority)
}

/** What PATCH /workers/{worker_id} gets for a choice. Pure. @param {string} use as of useOf */
export function changeFor(use) {
  if (use === NEVER) return { enabled: false }
  return { enabled: true, priority: isPriority(use) ? PRIORITIES[use] : Number(use) }
}

/** @param {{ machine: MachineView }} props */
export function UsedForWork({ machine }) {
  const [isSaving, setSaving] = useState(false)
  const name = isolated(short(nameOf(machine)))
  const use = useOf(machine)
  if (machine.id === LOCAL) return html`<span>${words.names.automatic}</span>`
  if (!machine.consent_granted) return html`<span class="soft">${words.notYet}</span>`
  const choose = async (/** @type {Event} */ event) => {
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
  return html`<select class="quiet" aria-label=${words.label(name)} value=${use} disabled=${isSaving} onChange=${choose}>
    ${Object.entries(names).map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}
  </select>`
}
