// Buttons that put marks into the text where the cursor is: silence, and how a word is said.
import type { RefObject } from 'preact'
import { Field, fieldValue, Popover } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/speak.ts'

const PAUSES_MS = [250, 500, 1000, 2000]
const WORD_CHARS = 200
/** Characters that a word and its spelling cannot contain, because the mark is written with them. */
const OF_MARKS = /[[\]|]/g

const plain = (text: string) => text.replaceAll(OF_MARKS, '').trim()

/** Types it into the field, so that Ctrl Z takes it back. */
function type(field: HTMLTextAreaElement | null, text: string) {
  if (!field) return
  field.focus()
  if (document.execCommand('insertText', false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end')
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

/** With spaces where there are none beside the cursor. */
function pauseAt(field: HTMLTextAreaElement | null, ms: number) {
  if (!field) return
  const { value, selectionEnd: at } = field
  field.setSelectionRange(at, at)
  const before = at > 0 && !/\s/.test(value.charAt(at - 1)) ? ' ' : ''
  const after = /\s/.test(value.charAt(at)) ? '' : ' '
  type(field, `${before}[pause ${ms}ms]${after}`)
}

export function InsertMarks({ place }: { place: RefObject<HTMLTextAreaElement | null> }) {
  const [{ word, said }, set] = useState({ word: '', said: '' })
  const opened = (isOpen: boolean) => {
    if (!isOpen || !place.current) return
    const { value, selectionStart, selectionEnd } = place.current
    set({ word: plain(value.slice(selectionStart, Math.min(selectionEnd, selectionStart + WORD_CHARS))), said: '' })
  }
  const isReady = plain(word) !== '' && plain(said) !== ''
  const insert = () => isReady && type(place.current, `[[${plain(word)}|${plain(said)}]]`)
  return (
    <>
      <Popover
        id="insert-pause"
        label={strings.pauseMark}
        title={strings.insertPause}
        kind="quiet"
        look="menu"
        face={
          <>
            <Icon of="clock" />
            <span>{strings.pauseMark}</span>
          </>
        }
      >
        <div class="body">
          {PAUSES_MS.map((ms) => (
            <button key={ms} type="button" class="item" data-close onClick={() => pauseAt(place.current, ms)}>
              {strings.pauseOf(ms / 1000)}
            </button>
          ))}
        </div>
      </Popover>
      <Popover
        id="insert-said"
        label={strings.sayAs}
        title={strings.sayAsNote}
        kind="quiet"
        onToggle={opened}
        face={
          <>
            <Icon of="draft" />
            <span>{strings.sayAs}</span>
          </>
        }
      >
        <div class="foot">
          <Field label={strings.word}>
            <input value={word} maxlength={WORD_CHARS} onInput={(event: Event) => set({ word: fieldValue(event), said })} />
          </Field>
          <Field label={strings.saidAs} hint={strings.saidAsHint}>
            <input value={said} maxlength={WORD_CHARS} onInput={(event: Event) => set({ word, said: fieldValue(event) })} />
          </Field>
          <button type="button" disabled={!isReady} data-close onClick={insert}>
            {strings.insert}
          </button>
        </div>
      </Popover>
    </>
  )
}
