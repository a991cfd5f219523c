// The glossary of a dub: how words are translated everywhere, written by a person or found by the language model.
import { get, messageOf, post, put, remove, request } from '#control-plane/web/lib/api.ts'
import type { Gets, Posts } from '#control-plane/web/lib/api-types.ts'
import { Action, Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/dub.ts'
import { strings as parts } from '#messages/dub/parts.ts'
import { strings as shared } from '#messages/shared.ts'
import type { Line } from '../dub/lines.ts'

export type Term = Gets[`/glossary/${string}`][number]

const MOST_CHARS = 200
const MOST_NOTE = 1_000
/** The studio reads the first of them. */
const MOST_LINES = 5_000
const EMPTY = { source: '', target: '', note: '' }

/** The lines that have a term and not its translation. Pure. */
export const linesWithout = (lines: readonly Line[], terms: readonly Pick<Term, 'source' | 'target'>[]) => {
  const lower = terms.map(({ source, target }) => ({ source: source.toLowerCase(), target: target.toLowerCase() }))
  return lines.filter((line) => {
    const [source, target] = [line.source.toLowerCase(), line.target.toLowerCase()]
    return line.target !== '' && lower.some((term) => source.includes(term.source) && !target.includes(term.target))
  })
}

const TermFields = ({
  term,
  onChange,
}: {
  term: Pick<Term, 'source' | 'target' | 'note'>
  onChange: (term: Pick<Term, 'source' | 'target' | 'note'>) => void
}) => (
  <div class="row term-fields">
    <Field label={parts.termSource}>
      <input
        dir="auto"
        required
        maxlength={MOST_CHARS}
        value={term.source}
        onInput={(event: Event) => onChange({ ...term, source: fieldValue(event) })}
      />
    </Field>
    <Field label={parts.termTarget}>
      <input
        dir="auto"
        required
        maxlength={MOST_CHARS}
        value={term.target}
        onInput={(event: Event) => onChange({ ...term, target: fieldValue(event) })}
      />
    </Field>
    <Field label={parts.termNote}>
      <input
        dir="auto"
        maxlength={MOST_NOTE}
        value={term.note}
        onInput={(event: Event) => onChange({ ...term, note: fieldValue(event) })}
      />
    </Field>
  </div>
)

/** Long factory: the markup of a dialog with three forms. */
export function Glossary({
  id,
  lines,
  code,
  from,
  canTranslate,
  onTranslate,
  onClose,
}: {
  /** id of the dub */
  id: string
  lines: readonly Line[]
  /** code of the target */
  code: string
  /** language of the film */
  from: string
  canTranslate: boolean
  onTranslate: (lines: readonly Line[]) => void
  onClose: () => void
}) {
  const [terms, setTerms] = useState<readonly Term[] | null>(null)
  const [error, setError] = useState('')
  const [found, setFound] = useState('')
  const [added, setAdded] = useState(EMPTY)
  const [edited, setEdited] = useState<Term | null>(null)
  const path: `/glossary/${string}` = `/glossary/${encodeURIComponent(id)}`
  const read = () =>
    get(path).then(
      (rows) => {
        setTerms(rows)
        setError('')
      },
      (failure) => setError(messageOf(failure)),
    )
  useEffect(() => void read(), [])
  const add = async () => {
    await post(path, added)
    setAdded(EMPTY)
    await read()
  }
  const save = async () => {
    if (!edited) return
    const { source, target, note } = edited
    await put(`${path}/${encodeURIComponent(edited.id)}`, { source, target, note })
    setEdited(null)
    await read()
  }
  const drop = async (term: Term) => {
    await remove(`${path}/${encodeURIComponent(term.id)}`)
    await read()
  }
  const extract = async () => {
    const segments = lines.slice(0, MOST_LINES).map(({ source }) => ({ text: source }))
    const body = { source_lang: from || 'en', target_lang: code, segments }
    const reply: Posts[`/glossary/${string}/auto-extract`]['reply'] = await (await request('POST', `${path}/auto-extract`, { body })).json()
    setFound(Array.isArray(reply) ? parts.noTerms : parts.termsFound(reply.inserted))
    await read()
  }
  const outdated = linesWithout(lines, terms ?? [])
  const again = () => {
    onClose()
    onTranslate(outdated)
  }
  return (
    <Dialog title={strings.glossary} onClose={onClose}>
      <p class="soft">{parts.glossaryHint}</p>
      {error && (
        <p class="callout bad text" role="alert">
          {error}{' '}
          <button type="button" onClick={read}>
            {strings.again}
          </button>
        </p>
      )}
      {terms !== null && terms.length === 0 && <p class="empty">{parts.noGlossary}</p>}
      {terms !== null && terms.length > 0 && (
        <ul class="plain terms" aria-label={parts.terms}>
          {terms.map((term) =>
            edited?.id === term.id ? (
              <li key={term.id} class="edited">
                <Form
                  onSend={save}
                  send={shared.save}
                  kind="tint"
                  extra={
                    <button type="button" onClick={() => setEdited(null)}>
                      {shared.cancel}
                    </button>
                  }
                >
                  <TermFields term={edited} onChange={(next) => setEdited({ ...edited, ...next })} />
                </Form>
              </li>
            ) : (
              <li key={term.id} class="row">
                <span class="text">
                  <b dir="auto">{term.source}</b> <span aria-hidden="true">→</span> <span dir="auto">{term.target}</span>
                  {term.note && <small dir="auto">{term.note}</small>}
                </span>
                <span class="spread"></span>
                {term.auto && <span class="badge quiet">{parts.foundTerm}</span>}
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label={parts.editTerm(term.source)}
                  title={parts.editTerm(term.source)}
                  onClick={() => setEdited(term)}
                >
                  <Icon of="draft" />
                </button>
                <Action
                  kind="quiet icon-only"
                  aria-label={parts.removeTerm(term.source)}
                  title={parts.removeTerm(term.source)}
                  onPress={() => drop(term)}
                >
                  <Icon of="trash" />
                </Action>
              </li>
            ),
          )}
        </ul>
      )}
      <section class="new-term">
        <Form
          onSend={add}
          send={parts.addTerm}
          kind=""
          extra={
            code !== '' &&
            lines.length > 0 && (
              <Action onPress={extract}>
                <Icon of="wand" />
                {parts.findTerms}
              </Action>
            )
          }
        >
          <TermFields term={added} onChange={setAdded} />
        </Form>
      </section>
      {found && (
        <p class="note" role="status">
          <Icon of="note" />
          {found}
        </p>
      )}
      <footer>
        {outdated.length > 0 && (
          <button type="button" disabled={!canTranslate || code === ''} onClick={again}>
            {parts.translateAgain(outdated.length)}
          </button>
        )}
        <button type="button" class="main" onClick={onClose}>
          {shared.done}
        </button>
      </footer>
    </Dialog>
  )
}
