// What to say and how. The draft outlives a reload of the page, in this browser tab only.
import { html, useEffect, useState } from '../html.js'
import { Field } from './basics.js'
import { EngineFields, StandsIn } from './speak-engines.js'
import { FILE_CHARS, KINDS, TAKE_CHARS } from './speak-request.js'

const KEY = 'voice-studio-draft'
const EMPTY = { text: '', engine: '', voice: '', speed: '1', seed: '', language: '', instruct: '', kind: 'wav' }

function kept() {
  try {
    const draft = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    return Object.fromEntries(
      Object.entries(EMPTY).map(([name, otherwise]) => [name, typeof draft[name] === 'string' ? draft[name] : otherwise]),
    )
  } catch {
    return { ...EMPTY }
  }
}

export function useDraft() {
  const [draft, setDraft] = useState(kept)
  useEffect(() => {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(draft))
    } catch {} // a full store costs the draft after a reload, nothing else
  }, [draft])
  return [draft, (more) => setDraft((now) => ({ ...now, ...more }))]
}

/** Why it cannot be spoken as it stands; '' when it can. */
function obstacle({ text, kind, seed }, limit) {
  if (text.length > limit) return `${kind === 'wav' ? 'A take' : 'Such a file'} holds at most ${limit.toLocaleString('en')} characters.`
  if (!/^\d{0,15}$/.test(seed)) return 'A seed is a whole number, 0 or more.'
  return ''
}

export function SpeakForm({ draft, onChange, tts, profiles, making }) {
  const limit = draft.kind === 'wav' ? TAKE_CHARS : FILE_CHARS
  const why = obstacle(draft, limit)
  const ready = draft.text.trim() !== '' && why === ''
  const speak = () => ready && !making.busy && void making.speak(draft)
  const set = (name) => (event) => onChange({ [name]: event.target.value })
  return html`<form
    class="sheet speak"
    onSubmit=${(event) => {
      event.preventDefault()
      speak()
    }}
  >
    <${Field} label="Text">
      <textarea
        dir="auto"
        value=${draft.text}
        placeholder="Type or paste what is to be said."
        aria-describedby="speak-length"
        aria-invalid=${draft.text.length > limit}
        onInput=${set('text')}
        onKeyDown=${(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          speak()
        }}
      ></textarea>
    <//>
    <p class="soft length" id="speak-length">${draft.text.length.toLocaleString('en')} of ${limit.toLocaleString('en')} characters. Ctrl+Enter speaks. [pause 500ms] makes a pause.</p>
    <div class="choices">
      <${EngineFields} tts=${tts} profiles=${profiles} draft=${draft} onChange=${onChange} />
      <${Field} label=${`Speed: ${Number(draft.speed).toFixed(2)}`}>
        <input type="range" min="0.25" max="4" step="0.05" value=${draft.speed} onInput=${set('speed')} />
      <//>
      <${Field} label="File">
        <select value=${draft.kind} onChange=${set('kind')}>${KINDS.map(({ id, label }) => html`<option key=${id} value=${id}>${label}</option>`)}</select>
      <//>
    </div>
    <details class="more" open=${draft.instruct !== '' || draft.seed !== '' || draft.language !== ''}>
      <summary>Style, language and seed</summary>
      <div class="choices">
        <${Field} label="Style" hint="For engines that follow instructions, such as: a calm old woman.">
          <input value=${draft.instruct} maxlength="4096" onInput=${set('instruct')} />
        <//>
        <${Field} label="Language" hint="A tag such as en or de; empty: the engine decides.">
          <input value=${draft.language} maxlength="35" onInput=${set('language')} />
        <//>
        <${Field} label="Seed" hint="The same seed makes the same take; empty: a new one each time.">
          <input inputmode="numeric" value=${draft.seed} aria-invalid=${!/^\d{0,15}$/.test(draft.seed)} onInput=${set('seed')} />
        <//>
      </div>
    </details>
    ${making.notice === '' && html`<${StandsIn} tts=${tts} engine=${draft.engine} />`}
    ${draft.kind !== 'wav' && html`<p class="soft">This file is heard when it is whole, and it is not in the list of takes: download it.</p>`}
    ${why && html`<p class="callout bad" role="alert">${why}</p>`}
    <div class="row">
      <button type="submit" class="main" disabled=${!ready || making.busy} aria-busy=${making.busy}>Speak</button>
      ${making.busy && html`<button type="button" class="danger" onClick=${making.stop}>Stop making it</button>`}
      ${!making.busy && making.sounding && html`<button type="button" onClick=${making.stop}>Stop the sound</button>`}
    </div>
  </form>`
}
