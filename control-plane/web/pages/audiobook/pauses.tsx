// The silences of a book after the parts of its layout.
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { strings } from '#messages/create/audiobook.ts'
import type { Book } from './book.ts'
import { changeBook } from './book.ts'

/** Milliseconds that the studio uses without a choice, and the most. */
const USUAL = {
  ...{ heading: 900, paragraph: 600, dialogue: 450, quotation: 600, list_item: 350, verse_line: 300 },
  ...{ table_row: 400, table_cell: 250, scene_break: 1800, sentence: 250 },
} as const
const MOST = 10_000
export type PauseName = keyof typeof USUAL

export function Pauses({ book: { pauses } }: { book: Book }) {
  const change = (name: PauseName) => (event: Event) => {
    const { [name]: _, ...others } = pauses
    const written = fieldValue(event).trim()
    const ms = Math.round(Number(written))
    const isChosen = written !== '' && ms >= 0 && ms <= MOST
    changeBook({ pauses: isChosen ? { ...others, [name]: ms } : others })
  }
  return (
    <details>
      <summary>{strings.pauses}</summary>
      <p class="soft">{strings.pausesHint}</p>
      <div class="fields pauses">
        {(Object.keys(USUAL) as PauseName[]).map((name) => (
          <Field key={name} label={strings.pauseAfter[name]}>
            <input
              type="number"
              min={0}
              max={MOST}
              step={50}
              placeholder={String(USUAL[name])}
              value={pauses[name] ?? ''}
              onChange={change(name)}
            />
          </Field>
        ))}
      </div>
    </details>
  )
}
