// @ts-check
// The table of machines: the rows near the view are drawn.
import { Badge, Progress } from '../../lib/controls.js'
import { bytes } from '../../lib/format.js'
import { html, useMemo } from '../../lib/html.js'
import { Countdown, Since } from '../../lib/moments.js'
import { useIsPhone, useShownRows } from '../../look/windowed.js'
import { NextAction } from './actions.js'
import { deviceOf, LOCAL, memoryUseOf, modelOf, reasonsOf, TONES } from './state.js'
import { strings } from './strings.js'
import { UsedForWork } from './use.js'

/** @import { MachineView } from '../../lib/api-types.ts' */
/** @import { Ask } from './actions.js' */
/** @import { MachineRow } from './fleet.js' */
/** @import { Reason } from './state.js' */

const words = strings.table
/** Pixels, as in the style sheet. */
const ROW = 60
const PHONE_ROW = 68
/** Models that are named. */
const MODELS = 2

/** When it began and when the next attempt is. @param {{ reason: Reason }} props */
export const Moments = ({ reason: { since, until } }) => html`${since !== undefined && html` <${Since} at=${since} />.`}
  ${until !== undefined && until !== null && html` ${strings.reasons.nextTry}<${Countdown} to=${until} over=${strings.reasons.aMoment} />.`}`

/** @param {{ machine: MachineView }} props */
function Memory({ machine }) {
  const { used, all } = memoryUseOf(machine.host)
  if (all === 0) return machine.host?.cpu_count ? words.noGpu : words.none
  const text = words.memoryUse(bytes(used), bytes(all))
  return html`<${Progress} value=${used / all} label=${words.memoryOf(text)} /><small>${text}</small>`
}

/** @param {readonly string[]} models */
const loadedText = (models) =>
  models.length === 0 ? words.none : words.loaded(models.slice(0, MODELS).map(modelOf).join(', '), models.length - MODELS)

/** `working`: its tasks; a text or a number, so that a row is drawn again only when something in it has changed. @param {{ row: MachineRow, index: number, isOpen: boolean, working: number, dialError: string | null, query: string, onAsk: Ask }} props */
function Row({ row: { machine, name, state }, index, isOpen, working, dialError, query, onAsk }) {
  return useMemo(() => {
    const reason = reasonsOf(machine, [], dialError).find(({ mild }) => !mild)
    return html`<tr data-machine=${machine.id} data-state=${state} aria-rowindex=${index + 2} aria-current=${isOpen ? 'true' : undefined}>
      <th scope="row"><a class="text one-line" dir="auto" href=${`#/machines/${encodeURIComponent(machine.id)}${query}`}>${name}</a>
        <small class="text one-line">${deviceOf(machine.host)}</small></th>
      <td class="of-state"><${Badge} tone=${TONES[state]}>${strings.card.states[state]}<//>
        ${reason ? html`<small class="text one-line" title=${reason.text}>${reason.text}<${Moments} reason=${reason} /></small>` : working > 0 && html`<small>${words.working(working)}</small>`}</td>
      <td class="of-use"><${UsedForWork} machine=${machine} /></td>
      <td class="of-memory"><${Memory} machine=${machine} /></td>
      <td class="of-loaded"><span class="text one-line">${loadedText(machine.resident_models ?? [])}</span></td>
      <td class="of-latency">${machine.id === LOCAL || machine.latency_ms === undefined ? words.none : strings.card.ms(Math.round(machine.latency_ms))}</td>
      <td class="acts"><${NextAction} machine=${machine} onAsk=${onAsk} /></td>
    </tr>`
  }, [machine, name, state, index, isOpen, working, dialError, query, onAsk])
}

/**
 * @param {object} props
 * @param {readonly MachineRow[]} props.rows
 * @param {string} props.openId
 * @param {ReadonlyMap<string, readonly string[]>} props.jobs
 * @param {ReadonlyMap<string, string>} props.dialErrors
 * @param {string} props.query of the address, with its question mark
 * @param {Ask} props.onAsk
 */
export function MachineTable({ rows, openId, jobs, dialErrors, query, onAsk }) {
  const height = useIsPhone() ? PHONE_ROW : ROW
  const { place, first, last } = useShownRows({ count: rows.length, row: height })
  const space = (/** @type {number} */ count) =>
    count > 0 && html`<tr role="presentation" class="space" style=${{ height: `${count * height}px` }}></tr>`
  const row = (/** @type {MachineRow} */ one, /** @type {number} */ at) => {
    const { id } = one.machine
    return html`<${Row} key=${id} row=${one} index=${first + at} isOpen=${id === openId} working=${jobs.get(id)?.length ?? 0} dialError=${dialErrors.get(id) ?? null} query=${query} onAsk=${onAsk} />`
  }
  return html`<table class="list-table machines" aria-rowcount=${rows.length + 1}>
    <thead><tr aria-rowindex="1">${Object.entries(words.columns).map(
      ([id, name]) =>
        html`<th key=${id} scope="col" class=${`col-${id}`}>${id === 'actions' ? html`<span class="hidden">${name}</span>` : name}</th>`,
    )}</tr></thead>
    <tbody ref=${place}>${space(first)}${rows.slice(first, last).map(row)}${space(rows.length - last)}</tbody>
  </table>`
}
