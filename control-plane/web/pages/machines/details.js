// @ts-check
// One machine beside the table: its state, why it gets no work, what it is, and all actions on it.
import { Badge } from '../../lib/controls.js'
import { html, useEffect } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { Actions } from './actions.js'
import { Facts, Reasons } from './facts.js'
import { deviceOf, nameOf, reasonsOf, stateOf, TONES } from './state.js'
import { strings } from './strings.js'
import { UsedForWork } from './use.js'

/** @import { MachineView } from '../../lib/api-types.ts' */
/** @import { Ask } from './actions.js' */
/** @import { Wait } from './state.js' */

const words = strings.card

/**
 * @param {object} props
 * @param {MachineView | null | undefined} props.machine null while it is read, undefined when there is none
 * @param {readonly string[]} props.jobs a line for each task
 * @param {readonly Wait[]} props.waits
 * @param {string | null} props.dialError
 * @param {string} props.back the address without this machine
 * @param {Ask} props.onAsk
 */
export function MachineDetails({ machine, jobs, waits, dialError, back, onAsk }) {
  const isThere = Boolean(machine)
  useEffect(() => {
    const opened = document.querySelector('[data-opened]')
    if (opened instanceof HTMLElement) opened.focus({ preventScroll: true })
  }, [isThere])
  const backLink = html`<a class="back" href=${back}>${words.back}</a>`
  if (!machine)
    return html`<aside class="details" aria-label=${strings.page.machines}>${backLink}
      <p class=${machine === null ? 'soft' : 'callout'} role="status">${machine === null ? shared.loading : strings.dialogs.gone}</p></aside>`
  const state = stateOf(machine)
  const name = nameOf(machine)
  return html`<aside class="details machine" aria-label=${name} data-details=${machine.id} data-state=${state}>${backLink}
    <header><span class="kind k8 big"><${Icon} of="machine" /></span>
      <div><h2 tabindex="-1" data-opened class="text clip" dir="auto">${name}</h2><small class="text">${deviceOf(machine.host)}</small></div>
      <a class="button quiet icon-only" href=${back} aria-label=${shared.close} title=${shared.close}><${Icon} of="close" /></a></header>
    <div class="row"><${Badge} tone=${TONES[state]}>${words.states[state]}<//><span class="spread"></span><${UsedForWork} machine=${machine} /></div>
    <${Reasons} reasons=${reasonsOf(machine, waits, dialError)} />
    <${Actions} machine=${machine} onAsk=${onAsk} />
    <section><h3>${words.facts}</h3><${Facts} machine=${machine} jobs=${jobs} /></section>
  </aside>`
}
