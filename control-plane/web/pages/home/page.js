// @ts-check
// Home: the first sound within one field, what to go on with, and what runs.
import { isBusy, startSpeaking, useGeneration } from '../../frame/generation.js'
import { Field, fieldValue } from '../../lib/controls.js'
import { isolated, short } from '../../lib/format.js'
import { html, useRef, useState } from '../../lib/html.js'
import { usableMachines } from '../../lib/live.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { changeDraft, saveDraft, TAKE_CHARS, useDraft } from '../speak/draft.js'
import { OPENED, opened, Question } from './opened.js'
import { Continue } from './recent.js'
import { Side } from './side.js'
import { strings } from './strings.js'

/** @import { Live } from '../../lib/live.js' */
/** @import { IconName } from '../../look/icons.js' */
/** @import { Draft } from '../speak/draft.js' */
/** @import { useActiveJobs } from '../../frame/tray.js' */

/** @type {readonly { page: keyof typeof strings.tiles, icon: IconName, tint: number }[]} */
const TILES = [
  { page: 'dub', icon: 'film', tint: 3 },
  { page: 'audiobook', icon: 'book', tint: 7 },
  { page: 'transcribe', icon: 'captions', tint: 4 },
  { page: 'voices', icon: 'voice', tint: 2 },
]

/** Which machines help. @param {Live} live */
function machinesText(live) {
  const usable = new Set(usableMachines(live).split(' '))
  const machines = live.fleet?.workers.filter(({ id }) => usable.has(id)) ?? []
  const [only] = machines
  if (!only) return strings.local
  if (machines.length > 1) return strings.machines(machines.length)
  return strings.machine(isolated(short(only.name, 40)), only.active_tasks ?? 0)
}

/** @param {{ live: Live, activeJobs: ReturnType<typeof useActiveJobs>, hasPage: (page: string) => boolean }} props */
export function Home({ live, activeJobs, hasPage }) {
  const draft = useDraft()
  const voices = useRead('/v1/audio/voices')
  const busy = isBusy(useGeneration())
  const profiles = voices.value?.voices.filter((voice) => voice.type === 'profile') ?? []
  const isTooLong = draft.text.length > TAKE_CHARS
  const isKnown = draft.voice === '' || profiles.some((one) => one.voice_id === draft.voice)
  const say = (/** @type {string} */ text) => {
    if (busy) return notify(strings.busy, 'error')
    /** @type {Draft} */
    const spoken = { ...draft, text, kind: 'wav' }
    saveDraft(spoken)
    void startSpeaking(spoken)
    location.hash = '#/speak'
  }
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    if (draft.text.trim() !== '' && !isTooLong) say(draft.text)
  }
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [asked, setAsked] = useState(/** @type {File | null} */ (null))
  const take = async (/** @type {File | undefined} */ file) => file && setAsked(await opened(file))
  const changed = () => {
    void take(input.current?.files?.[0])
    if (input.current) input.current.value = ''
  }
  const drop = (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.files.length) return // a text that is dropped goes into the field
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  const tiles = TILES.filter(({ page }) => hasPage(page))
  return html`<div class="home">
    <p class="soft about">${machinesText(live)}</p>
    <form class="composer" onSubmit=${submit} onDragOver=${(/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') && event.preventDefault()} onDrop=${drop}>
      <${Field} label=${strings.text} look="unnamed">
        <textarea dir="auto" rows="2" value=${draft.text} placeholder=${strings.placeholder} aria-invalid=${isTooLong}
          onInput=${(/** @type {Event} */ event) => changeDraft({ text: fieldValue(event) })} onKeyDown=${key}></textarea>
      <//>
      ${isTooLong && html`<p class="callout bad" role="alert">${strings.tooLong(TAKE_CHARS)}</p>`}
      <div class="row">
        <${Field} label=${strings.voice} look="chip">
          <select value=${draft.voice} onChange=${(/** @type {Event} */ event) => changeDraft({ voice: fieldValue(event) })}>
            <option value="">${strings.defaultVoice}</option>
            ${profiles.length > 0 && html`<optgroup label=${strings.savedVoices}>${profiles.map((one) => html`<option key=${one.voice_id} value=${one.voice_id}>${one.name}</option>`)}</optgroup>`}
            ${!isKnown && html`<optgroup label=${strings.engineVoices}><option value=${draft.voice}>${draft.voice}</option></optgroup>`}
          </select>
        <//>
        <input ref=${input} type="file" hidden accept=${OPENED} aria-label=${strings.openFile} onChange=${changed} />
        <button type="button" class="quiet" onClick=${() => input.current?.click()}><${Icon} of="upload" />${strings.openFile}</button>
        ${hasPage('transcribe') && html`<a class="button quiet" href="#/transcribe/dictate"><${Icon} of="voice" />${strings.dictate}</a>`}
        <span class="spread"></span>
        <button type="submit" class="main large" disabled=${draft.text.trim() === '' || isTooLong || busy}><${Icon} of="speak" />${strings.speak}<span class="key-hint" aria-hidden="true">${strings.speakKeys}</span></button>
      </div>
      ${asked && html`<${Question} file=${asked} onClose=${() => setAsked(null)} />`}
    </form>
    ${
      tiles.length > 0 &&
      html`<nav class="tiles" aria-label=${strings.create}>${tiles.map(
        ({ page, icon, tint }) =>
          html`<a key=${page} href=${`#/${page}`}><span class=${`kind big k${tint}`}><${Icon} of=${icon} isLarge /></span><span><b>${strings.tiles[page][0]}</b><small>${strings.tiles[page][1]}</small></span></a>`,
      )}</nav>`
    }
    <div class="columns">
      <${Continue} hasPage=${hasPage} onTry=${say} />
      <${Side} live=${live} activeJobs=${activeJobs} />
    </div>
  </div>`
}
