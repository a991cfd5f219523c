// The choice of engines: those of a family that can be used here, and the model for dictation.
import { messageOf, post } from '#control-plane/web/lib/api.ts'
import type { EngineFamilies } from '#control-plane/web/lib/api-types.ts'
import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.engines
const FAMILIES = ['tts', 'asr', 'llm'] as const

function Family({
  name,
  family,
  onChosen,
}: {
  name: (typeof FAMILIES)[number]
  family: EngineFamilies['tts'] | EngineFamilies['asr'] | EngineFamilies['llm']
  onChosen: () => Promise<unknown>
}) {
  const [error, setError] = useState('')
  const usable = family.backends.filter(({ available }) => available)
  const others = family.backends.length - usable.length
  const choose = async (id: string) => {
    setError('')
    try {
      await post('/engines/select', { family: name, backend_id: id })
      notify(strings.saved)
    } catch (failure) {
      setError(messageOf(failure))
    }
    await onChosen()
  }
  return (
    <fieldset class="family">
      <legend>{words.families[name]}</legend>
      {usable.map(({ id, display_name: title, routing_reason: hint }) => (
        <label key={id} class="engine">
          <input
            type="radio"
            name={`engine-${name}`}
            checked={id === family.active}
            disabled={family.env_override}
            onChange={() => choose(id)}
          />
          <span class="grow">
            <b class="text">{title}</b>
            {hint && <small class="text">{serverSentence(hint)}</small>}
          </span>
        </label>
      ))}
      {family.env_override && (
        <p class="note state">
          <Icon of="lock" />
          {strings.pinned}
        </p>
      )}
      {others > 0 && (
        <p class="soft">
          {name === 'llm' ? words.noModel : words.others(others)}{' '}
          {name === 'llm' ? <a href="#/settings/translation">{words.setUp}</a> : <a href="#/models/all">{words.seeModels}</a>}
        </p>
      )}
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

export function Engines() {
  const { value, error, again } = useRead('/engines')
  if (!value)
    return (
      <p class={error ? 'callout bad text' : 'empty'} role="status">
        {error || shared.loading}
      </p>
    )
  return FAMILIES.map((name) => <Family key={name} name={name} family={value[name]} onChosen={again} />)
}

export function DictationModel() {
  const models = useRead('/dictation/models')
  const prefs = useRead('/dictation/prefs')
  const [error, setError] = useState('')
  const choose = async (event: Event) => {
    setError('')
    try {
      await post('/dictation/prefs', { model_id: fieldValue(event) })
      notify(strings.saved)
    } catch (failure) {
      setError(messageOf(failure))
    }
    await prefs.again()
  }
  if (!models.value || !prefs.value)
    return (
      <p class={models.error || prefs.error ? 'callout bad text' : 'empty'} role="status">
        {models.error || prefs.error || shared.loading}
      </p>
    )
  return (
    <label class="setting">
      <span class="about-setting">
        <span class="label">{words.dictationModel}</span>
        <small>{words.dictationHelp}</small>
        {error && (
          <span class="callout bad text" role="alert">
            {error}
          </span>
        )}
      </span>
      <span class="control">
        <select value={prefs.value.model_id} onChange={choose}>
          {models.value.models.map(({ id, label, languages, size_gb: size, installed }) => (
            <option key={id} value={id}>
              {words.model(label, languages, installed ? '' : String(size))}
            </option>
          ))}
        </select>
      </span>
    </label>
  )
}
