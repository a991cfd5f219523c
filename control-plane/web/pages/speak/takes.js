// The takes that the studio keeps: hear again, star, download, delete.
import { put, remove } from '../api.js'
import { html, useState } from '../html.js'
import { Action, ago, Confirm } from './basics.js'
import { clockTime } from './speak-wave.js'

function Facts({ take }) {
  const voice = take.voice === '' ? 'default voice' : `voice ${take.voice}`
  const length = take.duration_seconds < 10 ? `${take.duration_seconds.toFixed(1)} s` : clockTime(take.duration_seconds)
  return html`<p class="marks soft">
    <span class="text clip">${take.engine || 'engine not kept'} · ${voice}</span>
    <span>${length} long, made in ${take.generation_time.toFixed(1)} s</span>
    <span>seed ${take.seed}</span>
    <time dateTime=${new Date(take.created_at * 1000).toISOString()} title=${new Date(take.created_at * 1000).toLocaleString()}>${ago(take.created_at)}</time>
  </p>`
}

function Take({ take, onDesk, onHear, onChanged, onDelete }) {
  const name = take.text.slice(0, 40)
  return html`<li class="take" aria-current=${onDesk ? 'true' : undefined}>
    <p class="text clip" dir="auto">${take.text}</p>
    <${Facts} take=${take} />
    ${take.notice && html`<p class="soft text clip"><strong>Stand-in: </strong>${take.notice}</p>`}
    <div class="row">
      <button type="button" aria-label=${`Hear: ${name}`} onClick=${() => onHear(take)}>Hear</button>
      <${Action} aria-pressed=${take.starred === 1} aria-label=${`${take.starred === 1 ? 'Starred' : 'Star'}: ${name}`} onPress=${async () => {
        await put(`/history/${take.id}/starred`, { starred: take.starred === 0 })
        await onChanged()
      }}>${take.starred === 1 ? '★ Starred' : '☆ Star'}<//>
      <a href=${`/audio/${take.audio_path}`} download=${take.audio_path} aria-label=${`Download: ${name}`}>Download</a>
      <button type="button" class="danger" aria-label=${`Delete: ${name}`} onClick=${() => onDelete(take)}>Delete</button>
    </div>
  </li>`
}

/** `takes`: null until they are read. */
export function Takes({ takes, error, deskId, onHear, onChanged }) {
  const [leaving, setLeaving] = useState(null) // a take, or 'all'
  const close = () => setLeaving(null)
  return html`<section class="sheet" aria-label="Takes">
    <div class="row">
      <h2>Takes</h2>
      <span class="soft">The newest 50, and every starred one.</span>
      <span class="spread"></span>
      ${takes?.length > 0 && html`<button type="button" class="danger" onClick=${() => setLeaving('all')}>Delete all</button>`}
    </div>
    ${error && html`<p class="callout bad" role="alert">${error}</p>`}
    ${takes?.length === 0 && html`<p class="empty">Nothing was spoken yet. What you speak is kept here.</p>`}
    <ul class="takes">
      ${takes?.map((take) => html`<${Take} key=${take.id} take=${take} onDesk=${take.id === deskId} onHear=${onHear} onChanged=${onChanged} onDelete=${setLeaving} />`)}
    </ul>
    ${
      leaving === 'all' &&
      html`<${Confirm} title="Delete all takes?" action="Delete all" onClose=${close} onYes=${async () => {
        await remove('/history')
        await onChanged()
      }}>
      <p>Every take and its file is removed from the studio, starred ones too. This cannot be undone.</p>
    <//>`
    }
    ${
      leaving &&
      leaving !== 'all' &&
      html`<${Confirm} title="Delete this take?" action="Delete" onClose=${close} onYes=${async () => {
        await remove(`/history/${leaving.id}`)
        await onChanged()
      }}>
      <p class="text clip" dir="auto">${leaving.text}</p>
      <p>The take and its file are removed from the studio. This cannot be undone.</p>
    <//>`
    }
  </section>`
}
