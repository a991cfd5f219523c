// The pronunciation dictionary: its entries, a new one, and a text as an engine receives it.
import { messageOf, post, put, remove } from '#control-plane/web/lib/api.ts'
import type { PronunciationRow, TextTrial } from '#control-plane/web/lib/api-types.ts'
import { Action, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/system/settings.ts'

export type EntryType = keyof typeof words.types

const words = strings.dictionary
const TYPES = Object.keys(words.types) as EntryType[]
const EMPTY = { term: '', replacement: '', type: 'respelling', language: '*' }
/** Rows that are drawn; the search finds the others. */
const MOST_SHOWN = 200
const TERM_CHARS = 200

const pathOf = (id: string): `/pronunciation/${string}` => `/pronunciation/${encodeURIComponent(id)}`

function Entry({
  entry: { id, term, replacement, type, language, enabled },
  onChanged,
}: {
  entry: PronunciationRow
  onChanged: () => Promise<unknown>
}) {
  const turn = async ({ target }: Event) => {
    const box = target as HTMLInputElement
    try {
      await put(pathOf(id), { enabled: box.checked })
    } catch (error) {
      box.checked = enabled
      notify(messageOf(error), 'error')
    }
    await onChanged()
  }
  const drop = async () => {
    await remove(pathOf(id))
    await onChanged()
  }
  return (
    <li class="entry">
      <input type="checkbox" aria-label={words.use(term)} checked={enabled} onChange={turn} />
      <b class="text one-line" dir="auto">
        {term}
      </b>
      <span class="soft text one-line" dir="auto">
        {replacement}
      </span>
      <small>
        {words.types[type as EntryType]?.[0] ?? type} · {language === '*' ? words.everyLanguage : language}
      </small>
      <Action kind="quiet icon-only" aria-label={words.removeOf(term)} onPress={drop}>
        <Icon of="trash" />
      </Action>
    </li>
  )
}

type Explained = NonNullable<TextTrial['explained']>

/** The text after each stage that changed it. */
function Stages({ of: { engine_name: engine, language, stages, notices } }: { of: Explained }) {
  const changed = stages.filter((stage) => stage.changed)
  return (
    <div class="stack" role="status">
      <p class="soft">{language === '' ? words.readUnknown(engine) : words.readBy(engine, language)}</p>
      {changed.length === 0 && <p>{words.unchanged}</p>}
      {changed.map(({ stage, lines }) => (
        <section key={stage}>
          <h4>{words.stages[stage]}</h4>
          {lines.map((line, at) => (
            <p key={at} class="text" dir="auto">
              {line}
            </p>
          ))}
        </section>
      ))}
      {notices.map((notice) => (
        <p key={notice} class="callout text">
          {serverSentence(notice)}
        </p>
      ))}
    </div>
  )
}

function Trial({ onAdd }: { onAdd: (term: string) => void }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState('')
  const [said, setSaid] = useState<Explained | null>(null)
  const test = async () => setSaid((await post('/pronunciation/test', { text, stages: true })).explained ?? null)
  const select = ({ target }: Event) => {
    const { selectionStart, selectionEnd, value } = target as HTMLTextAreaElement
    setSelected(value.slice(selectionStart, selectionEnd).trim().slice(0, TERM_CHARS))
  }
  const field = (
    <textarea
      dir="auto"
      rows={2}
      maxlength={10000}
      value={text}
      onInput={(event: Event) => setText(fieldValue(event))}
      onSelect={select}
    ></textarea>
  )
  return (
    <Form onSend={test} send={words.try} kind="plain" disabled={text.trim() === ''}>
      <Field label={words.sample}>{field}</Field>
      {said && <Stages of={said} />}
      {said &&
        (selected === '' || selected.includes('\n') ? (
          <small>{words.markWord}</small>
        ) : (
          <button type="button" class="plain" onClick={() => onAdd(selected)}>
            {words.addWord(selected)}
          </button>
        ))}
    </Form>
  )
}

export function Dictionary() {
  const { value, error, again } = useRead('/pronunciation')
  const [fresh, setFresh] = useState(EMPTY)
  const [search, setSearch] = useState('')
  const field = (name: keyof typeof EMPTY) => (event: Event) => setFresh({ ...fresh, [name]: fieldValue(event) })
  const add = async () => {
    await post('/pronunciation', { ...fresh, term: fresh.term.trim(), replacement: fresh.replacement.trim() })
    setFresh({ ...EMPTY, type: fresh.type, language: fresh.language })
    await again()
  }
  const replacement = useRef<HTMLInputElement>(null)
  const addWord = (term: string) => {
    setFresh({ ...fresh, term })
    replacement.current?.focus()
  }
  const found = value?.filter(({ term }) => term.toLowerCase().includes(search.toLowerCase())) ?? []
  const [, help] = words.types[fresh.type as EntryType]
  return (
    <>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      <Form onSend={add} send={words.add} disabled={fresh.term.trim() === ''}>
        <div class="entry-fields">
          <Field label={words.term}>
            <input dir="auto" maxlength={TERM_CHARS} value={fresh.term} onInput={field('term')} />
          </Field>
          <Field label={words.replacement}>
            <input ref={replacement} dir="auto" maxlength={256} value={fresh.replacement} onInput={field('replacement')} />
          </Field>
          <Field label={words.type}>
            <select value={fresh.type} onChange={field('type')}>
              {TYPES.map((one) => (
                <option key={one} value={one}>
                  {words.types[one][0]}
                </option>
              ))}
            </select>
          </Field>
          <Field label={words.language}>
            <input maxlength={64} value={fresh.language} onInput={field('language')} />
          </Field>
        </div>
        <small>{help}</small>
      </Form>
      {value?.length === 0 && <p class="soft">{words.none}</p>}
      {(value?.length ?? 0) > 10 && (
        <input
          type="search"
          class="find"
          aria-label={words.find}
          placeholder={words.find}
          value={search}
          onInput={(event: Event) => setSearch(fieldValue(event))}
        />
      )}
      <ul class="entries" aria-label={words.entries}>
        {found.slice(0, MOST_SHOWN).map((entry) => (
          <Entry key={entry.id} entry={entry} onChanged={again} />
        ))}
      </ul>
      {found.length > MOST_SHOWN && <p class="soft">{words.more(found.length - MOST_SHOWN)}</p>}
      <details>
        <summary>{words.trial}</summary>
        <Trial onAdd={addWord} />
      </details>
    </>
  )
}
