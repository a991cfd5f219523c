// Providers of language models: which one is used, and its address, model and key.

import { get, post, put } from '#control-plane/web/lib/api.ts'
import type { LlmProviderRow, SettingRow } from '#control-plane/web/lib/api-types.ts'
import { Action, Badge, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/settings.ts'
import { Locked } from '../settings/row.tsx'

const words = strings.providers

function Provider({
  provider,
  isActive,
  setting,
  onChanged,
}: {
  provider: LlmProviderRow
  isActive: boolean
  setting: SettingRow | undefined
  onChanged: () => Promise<unknown>
}) {
  const isLocked = setting?.may_change === false
  const { id, display_name: name, notes, local, needs_account: needsAccount, has_key: hasKey } = provider
  const [url, setUrl] = useState(provider.base_url)
  const [model, setModel] = useState(provider.model)
  const [account, setAccount] = useState(provider.account_id ?? '')
  const [key, setKey] = useState('')
  const [models, setModels] = useState<readonly string[]>([])
  const [tested, setTested] = useState<{ ok: boolean; text: string } | null>(null)
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
  return (
    <Form
      onSend={save}
      send={strings.save}
      disabled={isLocked}
      extra={
        <>
          <Action onPress={test}>{words.test}</Action>
          {!isActive && (
            <Action onPress={activate} disabled={!provider.configured}>
              {words.use}
            </Action>
          )}
        </>
      }
    >
      <p class="row">
        <b>{name}</b>
        {isActive && <Badge tone="good">{words.active}</Badge>}
        <span class="soft text">
          {local ? words.local : words.remote} {serverSentence(notes)}
        </span>
      </p>
      {setting && <Locked setting={setting} />}
      <Field label={words.address}>
        <input
          type="url"
          maxlength={2000}
          value={url}
          disabled={isLocked || provider.base_url_from_env}
          onInput={(event: Event) => setUrl(fieldValue(event))}
        />
      </Field>
      <Field label={words.model}>
        <input
          maxlength={200}
          list="provider-models"
          value={model}
          disabled={isLocked || provider.model_from_env}
          onInput={(event: Event) => setModel(fieldValue(event))}
        />
      </Field>
      <datalist id="provider-models">
        {models.map((one) => (
          <option key={one} value={one}></option>
        ))}
      </datalist>
      {needsAccount && (
        <Field label={words.account}>
          <input maxlength={64} disabled={isLocked} value={account} onInput={(event: Event) => setAccount(fieldValue(event))} />
        </Field>
      )}
      <Field label={words.key} hint={words.keyHint}>
        <input
          type="password"
          autocomplete="off"
          maxlength={1000}
          value={key}
          disabled={isLocked || provider.key_from_env}
          placeholder={hasKey ? strings.isSet : strings.notSet}
          onInput={(event: Event) => setKey(fieldValue(event))}
        />
      </Field>
      {tested && (
        <p class={`callout text ${tested.ok ? 'good' : 'bad'}`} role="status">
          {tested.text}
        </p>
      )}
    </Form>
  )
}

export function Providers({ settings }: { settings: readonly SettingRow[] }) {
  const { value, error, again } = useRead('/api/settings/llm-providers')
  const [chosen, setChosen] = useState('')
  if (!value)
    return (
      <p class={error ? 'callout bad text' : 'empty'} role="status">
        {error || shared.loading}
      </p>
    )
  const provider = value.providers.find(({ id }) => id === (chosen || value.active)) ?? value.providers[0]
  return (
    <>
      <div class="row">
        <Field label={words.choose} look="chip">
          <select value={provider?.id} onChange={(event: Event) => setChosen(fieldValue(event))}>
            {value.providers.map(({ id, display_name: name, configured }) => (
              <option key={id} value={id}>
                {id === value.active ? words.inUse(name) : configured ? words.ready(name) : name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      {provider && (
        <Provider
          key={provider.id}
          provider={provider}
          isActive={provider.id === value.active}
          setting={settings.find(({ key }) => key === `llm.provider.${provider.id}`)}
          onChanged={again}
        />
      )}
    </>
  )
}
