// One model of the catalogue: what it is, what it takes, what stands in its way, and one press to have it.
import { ApiError, post, remove } from '../api.js'
import { html, useState } from '../html.js'
import { Action, Badge, bytes, Confirm, Dialog, Progress } from './basics.js'

const GB = 1e9
const minutes = (seconds) => (seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`)
/** What lies here, or what is still to come. */
const sizeOf = ({ installed, incomplete, size_on_disk_bytes, size_gb }) =>
  installed ? size_on_disk_bytes : Math.max(0, size_gb * GB - (incomplete ? size_on_disk_bytes : 0))

/** Why it cannot be installed here ('' when it can), and what to know before. `room`: { freeGb, keepGb }. */
export function obstacles(model, room) {
  const missing = Math.max(0, model.size_gb - (model.incomplete ? model.size_on_disk_bytes / GB : 0))
  const cannot = !model.supported
    ? `Not for this machine${model.platforms?.length ? `: it runs on ${model.platforms.join(', ')} only` : ': its engine does not run here, or the agent is of another version'}.`
    : room.freeGb !== null && missing > room.freeGb
      ? `Larger than the free disk: it needs ${missing.toFixed(1)} GB and ${room.freeGb.toFixed(1)} GB are free. Free some space first.`
      : ''
  const warnings = []
  if (cannot === '' && room.freeGb !== null && missing + room.keepGb > room.freeGb)
    warnings.push(`It would leave less than the ${room.keepGb} GB that must stay free, so it may be refused.`)
  if (model.memory_bytes > 0 && room.memoryGb && model.memory_bytes > room.memoryGb * 2 ** 30)
    warnings.push(`It takes more memory than this machine has (${room.memoryGb} GB).`)
  return { cannot, warnings }
}

function State({ model, progress }) {
  if (progress && !progress.error) return html`<${Badge} tone="busy">being fetched<//>`
  if (model.installing) return html`<${Badge} tone="busy">being fetched<//>`
  if (model.installed) return html`<${Badge} tone="good">here<//>`
  if (model.incomplete) return html`<${Badge} tone="warn">partly here<//>`
  return html`<${Badge}>not here<//>`
}

function Fetching({ progress, label }) {
  const { done, total, rate, eta, files, allFiles, words, target } = progress
  const known = total > 0
  return html`<div class="fetching" role="group" aria-label=${`Progress of ${label}`}>
    <${Progress} value=${known ? done / total : null} label=${`How much of ${label} has arrived`} />
    <p class="soft">
      ${known && html`<span>${bytes(done)} of ${bytes(total)}, ${files} of ${allFiles} files</span>`}
      ${known && rate > 0 && html`<span>, ${bytes(rate)} a second</span>`}
      ${eta && html`<span>, about ${minutes(eta)} left</span>`}
      ${target !== 'local' && html`<span> (on another machine)</span>`}
      ${words && html` <span class="text">${words}</span>`}
    </p>
  </div>`
}

function Licence({ model, onYes, onClose }) {
  return html`<${Dialog} title="A licence with conditions" onClose=${onClose}>
    <p class="text clip">${model.label}</p>
    <p>It comes under <strong class="text">${model.licence}</strong>, which restricts what it may be used for. Read it on the page of the model before you use what is made with it:</p>
    <p class="mono">${model.repo_id.split(':')[0]}</p>
    <footer>
      <button type="button" onClick=${onClose}>Do not install it</button>
      <${Action} kind="main" onPress=${onYes}>I accept it; install<//>
    </footer>
  <//>`
}

export function Model({ model, progress, room, onChanged }) {
  const [asking, setAsking] = useState('') // licence, removal or nothing
  const [refusal, setRefusal] = useState('')
  const { cannot, warnings } = obstacles(model, room)
  const fetching = (progress && !progress.error) || model.installing
  const install = async () => {
    setAsking('')
    setRefusal('')
    try {
      await post('/models/install', { repo_id: model.repo_id })
      await onChanged()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setRefusal(`${error.message}${error.hint ? ` ${error.hint}` : ''}`)
    }
  }
  const press = `${model.incomplete ? 'Fetch the rest' : 'Install'} (${bytes(sizeOf(model))})`
  const wrong = refusal || progress?.error
  return html`<li class="model" data-model=${model.repo_id}>
    <div class="row">
      <h3 class="text clip">${model.label}</h3>
      <${State} model=${model} progress=${progress} />
      ${model.required && html`<${Badge} tone="warn">wanted for the native voice<//>`}
    </div>
    <p class="marks soft">
      <span>${bytes(sizeOf(model))} ${model.installed ? 'on the disk' : 'to fetch'}</span>
      <span>${model.memory_bytes > 0 ? `${bytes(model.memory_bytes)} of memory` : 'memory not measured'}</span>
      <span class="text">licence ${model.licence}</span>
      ${!model.pinned && html`<span>version not fixed</span>`}
      <span class="mono text clip">${model.repo_id}</span>
    </p>
    ${model.note && html`<p class="text clip">${model.note}</p>`}
    ${fetching && html`<${Fetching} progress=${progress ?? { done: 0, total: 0, words: 'Waiting for its next word.', target: 'local' }} label=${model.label} />`}
    ${cannot && !model.installed && html`<p class="callout"><strong>Cannot be installed here. </strong><span class="text">${cannot}</span></p>`}
    ${!model.installed && !fetching && warnings.map((warning) => html`<p key=${warning} class="soft">${warning}</p>`)}
    ${wrong && html`<p class="callout bad text" role="alert">${wrong}</p>`}
    <div class="row">
      ${
        !model.installed &&
        !fetching &&
        html`<${Action} disabled=${cannot !== ''} aria-label=${`${press}: ${model.label}, ${model.repo_id}`}
        onPress=${async () => (model.gated ? setAsking('licence') : install())}>
        ${press}
      <//>`
      }
      ${
        fetching &&
        html`<${Action} kind="danger" aria-label=${`Cancel ${model.label}, ${model.repo_id}`} onPress=${async () => {
          await post('/models/install/cancel', { repo_id: model.repo_id })
          await onChanged()
        }}>Cancel<//>`
      }
      ${
        (model.installed || model.incomplete) &&
        !fetching &&
        html`<button type="button" class="danger" aria-label=${`Remove ${model.label}, ${model.repo_id}`}
        onClick=${() => setAsking('removal')}>Remove</button>`
      }
    </div>
    ${asking === 'licence' && html`<${Licence} model=${model} onYes=${install} onClose=${() => setAsking('')} />`}
    ${
      asking === 'removal' &&
      html`<${Confirm} title="Remove this model?" action="Remove" onClose=${() => setAsking('')} onYes=${async () => {
        await remove(`/models/${encodeURIComponent(model.repo_id)}`)
        await onChanged()
      }}>
      <p class="text clip">${model.label}</p>
      <p>${bytes(model.size_on_disk_bytes)} are freed. To have it again it must be fetched again.</p>
    <//>`
    }
  </li>`
}
