// The catalogue: first what suits this machine, then everything, found by a word.
import { post } from '../api.js'
import { html, useEffect, useState } from '../html.js'
import { Action, bytes, Field } from './basics.js'
import { Model, obstacles } from './start-model.js'

const ROLES = [
  { id: 'TTS', title: 'Speaking' },
  { id: 'ASR', title: 'Recognising speech' },
  { id: 'Diarisation', title: 'Telling speakers apart' },
  { id: 'Separation', title: 'Telling a voice from music' },
  { id: 'Translation', title: 'Translating' },
]
const OTHER = 'other'
/** A model of a later version is shown, whatever it is for. */
const groupOf = ({ role }) => (ROLES.some(({ id }) => id === role) ? role : OTHER)

export function Recommended({ advice, models, downloads, room, onChanged }) {
  const rows = advice.models.flatMap(({ repo_id }) => models.filter((one) => one.repo_id === repo_id))
  // What has conditions is accepted one by one.
  const free = rows.filter((one) => !one.installed && !one.installing && !one.gated && obstacles(one, room).cannot === '')
  const size = free.reduce((sum, { size_gb }) => sum + size_gb, 0)
  return html`<section class="sheet" aria-label="Recommended">
    <div class="row">
      <h2>Recommended for this machine</h2>
      <span class="spread"></span>
      ${
        free.length > 1 &&
        html`<${Action} kind="main" onPress=${async () => {
          for (const { repo_id } of free) await post('/models/install', { repo_id })
          await onChanged()
        }}>Install ${free.length} of them (${bytes(size * 1e9)})<//>`
      }
    </div>
    <p class="soft text">${advice.device.label}. ${advice.rationale}</p>
    ${advice.all_installed && html`<p class="callout good">All of them are here.</p>`}
    <ul class="models">
      ${rows.map((model) => html`<${Model} key=${model.repo_id} model=${model} progress=${downloads.get(model.repo_id)} room=${room} onChanged=${onChanged} />`)}
    </ul>
  </section>`
}

/** Opens for what is looked for or fetched, and stays open: a row does not vanish when it is finished. */
function Role({ title, rows, wanted, downloads, room, onChanged }) {
  const [open, setOpen] = useState(false)
  const isActive = rows.length > 0 && (wanted !== '' || rows.some((one) => one.installing || downloads.has(one.repo_id)))
  useEffect(() => {
    if (isActive) setOpen(true)
  }, [isActive])
  if (rows.length === 0) return null
  return html`<details open=${open} onToggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>${title}: ${rows.length}</summary>
    <ul class="models">
      ${rows.map((model) => html`<${Model} key=${model.repo_id} model=${model} progress=${downloads.get(model.repo_id)} room=${room} onChanged=${onChanged} />`)}
    </ul>
  </details>`
}

export function Catalogue({ list, downloads, room, onChanged }) {
  const [word, setWord] = useState('')
  const wanted = word.trim().toLowerCase()
  const fits = ({ label, repo_id, note = '', licence }) => `${label} ${repo_id} ${note} ${licence}`.toLowerCase().includes(wanted)
  const found = list.models.filter(fits)
  const here = list.models.filter(({ installed }) => installed)
  return html`<section class="sheet" aria-label="All models">
    <h2>All models</h2>
    <p class="soft">
      ${here.length} of ${list.models.length} are here, ${bytes(list.total_installed_bytes)} together.
      ${list.hf_cache_dir === '' ? ' This is what the borrowed machine has that work goes to.' : html` They lie in <span class="mono">${list.hf_cache_dir}</span>.`}
    </p>
    <p class="soft">Where the version is not fixed, what its authors publish at that time is fetched.</p>
    <${Field} label="Find a model"><input type="search" value=${word} onInput=${(event) => setWord(event.target.value)} /><//>
    <p class="hidden" role="status">${wanted === '' ? '' : `${found.length} found`}</p>
    ${found.length === 0 && html`<p class="empty">No model of the catalogue has this word.</p>`}
    ${[...ROLES, { id: OTHER, title: 'Other' }].map(
      ({ id, title }) =>
        html`<${Role} key=${id} title=${title} rows=${found.filter((one) => groupOf(one) === id)} wanted=${wanted} downloads=${downloads} room=${room} onChanged=${onChanged} />`,
    )}
  </section>`
}
