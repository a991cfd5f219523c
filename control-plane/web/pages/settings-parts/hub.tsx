// The source of models: the server and the token for models that require an account.
import { messageOf, post, put, remove } from '#control-plane/web/lib/api.ts'
import type { SettingRow } from '#control-plane/web/lib/api-types.ts'
import { Action, Badge, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { strings } from '#messages/system/settings.ts'
import { Locked } from '../settings/row.tsx'

const words = strings.hub
const FASTEST = 'auto'

function Mirror({ setting }: { setting: SettingRow | undefined }) {
  const { value, error, again } = useRead('/api/settings/hf-mirror')
  const [refusal, setRefusal] = useState('')
  if (!value)
    return error ? (
      <p class="callout bad text" role="alert">
        {error}
      </p>
    ) : null
  const { configured, effective, presets, mode } = value
  const choose = async (event: Event) => {
    const chosen = fieldValue(event)
    setRefusal('')
    try {
      await put('/api/settings/hf-mirror', chosen === FASTEST ? { mode: 'auto' } : { mode: 'manual', url: chosen })
      notify(strings.saved)
    } catch (failure) {
      setRefusal(messageOf(failure))
    }
    await again()
  }
  const isOther = mode === 'manual' && !presets.some(({ url }) => url === configured)
  return (
    <label class="setting" data-setting="hub.mirror">
      <span class="about-setting">
        <span class="label">{words.server}</span>
        <small class="text">{words.serverNow(effective)}</small>
        {setting && <Locked setting={setting} />}
        {refusal && (
          <span class="callout bad text" role="alert">
            {refusal}
          </span>
        )}
      </span>
      <span class="control">
        <select disabled={setting?.may_change === false} value={mode === 'auto' ? FASTEST : configured} onChange={choose}>
          {presets.map(({ label, url }) => (
            <option key={url} value={url}>
              {label}
            </option>
          ))}
          <option value={FASTEST}>{words.fastest}</option>
          {isOther && <option value={configured}>{configured}</option>}
        </select>
      </span>
    </label>
  )
}

export function Hub({ settings }: { settings: readonly SettingRow[] }) {
  const setting = (name: string) => settings.find(({ key }) => key === `hub.${name}`)
  const ofToken = setting('token')
  const mayChange = ofToken?.may_change !== false
  const { value, error, again } = useRead('/api/settings/hf-token/state')
  const [token, setToken] = useState('')
  const [refusal, setRefusal] = useState('')
  const own = value?.sources.find(({ source }) => source === 'app')
  const used = value?.sources.find(({ source }) => source === value.active)
  const save = async (event: Event) => {
    event.preventDefault()
    setRefusal('')
    try {
      await post('/api/settings/hf-token', { token: token.trim() })
      setToken('')
      notify(strings.saved)
    } catch (failure) {
      setRefusal(messageOf(failure))
    }
    await again()
  }
  const clear = async () => {
    await remove('/api/settings/hf-token')
    await again()
  }
  return (
    <>
      <Mirror setting={setting('mirror')} />
      <form class="setting" data-setting="hub.token" onSubmit={save}>
        <div class="about-setting">
          <span class="label">{words.token}</span>
          <small>{words.tokenHelp}</small>
          {ofToken && <Locked setting={ofToken} />}
          {used && (
            <p class="row">
              <Badge tone={used.whoami_ok ? 'good' : 'warn'}>
                {used.whoami_ok ? words.signedIn(used.whoami_user ?? '') : words.notChecked}
              </Badge>
              <small class="text">
                {words.from[used.source]} {used.masked}
              </small>
            </p>
          )}
          {(refusal || error) && (
            <p class="callout bad text" role="alert">
              {refusal || error}
            </p>
          )}
        </div>
        <div class="control">
          <Field label={words.newToken} look="unnamed">
            <input
              type="password"
              autocomplete="off"
              maxlength={1000}
              disabled={!mayChange}
              value={token}
              placeholder={own?.set ? strings.isSet : strings.notSet}
              onInput={(event: Event) => setToken(fieldValue(event))}
            />
          </Field>
          {token.trim() !== '' && <button type="submit">{strings.save}</button>}
          {own?.set && mayChange && (
            <Action kind="quiet" aria-label={strings.clearOf(words.token)} onPress={clear}>
              {strings.clear}
            </Action>
          )}
        </div>
      </form>
    </>
  )
}
