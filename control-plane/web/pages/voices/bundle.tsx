// Import of a bundle: it is described before anything is stored.
import { messageOf, request } from '#control-plane/web/lib/api.ts'
import type { BundleFacts } from '#control-plane/web/lib/api-types.ts'
import { Action, Dialog, Form } from '#control-plane/web/lib/controls.tsx'
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/library/voices.ts'

const FILES = '.svcvoice,.svcbundle'

async function sent(path: string, file: File) {
  const form = new FormData()
  form.append('file', file)
  return (await request('POST', path, { form })).json()
}

function Import({ file, facts, onClose, onDone }: { file: File; facts: BundleFacts; onClose: () => void; onDone: () => Promise<void> }) {
  const { name, kind, language, license_spdx: licence, consent } = facts
  const send = async () => {
    const { profile_id: id } = await sent('/personas/import', file)
    await onDone()
    notify(strings.imported)
    onClose()
    location.hash = `#/voices/${id}`
  }
  return (
    <Dialog title={strings.importTitle} onClose={onClose}>
      <p>
        <strong class="text" dir="auto">
          {name}
        </strong>
        <br />
        <span class="soft text">{strings.bundleFacts(strings.kinds[kind], language, licence)}</span>
      </p>
      {consent?.would_verify && (
        <p class="note">
          <Icon of="shield" />
          {strings.hasStatement}
        </p>
      )}
      {consent?.verified_claimed && !consent.would_verify && (
        <p class="note">
          <Icon of="note" />
          {strings.claimsStatement}
        </p>
      )}
      {facts.preview_only && (
        <p class="note">
          <Icon of="note" />
          {strings.previewOnly}
        </p>
      )}
      {facts.schema_version_ahead && (
        <p class="note">
          <Icon of="note" />
          {strings.newer}
        </p>
      )}
      <Form onSend={send} send={strings.importTitle} />
    </Dialog>
  )
}

export function ImportButton({ onDone }: { onDone: () => Promise<void> }) {
  const input = useRef<HTMLInputElement | null>(null)
  const [chosen, setChosen] = useState<{ file: File; facts: BundleFacts } | null>(null)
  const changed = async () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (!file) return
    try {
      setChosen({ file, facts: await sent('/personas/inspect', file) })
    } catch (error) {
      notify(messageOf(error), 'error')
    }
  }
  return (
    <>
      <input ref={input} type="file" hidden accept={FILES} aria-label={strings.bundle} onChange={changed} />
      <Action onPress={() => input.current?.click()}>
        <Icon of="upload" />
        {strings.import}
      </Action>
      {chosen && <Import {...chosen} onClose={() => setChosen(null)} onDone={onDone} />}
    </>
  )
}
