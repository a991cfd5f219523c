// @ts-check
// Models of the owner's own files: chosen or dropped, recognised and checked by the studio; and what other programs left on this machine.
import { messageOf, request } from '../../lib/api.js'
import { Action, Progress } from '../../lib/controls.js'
import { bytes } from '../../lib/format.js'
import { html, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { strings } from './strings.js'

/** @import { Posts } from '../../lib/api-types.ts' */
/** @typedef {Posts['/models/own']['reply']} Added */
/** @typedef {{ title: string, outcome: string, found: string }} Check */

/** As many as the studio takes at a time; more come as a zip file. */
const FIELDS = ['file', 'file2', 'file3', 'file4', 'file5', 'file6', 'file7', 'file8']
const TYPES = '.onnx,.json,.bin,.npz,.txt,.zip,.data,.onnx_data'

/** The form of these files; null for too many. Pure but for the form. @param {readonly File[]} files */
export function formOf(files) {
  if (files.length === 0 || files.length > FIELDS.length) return null
  const form = new FormData()
  for (const [at, file] of files.entries()) form.append(FIELDS[at] ?? '', file)
  return form
}

/** Whether a folder was dropped: its files are not sent with it. @param {DataTransfer} dropped */
const hasFolder = ({ items }) => [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory)

/** @param {{ onChanged: () => Promise<unknown> }} props */
export function OwnModels({ onChanged }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [isOver, setOver] = useState(false)
  const [step, setStep] = useState('')
  const [error, setError] = useState('')
  const [differing, setDiffering] = useState(/** @type {Check[]} */ ([]))
  const found = useRead('/models/found')

  /** @param {FormData | null} form */
  const add = async (form) => {
    setError('')
    setDiffering([])
    if (form === null) return setError(strings.tooManyFiles(FIELDS.length))
    setStep(strings.adding)
    try {
      /** @type {Added} */
      const { repo_id, label } = await (await request('POST', '/models/own', { form })).json()
      await onChanged()
      setStep(strings.checking(label))
      /** @type {{ passed: boolean, checks: Check[] }} */
      const { passed, checks } = await (await request('POST', '/models/verify', { body: { repo_id, target: 'local' } })).json()
      if (passed) notify(strings.added(label), 'good')
      else setDiffering(checks.filter(({ outcome }) => outcome === 'differs'))
    } catch (refusal) {
      setError(messageOf(refusal))
    } finally {
      setStep('')
      await onChanged()
    }
  }
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault()
    setOver(false)
    const dropped = event.dataTransfer
    if (!dropped || step !== '') return
    if (hasFolder(dropped)) setError(strings.noFolder)
    else void add(formOf([...dropped.files]))
  }
  const changed = () => {
    const files = [...(input.current?.files ?? [])]
    if (input.current) input.current.value = ''
    if (files.length > 0) void add(formOf(files))
  }
  const copy = (/** @type {string} */ id) => {
    const form = new FormData()
    form.set('found', id)
    return add(form)
  }
  const others = found.value?.found ?? []
  return html`<section class="sheet" aria-label=${strings.own}>
    <h2>${strings.own}</h2>
    <div class=${isOver ? 'drop over' : 'drop'} onDragOver=${over} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <input ref=${input} type="file" hidden multiple accept=${TYPES} aria-label=${strings.ownFiles} onChange=${changed} />
      <p>${strings.dropModel}</p>
      <button type="button" disabled=${step !== ''} onClick=${() => input.current?.click()}>${strings.chooseFiles}</button>
      <p class="soft">${strings.ownKinds}</p>
    </div>
    ${step && html`<div role="status"><p class="text clip">${step}</p><${Progress} value=${null} label=${step} /></div>`}
    ${error && html`<p class="callout bad text" role="alert">${error}</p>`}
    ${differing.length > 0 && html`<div class="callout warn" role="alert"><p>${strings.differs}</p><ul>${differing.map(({ title, found: what }) => html`<li key=${title} class="text">${title}: ${what}</li>`)}</ul></div>`}
    ${
      others.length > 0 &&
      html`<h3>${strings.found}</h3><p class="soft">${strings.foundNote}</p>
      <ul class="offers">${others.map(
        ({
          id,
          label,
          size_bytes: size,
          nb_files: files,
        }) => html`<li key=${id} class="offered"><span class="kind k7"><${Icon} of="model" /></span>
          <span class="grow"><b class="text one-line">${label}</b><small>${strings.foundFacts(bytes(size), files)}</small></span>
          <${Action} disabled=${step !== ''} aria-label=${strings.of(strings.copy, label)} onPress=${() => copy(id)}>${strings.copy}<//></li>`,
      )}</ul>`
    }
  </section>`
}
