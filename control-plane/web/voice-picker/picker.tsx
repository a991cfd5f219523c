// The button that shows the chosen voice and opens the list of voices, the same on every page. The list is loaded when it is opened.

import { strings } from '#messages/shared.ts'
import { Popover } from '../lib/controls.tsx'
import { useId, useState } from '../lib/html.ts'
import { whenOpened } from '../lib/later.tsx'
import { Icon } from '../look/icons.tsx'
import { VoicePrint } from '../look/voice-print.tsx'
import type { VoiceChoice, Voices } from './rows.ts'
import { voiceOf } from './rows.ts'

const List = whenOpened(() => import('./list.tsx').then(({ VoiceList }) => VoiceList))

/** A choice without a voice of its own, and others that only one page has: a name and what is said about it. */
export type OwnChoice = { value: string; name: string; about?: string }

/** Row of a choice that only the page has. Pure. */
export const ownRow = ({ value, name, about = '' }: OwnChoice): VoiceChoice => ({
  ...{ value, name, about, language: '', print: value || 'default', sample: null },
})

export function VoicePicker({
  label,
  value,
  own,
  voices,
  language = '',
  onChoose,
  onInstalled,
}: {
  /** name of the button before the name of the voice */
  label: string
  value: string
  /** the choices of the page, the first of them for no voice: its value is '' */
  own: readonly OwnChoice[]
  voices: Voices
  /** tag of the text, which the list begins with; '' if it is not known */
  language?: string
  onChoose: (value: string) => void
  /** a model was installed from the list */
  onInstalled?: () => unknown
}) {
  const id = `voices-${useId()}`
  const [isOpen, setOpen] = useState(false)
  const mine = own.find((one) => one.value === value)
  const isRead = voices.engines.length > 0 || voices.profiles.length > 0
  const found = mine ? ownRow(mine) : voiceOf(voices, value)
  const chosen = found ?? ownRow({ value, name: value.replace(/^[^:]*:/, ''), about: isRead ? strings.voiceAway : '' })
  const choose = (next: string) => {
    document.getElementById(id)?.hidePopover()
    if (next !== value) onChoose(next)
  }
  return (
    <Popover
      id={id}
      label={strings.voiceChosen(label, [chosen.name, chosen.about].filter(Boolean).join(' '))}
      title={label}
      kind="voice-chip"
      look="voice-picker"
      onToggle={setOpen}
      face={
        <>
          <VoicePrint id={chosen.print} />
          <span class="one-line">
            <b dir="auto">{chosen.name}</b> {chosen.about && <small dir="auto">{chosen.about}</small>}
          </span>
          <Icon of="down" />
        </>
      }
    >
      {isOpen && (
        <List.View
          id={id}
          label={label}
          chosen={chosen}
          isKnown={found !== null}
          own={own}
          voices={voices}
          language={language}
          onChoose={choose}
          onInstalled={onInstalled}
        />
      )}
    </Popover>
  )
}
