// @ts-check
// Providers of language models: which one is used, and its address, model and key.
import { get, post, put } from '../../lib/api.js'
import { Action, Badge, Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { useRead } from '../../lib/read.js'
import { strings as shared } from '../../lib/strings.js'
import { strings } from '../settings/strings.js'

/** @import { LlmProviderRow } from '../../lib/api-types.ts' */

const words = strings.providers

/** @param {{ provider: LlmProviderRow, isActive: boolean, onChanged: () => Promise<unknown> }} props */
function Provider({ provider, isActive, onChanged }) {
  const { id, display_name: name, notes, local, needs_account: needsAccount, has_key: hasKey } = provider
  const [url, setUrl] = useState(provider.base_url)
  const [model, setModel] = useState(provider.model)
  const [account, setAccount] = useState(provider.account_id ?? '')
  const [key, setKey] = useState('')
  const [models, setModels] = useState(/** @type {readonly string[]} */ ([]))
  const [tested, setTested] = useState(/** @type {{ ok: boolean, text: string } | null} */ (null))
  useEffect(() => {
    setUrl(provider.base_url)
    setModel(provider.model)
  }, [provider.base_url, provider.model])
  const save = async () => {
    const { key_removed: isKeyRemoved } = await put(`/api/settings/llm-providers/${id}`, {
      base_url: url,
      model,
      ...(needsAccount && { account_id: account }),
      ...(key !== '' && { api_key: key }),
    })
    setKey('')
    notify(isKeyRemoved ? words.keyRemoved : strings.saved)
    await onChanged()
  }
  const activate = async () => {
    await post('/api/settings/llm-providers/active', { provider: id })
    await onChanged()
  }
  const test = async () => {
    const answer = await post(`/api/settings/llm-providers/${id}/test`, {})
    setTested({ ok: answer.ok, text: answer.ok ? words.answers(answer.model, Math.round(answer.latency_ms)) : answer.detail })
    if (answer.ok) setModels((await get(`/api/settings/llm-providers/${id}/models`)).models)
  }
  return html`<${Form} onSend=${save} send=${strings.save} extra=${html`
      <${Action} onPress=${test}>${words.test}<//>
      ${!isActive && html`<${Action} onPress=${activate} disabled=${!provider.configured}>${words.use}<//>`}`}>
    <p class="row"><b>${name}</b>${isActive && html`<${Badge} tone="good">${words.active}<//>`}<span class="soft text">${local ? words.local : words.remote} ${notes}</span></p>
    <${Field} label=${words.address}><input type="url" maxlength="2000" value=${url} disabled=${provider.base_url_from_env} onInput=${(/** @type {Event} */ event) => setUrl(fieldValue(event))} /><//>
    <${Field} label=${words.model}><input maxlength="200" list="provider-models" value=${model} disabled=${provider.model_from_env} onInput=${(/** @type {Event} */ event) => setModel(fieldValue(event))} /><//>
    <datalist id="provider-models">${models.map((one) => html`<option key=${one} value=${one}></option>`)}</datalist>
    ${needsAccount && html`<${Field} label=${words.account}><input maxlength="64" value=${account} onInput=${(/** @type {Event} */ event) => setAccount(fieldValue(event))} /><//>`}
    <${Field} label=${words.key} hint=${words.keyHint}><input type="password" autocomplete="off" maxlength="1000" value=${key} disabled=${provider.key_from_env} placeholder=${hasKey ? strings.isSet : strings.notSet}
      onInput=${(/** @type {Event} */ event) => setKey(fieldValue(event))} /><//>
    ${tested && html`<p class=${`callout text ${tested.ok ? 'good' : 'bad'}`} role="status">${tested.text}</p>`}
  <//>`
}

export function Providers() {
  const { value, error, again } = useRead('/api/settings/llm-providers')
  const [chosen, setChosen] = useState('')
  if (!value) return html`<p class=${error ? 'callout bad text' : 'empty'} role="status">${error || shared.loading}</p>`
  const provider = value.providers.find(({ id }) => id === (chosen || value.active)) ?? value.providers[0]
  return html`<div class="row"><${Field} label=${words.choose} look="chip"><select value=${provider?.id} onChange=${(/** @type {Event} */ event) => setChosen(fieldValue(event))}>${value.providers.map(
    ({ id, display_name: name, configured }) =>
      html`<option key=${id} value=${id}>${id === value.active ? words.inUse(name) : configured ? words.ready(name) : name}</option>`,
  )}</select><//></div>
    ${provider && html`<${Provider} key=${provider.id} provider=${provider} isActive=${provider.id === value.active} onChanged=${again} />`}`
}
