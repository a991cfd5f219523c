// The editor of one voice: its fields, its bundle, its portrait, and its copy in the hosted library.
import { messageOf, post, put, request } from '#control-plane/web/lib/api.ts'
import type { VoiceRow } from '#control-plane/web/lib/api-types.ts'
import { Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/library/voices.ts'
import { changesOf, fieldsOf } from './profile.ts'

const URL_MS = 10_000
const PICTURES = 'image/jpeg,image/png,image/webp'

export function Edit({ voice, onClose, onChanged }: { voice: VoiceRow; onClose: () => void; onChanged: () => Promise<void> }) {
  const { id } = voice
  const [before] = useState(() => fieldsOf(voice))
  const [fields, setFields] = useState(before)
  // While a take is locked, the transcript in the row is that of the take.
  const hasTranscript = voice.kind === 'clone' && voice.is_locked === 0
  const set = (name: keyof typeof fields) => (event: Event) => setFields((now) => ({ ...now, [name]: fieldValue(event) }))
  const send = async () => {
    const changes = changesOf(before, fields)
    if (Object.keys(changes).length > 0) await put(`/profiles/${id}` as `/profiles/${string}`, changes)
    notify(strings.saved)
    await onChanged()
    onClose()
  }
  return (
    <Dialog title={strings.editTitle} onClose={onClose}>
      <Form onSend={send} send={strings.save} disabled={fields.name.trim() === ''}>
        <Field label={strings.name}>
          <input value={fields.name} maxlength={1000} onInput={set('name')} />
        </Field>
        <Field label={strings.language} hint={strings.languageHint}>
          <input value={fields.language} maxlength={64} onInput={set('language')} />
        </Field>
        <Field label={strings.description} hint={strings.descriptionHint}>
          <textarea rows={2} maxlength={4000} value={fields.description} onInput={set('description')}></textarea>
        </Field>
        {hasTranscript && (
          <Field label={strings.transcript} hint={strings.transcriptHint}>
            <textarea rows={3} maxlength={10000} value={fields.ref_text} onInput={set('ref_text')}></textarea>
          </Field>
        )}
        <label class="tick">
          <input
            type="checkbox"
            checked={fields.stays_here}
            onChange={() => setFields((now) => ({ ...now, stays_here: !now.stays_here }))}
          />
          <span>
            {strings.stay}
            <small>{strings.stayHint}</small>
          </span>
        </label>
      </Form>
    </Dialog>
  )
}

export function Export({ voice, onClose }: { voice: VoiceRow; onClose: () => void }) {
  const [licence, setLicence] = useState(Object.keys(strings.licences)[0] ?? '')
  const [hasReference, setReference] = useState(true)
  const send = async () => {
    const query = new URLSearchParams({ license_spdx: licence, include_reference: String(hasReference) })
    const response = await request('POST', `/personas/export/${voice.id}?${query}`)
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `${voice.id}.svcvoice`
    const notice = response.headers.get('x-svc-notice')
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), URL_MS)
    if (notice) notify(messageOf(notice))
    onClose()
  }
  return (
    <Dialog title={strings.exportTitle} onClose={onClose}>
      <p class="soft">{strings.exportText}</p>
      <Form onSend={send} send={strings.exportYes}>
        <Field label={strings.licence}>
          <select value={licence} onChange={(event: Event) => setLicence(fieldValue(event))}>
            {Object.entries(strings.licences).map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <label class="tick">
          <input type="checkbox" checked={hasReference} onChange={() => setReference(!hasReference)} />
          <span>
            {strings.withReference}
            <small>{strings.withReferenceHint}</small>
          </span>
        </label>
      </Form>
    </Dialog>
  )
}

/** The item of the menu, and the file that it asks for. */
export function PortraitItem({ voice, onChanged }: { voice: VoiceRow; onChanged: () => Promise<void> }) {
  const input = useRef<HTMLInputElement | null>(null)
  const changed = async () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (!file) return
    const form = new FormData()
    form.append('image', file)
    try {
      await request('PUT', `/profiles/${voice.id}/image`, { form })
      notify(strings.portraitSaved)
      await onChanged()
    } catch (error) {
      notify(messageOf(error), 'error')
    }
  }
  return (
    <>
      <input ref={input} type="file" hidden accept={PICTURES} aria-label={strings.portraitFile} onChange={changed} />
      <button type="button" class="item" data-close onClick={() => input.current?.click()}>
        <Icon of="voice" />
        <span>{strings.portrait}</span>
      </button>
    </>
  )
}

/** The hosted library takes cloned voices with a statement that may leave this machine. */
export const mayBeHosted = ({ kind, verified_own_voice: isShown, stays_here: isHere }: VoiceRow) =>
  kind === 'clone' && isShown === 1 && isHere === 0

export async function copyToHosted(voice: VoiceRow, onChanged: () => Promise<void>) {
  try {
    const reply = await post(`/profiles/${voice.id}/hosted-sync` as `/profiles/${string}/hosted-sync`, {})
    notify('state' in reply && reply.state === 'already_synced' ? strings.copiedBefore : strings.copiedNow)
    await onChanged()
  } catch (error) {
    notify(messageOf(error), 'error')
  }
}
