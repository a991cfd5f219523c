// @ts-check
// Transcribe: a recording or a video becomes text with times and speakers.
import { decoded } from '../../frame/address.js'
import { withHint } from '../../lib/api.js'
import { Action, Field, fieldValue, Progress } from '../../lib/controls.js'
import { bytes, duration } from '../../lib/format.js'
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { mayAdminister } from '../../visitor.js'
import { Dictate } from './dictate.js'
import { Earlier } from './earlier.js'
import { strings } from './strings.js'
import { TranscriptView } from './transcript.js'
import { cancel, choose, isBusy, open, transcribe, useTranscription } from './transcription.js'

/** @import { Address } from '../../frame/address.js' */
/** @import { Transcription } from './transcription.js' */

/** What the route accepts. */
const MOST_BYTES = 512 * 1024 ** 2

/** Of every format; the escapes keep tools from reading a comment. */
const SOUND = 'audio/\u002a,video/\u002a'

/** @param {File | undefined} file */
function take(file) {
  if (!file) return
  if (file.size > MOST_BYTES) return notify(strings.tooLarge, 'error')
  if (!choose(file)) notify(strings.otherFile, 'error')
}

/** Opens the list of files, and takes one that is dropped on it. @param {{ isSmall: boolean }} props */
export function FilePicker({ isSmall }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const [isOver, setOver] = useState(false)
  const over = (/** @type {DragEvent} */ event) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer?.files[0])
  }
  const changed = () => {
    take(input.current?.files?.[0])
    if (input.current) input.current.value = ''
  }
  const open = () => input.current?.click()
  const chooser = html`<input ref=${input} type="file" hidden accept=${SOUND} aria-label=${strings.file} onChange=${changed} />`
  if (isSmall) return html`${chooser}<button type="button" onClick=${open}>${strings.other}</button>`
  return html`<div class=${isOver ? 'drop over' : 'drop'} onDragOver=${over} onDragLeave=${() => setOver(false)} onDrop=${drop}>
    ${chooser}
    <span class="kind k4 large"><${Icon} of="captions" isLarge /></span>
    <p class="lead">${strings.drop}</p>
    <button type="button" class="main" onClick=${open}>${strings.choose}</button>
    <p class="soft">${strings.formats}</p>
  </div>`
}

/** @param {{ now: Transcription }} props */
const Failed = ({ now: { error } }) =>
  error &&
  html`<div class="callout bad text" role="alert"><p><strong>${strings.failed}</strong> ${withHint(error.message, error.hint)}</p>
    ${error.isModelMissing && mayAdminister && html`<a href="#/setup">${strings.seeModels}</a>`}</div>`

/** @param {{ now: Transcription }} props */
function Options({ now }) {
  const [language, setLanguage] = useState('')
  const [hasSpeakers, setSpeakers] = useState(true)
  const start = useRef(/** @type {HTMLButtonElement | null} */ (null))
  // The button that opened the list of files no longer exists, so the focus moves to the next step.
  useEffect(() => start.current?.focus({ preventScroll: true }), [])
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault()
    void transcribe({ language, hasSpeakers })
  }
  return html`<form class="sheet recording" onSubmit=${submit}>
    <div class="row"><span class="kind k4"><${Icon} of="captions" /></span>
      <p class="text one-line"><strong dir="auto">${now.name}</strong> <span class="soft">${now.file && bytes(now.file.size)}</span></p>
      <span class="spread"></span><${FilePicker} isSmall />
    </div>
    <div class="choices">
      <${Field} label=${strings.language} hint=${strings.languageHint}>
        <input value=${language} maxlength="35" onInput=${(/** @type {Event} */ event) => setLanguage(fieldValue(event))} />
      <//>
      <label class="tick"><input type="checkbox" checked=${hasSpeakers} onChange=${() => setSpeakers(!hasSpeakers)} /> ${strings.speakers}</label>
    </div>
    <${Failed} now=${now} />
    <div class="row"><button ref=${start} class="main">${strings.transcribe}</button></div>
  </form>`
}

/** @param {{ now: Transcription }} props */
function Working({ now }) {
  const text = now.phase === 'sending' ? strings.sending(now.name) : strings.working(now.name)
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (now.startedAt === 0) return
    // The clocks of the studio and of this device may differ.
    const timer = setInterval(() => setSeconds(Math.max(0, Date.now() / 1000 - now.startedAt)), 500)
    return () => clearInterval(timer)
  }, [now.startedAt])
  return html`<section class="sheet recording" aria-label=${strings.title}>
    <div class="row"><span class="kind k4"><${Icon} of="captions" /></span>
      <p class="text one-line" role="status"><strong>${text}</strong></p><span class="soft">${duration(seconds)}</span>
      <span class="spread"></span><${Action} onPress=${cancel}>${shared.cancel}<//>
    </div>
    <${Progress} value=${now.progress} label=${text} />
    <p class="soft">${now.phase === 'sending' ? strings.sendingHint : strings.workingHint}</p>
  </section>`
}

/** Without an object in the address, the transcription of this tab. @param {{ address: Address }} props */
function Recording({ address }) {
  const now = useTranscription()
  // Again with each address: a transcript that was closed may be opened once more.
  useEffect(() => {
    const job = decoded(address.object)
    if (job && !open(job)) notify(strings.otherShown, 'error')
  }, [address])
  if (isBusy(now)) return html`<${Working} now=${now} />`
  if (now.phase === 'done' && now.transcript)
    return html`<${TranscriptView} now=${now} transcript=${now.transcript} picker=${html`<${FilePicker} isSmall />`} />`
  return now.file === null
    ? html`<${Failed} now=${now} /><${FilePicker} isSmall=${false} /><${Earlier} />`
    : html`<${Options} now=${now} />`
}

/** @param {{ address: Address }} props */
export const Transcribe = ({ address }) => html`
  <nav class="tabs" aria-label=${strings.views}>
    <a href="#/transcribe" aria-current=${address.object === 'dictate' ? undefined : 'page'}>${strings.tabs.recording}</a>
    <a href="#/transcribe/dictate" aria-current=${address.object === 'dictate' ? 'page' : undefined}>${strings.tabs.dictate}</a>
  </nav>
  ${address.object === 'dictate' ? html`<${Dictate} />` : html`<${Recording} address=${address} />`}`
