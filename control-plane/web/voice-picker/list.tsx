// The list of voices, found by name and language. The field keeps the focus and controls the list box, so that one types and moves without leaving
// it; the buttons beside the options belong to no option (`aria-owns`), because an option can't hold one.

import { strings } from '#messages/library/voice-picker.ts'
import { strings as shared } from '#messages/shared.ts'
import { fieldValue } from '../lib/controls.tsx'
import { useEffect, useRef, useState } from '../lib/html.ts'
import { Icon } from '../look/icons.tsx'
import { languageName } from '../pages/dub/languages.ts'
import { useFound } from './found.ts'
import { Group } from './group.tsx'
import type { OwnChoice } from './picker.tsx'
import type { VoiceChoice, Voices } from './rows.ts'
import { useSamples } from './sample.ts'

const MOST_CHARS = 100
const PAGE = 8

const Foot = () => (
  <footer>
    <a class="button" href="#/voices/new" data-close>
      <Icon of="plus" />
      {strings.newVoice}
    </a>
    <span class="spread"></span>
    <span class="wide-only" aria-hidden="true">
      <kbd>{strings.spaceKey}</kbd> {strings.keys.play} <kbd>↵</kbd> {strings.keys.choose}
    </span>
    <button type="button" class="quiet phone-close" data-close>
      {shared.close}
    </button>
  </footer>
)

/** `chosen`: its row; `isKnown`: it is among the voices */
export function VoiceList({
  id,
  label,
  onChoose,
  onInstalled,
  ...choice
}: {
  id: string
  label: string
  chosen: VoiceChoice
  isKnown: boolean
  own: readonly OwnChoice[]
  voices: Voices
  language: string
  onChoose: (value: string) => void
  onInstalled?: (() => unknown) | undefined
}) {
  const { chosen } = choice
  const found = useFound(choice)
  const { shown, isSearching } = found
  const rows = shown.flatMap((one) => one.rows)
  const [wanted, setWanted] = useState(chosen.value)
  const [isMoving, setMoving] = useState(true)
  const field = useRef<HTMLInputElement | null>(null)
  const samples = useSamples(rows)
  const here = Math.max(
    0,
    rows.findIndex(({ value }) => value === wanted),
  )
  const active = rows[here]
  const optionId = (row: VoiceChoice) => `${id}-${rows.indexOf(row)}`
  useEffect(() => field.current?.focus(), [])
  useEffect(() => document.getElementById(`${id}-${here}`)?.scrollIntoView({ block: 'nearest' }), [here, found.text, found.language])

  const play = (row: VoiceChoice | undefined) => {
    if (row) setWanted(row.value)
    return samples.play(row)
  }
  const move = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (row) setWanted(row.value)
    setMoving(true)
  }
  const key = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }
    const step = steps[event.key]
    if (step !== undefined) move(here + step)
    else if (event.key === 'Home' && !isSearching) move(0)
    else if (event.key === 'End' && !isSearching) move(rows.length - 1)
    else if (event.key === 'Enter' && !event.isComposing && active) onChoose(active.value)
    else if (event.key === ' ' && (isMoving || !isSearching)) void play(active)
    else return
    event.preventDefault()
  }
  /** The first Escape ends the sound, the next one closes the list, as the browser does. */
  const stopFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !samples.stop()) return
    event.preventDefault()
    event.stopPropagation()
  }
  const type = (event: Event) => {
    found.setText(fieldValue(event))
    setMoving(false)
    setWanted('')
  }
  const chooseLanguage = (event: Event) => {
    found.chooseLanguage(fieldValue(event))
    setWanted(chosen.value)
  }
  const openAll = (group: string) => {
    found.openAll(group)
    field.current?.focus()
  }
  return (
    <div class="voice-list" onKeyDown={stopFirst}>
      <div class="voice-find">
        <Icon of="search" />
        <input
          ref={field}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          maxlength={MOST_CHARS}
          value={found.text}
          placeholder={strings.find}
          aria-label={strings.find}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active ? optionId(active) : undefined}
          aria-describedby={`${id}-keys`}
          onInput={type}
          onKeyDown={key}
        />
        {found.codes.length > 1 && (
          <select class="quiet" aria-label={strings.language} value={found.language} onChange={chooseLanguage}>
            <option value="">{strings.allLanguages}</option>
            {found.codes.map((code) => (
              <option key={code} value={code}>
                {languageName(code)}
              </option>
            ))}
          </select>
        )}
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={label}>
        {shown.map(({ group, rows: mine }) => (
          <div role="group" key={group.id} aria-label={group.name} aria-owns={mine.map(optionId).join(' ')}></div>
        ))}
      </div>
      <div class="voice-rows">
        {shown.map((one) => (
          <Group
            key={one.group.id}
            shown={one}
            optionId={optionId}
            active={active}
            chosen={chosen.value}
            samples={samples}
            onAll={() => openAll(one.group.id)}
            onChoose={onChoose}
            onPlay={play}
            onPoint={setWanted}
            onInstalled={onInstalled}
          />
        ))}
        {rows.length === 0 && <p class="empty">{isSearching ? strings.nothing : strings.nothingHere}</p>}
      </div>
      {samples.trouble && (
        <p class="callout bad text" role="alert">
          {samples.trouble}
        </p>
      )}
      <p class="hidden" id={`${id}-keys`}>
        {strings.keyHelp}
      </p>
      <p class="hidden" role="status">
        {samples.isPlaying && samples.sounding ? strings.playing(samples.sounding.name) : isSearching ? strings.found(rows.length) : ''}
      </p>
      <Foot />
    </div>
  )
}
