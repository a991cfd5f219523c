// Menus above the text, loaded when they are opened: silence, how a word is said, and all drafts.
import type { RefObject } from 'preact'
import { get } from '#control-plane/web/lib/api.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { ago } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
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
  type(field, `${before}[pause ${ms / 1000} s]${after}`)
}

type Place = RefObject<HTMLTextAreaElement | null>

export const PauseMenu = ({ place }: { place: Place }) => (
  <div class="body">
    {PAUSES_MS.map((ms) => (
      <button key={ms} type="button" class="item" data-close onClick={() => pauseAt(place.current, ms)}>
        {strings.pauseOf(ms / 1000)}
      </button>
    ))}
  </div>
)

/** The word that is selected in the text. */
function selectedWord(field: HTMLTextAreaElement | null) {
  if (!field) return ''
  const { value, selectionStart, selectionEnd } = field
  return plain(value.slice(selectionStart, Math.min(selectionEnd, selectionStart + WORD_CHARS)))
}

export function SayAs({ place }: { place: Place }) {
  const [{ word, said }, set] = useState(() => ({ word: selectedWord(place.current), said: '' }))
  const isReady = plain(word) !== '' && plain(said) !== ''
  const insert = () => isReady && type(place.current, `[[${plain(word)}|${plain(said)}]]`)
  return (
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
  )
}

/** `project`: of the draft in the field, '' for none */
export function DraftList({
  project,
  kind: wanted,
  onOpen,
  onNew,
}: {
  project: string
  /** the kind that drafts have */
  kind: string
  onOpen: (id: string) => Promise<unknown>
  onNew: () => Promise<unknown>
}) {
  const [drafts, setDrafts] = useState<Gets['/projects']>([])
  useEffect(() => {
    get('/projects').then((all) => setDrafts(all.filter(({ kind }) => kind === wanted)), reportFailure)
  }, [])
  return (
    <div class="body">
      <button type="button" class="item" data-close onClick={() => onNew().catch(reportFailure)}>
        <Icon of="plus" />
        <span>{strings.newDraft}</span>
      </button>
      {drafts.map(({ id, name, updated_at }) => (
        <button
          key={id}
          type="button"
          class="item"
          data-close
          aria-current={id === project ? 'true' : undefined}
          onClick={() => onOpen(id).catch(reportFailure)}
        >
          <Icon of={id === project ? 'check' : 'draft'} />
          <span class="text">
            {name}
            <small>{ago(updated_at)}</small>
          </span>
        </button>
      ))}
    </div>
  )
}
