// The speaker of a line with the way to a new one, and names that lines begin with.

import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/dub.ts'
import { strings as parts } from '#messages/dub/parts.ts'
import { list } from '#messages/language.ts'
import { strings as shared } from '#messages/shared.ts'
import type { FoundName } from './names.ts'

/** No id of a speaker begins with a space. */
const NEW = ' new'
const MOST_SHOWN = 8

/** A field for a name, with the focus. */
function NameField({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  const [name, setName] = useState('')
  const field = useRef<HTMLInputElement | null>(null)
  useEffect(() => field.current?.focus(), [])
  const send = (event: Event) => {
    event.preventDefault()
    if (name.trim() !== '') onName(name)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onClose()
  }
  return (
    <form class="row new-speaker" onSubmit={send} onKeyDown={key}>
      <Field label={parts.newSpeakerName}>
        <input ref={field} dir="auto" maxlength={60} value={name} onInput={(event: Event) => setName(fieldValue(event))} />
      </Field>
      <button type="submit" disabled={name.trim() === ''}>
        {parts.addSpeaker}
      </button>
      <button type="button" class="quiet" onClick={onClose}>
        {shared.cancel}
      </button>
    </form>
  )
}

/** `onNew`: makes a speaker of this name, or finds one. */
export function SpeakerField({
  value,
  speakers,
  nameOf,
  onChoose,
  onNew,
}: {
  value: string
  speakers: readonly string[]
  nameOf: (speaker: string) => string
  onChoose: (speaker: string) => void
  onNew: (name: string) => void
}) {
  const [isNaming, setNaming] = useState(false)
  const select = useRef<HTMLSelectElement | null>(null)
  const choose = (event: Event) => {
    const chosen = fieldValue(event)
    if (chosen !== NEW) return onChoose(chosen)
    if (select.current) select.current.value = value
    setNaming(true)
  }
  const close = () => {
    setNaming(false)
    select.current?.focus()
  }
  return (
    <>
      <Field label={strings.speaker}>
        <select ref={select} value={value} onChange={choose}>
          {speakers.map((one) => (
            <option key={one} value={one}>
              {nameOf(one)}
            </option>
          ))}
          <option value={NEW}>{parts.newSpeaker}</option>
        </select>
      </Field>
      {isNaming && (
        <NameField
          onName={(name: string) => {
            onNew(name)
            close()
          }}
          onClose={close}
        />
      )}
      <small class="soft wide-only">{parts.speakerKeys}</small>
    </>
  )
}

/** A button that becomes the field for a name. */
export function NewSpeaker({ onNew }: { onNew: (name: string) => void }) {
  const [isNaming, setNaming] = useState(false)
  const button = useRef<HTMLButtonElement | null>(null)
  const wasNaming = useRef(false)
  useEffect(() => {
    if (wasNaming.current && !isNaming) button.current?.focus()
    wasNaming.current = isNaming
  }, [isNaming])
  if (!isNaming)
    return (
      <button ref={button} type="button" onClick={() => setNaming(true)}>
        <Icon of="plus" />
        {parts.newSpeaker}
      </button>
    )
  return (
    <NameField
      onName={(name: string) => {
        onNew(name)
        setNaming(false)
      }}
      onClose={() => setNaming(false)}
    />
  )
}

/** Names that lines begin with, until a person decides. */
export const FoundNames = ({ names, onUse, onKeep }: { names: readonly FoundName[]; onUse: () => void; onKeep: () => void }) => (
  <div class="side-note" role="group" aria-label={parts.namesFound}>
    <p class="text">
      <Icon of="captions" />
      <span>
        {parts.namesFound} <b dir="auto">{list(names.slice(0, MOST_SHOWN).map(({ name }) => name))}</b>
        {names.length > MOST_SHOWN && ` ${parts.morePlaces(names.length - MOST_SHOWN)}`}
      </span>
    </p>
    <div class="row">
      <button type="button" class="tint" onClick={onUse}>
        {parts.useNames}
      </button>
      <button type="button" class="quiet" onClick={onKeep}>
        {parts.keepNames}
      </button>
    </div>
  </div>
)
