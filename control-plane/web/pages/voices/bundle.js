// @ts-check
// Import of a bundle: it is described before anything is stored.
import { messageOf, request } from '../../lib/api.js'
import { Action, Dialog, Form } from '../../lib/controls.js'
import { html, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { Icon } from '../../look/icons.js'
import { strings } from './strings.js'

/** @import { BundleFacts } from '../../lib/api-types.ts' */

const FILES = '.svcvoice,.svcbundle'

/** @param {string} path @param {File} file */
async function sent(path, file) {
  const form = new FormData()
  form.append('file', file)
  return (await request('POST', path, { form })).json()
}

/** @param {{ file: File, facts: BundleFacts, onClose: () => void, onDone: () => Promise<void> }} props */
function Import({ file, facts, onClose, onDone }) {
  const { name, kind, language, license_spdx: licence, consent } = facts
  const send = async () => {
    const { profile_id: id } = await sent('/personas/import', file)
    await onDone()
    notify(strings.imported)
    onClose()
    location.hash = `#/voices/${id}`
  }
  return html`<${Dialog} title=${strings.importTitle} onClose=${onClose}>
    <p><strong class="text" dir="auto">${name}</strong><br /><span class="soft text">${strings.bundleFacts(strings.kinds[kind], language, licence)}</span></p>
    ${consent?.would_verify && html`<p class="note"><${Icon} of="shield" />${strings.hasStatement}</p>`}
    ${consent?.verified_claimed && !consent.would_verify && html`<p class="note"><${Icon} of="note" />${strings.claimsStatement}</p>`}
    ${facts.preview_only && html`<p class="note"><${Icon} of="note" />${strings.previewOnly}</p>`}
    ${facts.schema_version_ahead && html`<p class="note"><${Icon} of="note" />${strings.newer}</p>`}
    <${Form} onSend=${send} send=${strings.importTitle} />
  <//>`
}

/** @param {{ onDone: () => Promise<void> }} props */
export function ImportButton({ onDone }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [chosen, setChosen] = useState(/** @type {{ file: File, facts: BundleFacts } | null} */ (null))
  const changed = async () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (!file) return
    try {
      setChosen({ file, facts: await sent('/personas/inspect', file) })
    } catch (error) {
      notify(messageOf(error), 'error')
    }
  }
  return html`<input ref=${input} type="file" hidden accept=${FILES} aria-label=${strings.bundle} onChange=${changed} />
    <${Action} onPress=${() => input.current?.click()}><${Icon} of="upload" />${strings.import}<//>
    ${chosen && html`<${Import} ...${chosen} onClose=${() => setChosen(null)} onDone=${onDone} />`}`
}
