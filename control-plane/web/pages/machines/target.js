// Where work goes: the choice, and what it means at this moment as the router itself says.
import { post } from '../api.js'
import { html, useMemo, useState } from '../html.js'
import { Badge, Field, notify } from './basics.js'
import { usePolled } from './workers-form.js'
import { isolated, short } from './workers-state.js'

const EVERY_MS = 4000
const OPERATIONS = [
  ['', 'anything'],
  ['tts', 'speech'],
  ['audiobook', 'audiobooks'],
  ['dub', 'dubbing'],
  ['clone', 'voice cloning'],
  ['asr', 'transcription'],
  ['dictation', 'dictation'],
  ['diarize', 'speaker detection'],
  ['identify', 'language identification'],
  ['translate', 'translation'],
]

const optionOf = ({ id, label, available, detail, is_local }) =>
  html`<option key=${id} value=${id} disabled=${!available}>${is_local ? 'This machine' : isolated(short(label))}${available ? '' : ` — ${detail}`}</option>`

export function TargetPicker({ fleet }) {
  const [operation, setOperation] = useState('')
  const { value: view, error, reload } = usePolled(`/workers/target?op=${operation}`, EVERY_MS, fleet)
  const [refused, setRefused] = useState('')
  const choose = async (event) => {
    const { value } = event.target
    setRefused('')
    try {
      await post('/workers/target', { target: value })
      notify('Chosen.')
    } catch (failure) {
      setRefused(failure.message)
    }
    await reload()
  }
  // A thousand of them are made once for each answer, not for each drawing.
  const options = useMemo(() => {
    const [own, others] = [view?.targets.filter(({ is_local }) => is_local), view?.targets.filter(({ is_local }) => !is_local)]
    return (
      view && [
        own.map(optionOf),
        html`<option key="auto" value="auto">automatic: whichever machine is done first</option>`,
        others.map(optionOf),
      ]
    )
  }, [view])
  if (!view)
    return html`<section class="sheet"><h2>Where work goes</h2><p class=${error ? 'callout bad' : 'empty'}>${error || 'Reading…'}</p></section>`
  const { active, target } = view
  const isHere = !active.remote
  return html`<section class="sheet" aria-label="Where work goes">
    <h2>Where work goes</h2>
    <div class="row pair">
      <${Field} label="Send work to">
        <select value=${target} onChange=${choose}>
          ${options}
        </select>
      <//>
      <${Field} label="Seen for">
        <select value=${operation} onChange=${(event) => setOperation(event.target.value)}>
          ${OPERATIONS.map(([op, words]) => html`<option key=${op} value=${op}>${words}</option>`)}
        </select>
      <//>
    </div>
    <p class="now row"><${Badge} tone=${active.reason === 'chosen' ? 'good' : 'warn'}>now<//>
      <span class="text"><strong class="text">${isHere ? 'This machine' : active.label}</strong>: <span class="text" data-part="reason">${active.reason === 'chosen' ? 'as chosen' : active.reason}</span></span></p>
    ${refused && html`<p class="callout bad text" role="alert">${refused}</p>`}
    ${error && html`<p class="callout bad text">${error}</p>`}
  </section>`
}
