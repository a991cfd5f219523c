// @ts-check
// The glossary of a dub: how words are translated everywhere, written by a person or found by the language model.
import { get, messageOf, post, put, remove, request } from '../../lib/api.js'
import { Action, Dialog, Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { strings } from '../dub/strings.js'

/** @import { Gets, Posts } from '../../lib/api-types.ts' */
/** @import { Line } from '../dub/lines.js' */
/** @typedef {Gets[`/glossary/${string}`][number]} Term */

const MOST_CHARS = 200
const MOST_NOTE = 1_000
/** The studio reads the first of them. */
const MOST_LINES = 5_000
const EMPTY = { source: '', target: '', note: '' }

/** The lines that have a term and not its translation. Pure. @param {readonly Line[]} lines @param {readonly Pick<Term, 'source' | 'target'>[]} terms */
export const linesWithout = (lines, terms) => {
  const lower = terms.map(({ source, target }) => ({ source: source.toLowerCase(), target: target.toLowerCase() }))
  return lines.filter((line) => {
    const [source, target] = [line.source.toLowerCase(), line.target.toLowerCase()]
    return line.target !== '' && lower.some((term) => source.includes(term.source) && !target.includes(term.target))
  })
}

/** @param {{ term: Pick<Term, 'source' | 'target' | 'note'>, onChange: (term: Pick<Term, 'source' | 'target' | 'note'>) => void }} props */
const TermFields = ({ term, onChange }) => html`<div class="row term-fields">
  <${Field} label=${strings.termSource}><input dir="auto" required maxlength=${MOST_CHARS} value=${term.source} onInput=${(/** @type {Event} */ event) => onChange({ ...term, source: fieldValue(event) })} /><//>
  <${Field} label=${strings.termTarget}><input dir="auto" required maxlength=${MOST_CHARS} value=${term.target} onInput=${(/** @type {Event} */ event) => onChange({ ...term, target: fieldValue(event) })} /><//>
  <${Field} label=${strings.termNote}><input dir="auto" maxlength=${MOST_NOTE} value=${term.note} onInput=${(/** @type {Event} */ event) => onChange({ ...term, note: fieldValue(event) })} /><//>
</div>`

/**
 * @param {object} props
 * @param {string} props.id of the dub
 * @param {readonly Line[]} props.lines
 * @param {string} props.code of the target
 * @param {string} props.from language of the film
 * @param {boolean} props.canTranslate
 * @param {(lines: readonly Line[]) => void} props.onTranslate
 * @param {() => void} props.onClose
 */
export function Glossary({ id, lines, code, from, canTranslate, onTranslate, onClose }) {
  const [terms, setTerms] = useState(/** @type {readonly Term[] | null} */ (null))
  const [error, setError] = useState('')
  const [found, setFound] = useState('')
  const [added, setAdded] = useState(EMPTY)
  const [edited, setEdited] = useState(/** @type {Term | null} */ (null))
  /** @type {`/glossary/${string}`} */
  const path = `/glossary/${encodeURIComponent(id)}`
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
  const drop = async (/** @type {Term} */ term) => {
    await remove(`${path}/${encodeURIComponent(term.id)}`)
    await read()
  }
  const extract = async () => {
    const segments = lines.slice(0, MOST_LINES).map(({ source }) => ({ text: source }))
    const body = { source_lang: from || 'en', target_lang: code, segments }
    /** @type {Posts[`/glossary/${string}/auto-extract`]['reply']} */
    const reply = await (await request('POST', `${path}/auto-extract`, { body })).json()
    setFound(Array.isArray(reply) ? strings.noTerms : strings.termsFound(reply.inserted))
    await read()
  }
  const outdated = linesWithout(lines, terms ?? [])
  const again = () => {
    onClose()
    onTranslate(outdated)
  }
  return html`<${Dialog} title=${strings.glossary} onClose=${onClose}>
    <p class="soft">${strings.glossaryHint}</p>
    ${error && html`<p class="callout bad text" role="alert">${error} <button type="button" onClick=${read}>${strings.again}</button></p>`}
    ${terms !== null && terms.length === 0 && html`<p class="empty">${strings.noGlossary}</p>`}
    ${
      terms !== null &&
      terms.length > 0 &&
      html`<ul class="plain terms" aria-label=${strings.terms}>${terms.map((term) =>
        edited?.id === term.id
          ? html`<li key=${term.id} class="edited"><${Form} onSend=${save} send=${shared.save} kind="tint" extra=${html`<button type="button" onClick=${() => setEdited(null)}>${shared.cancel}</button>`}><${TermFields} term=${edited} onChange=${(/** @type {Term} */ next) => setEdited({ ...edited, ...next })} /><//></li>`
          : html`<li key=${term.id} class="row"><span class="text"><b dir="auto">${term.source}</b> <span aria-hidden="true">→</span> <span dir="auto">${term.target}</span>${term.note && html`<small dir="auto">${term.note}</small>`}</span>
            <span class="spread"></span>${term.auto && html`<span class="badge quiet">${strings.foundTerm}</span>`}
            <button type="button" class="quiet icon-only" aria-label=${strings.editTerm(term.source)} title=${strings.editTerm(term.source)} onClick=${() => setEdited(term)}><${Icon} of="draft" /></button>
            <${Action} kind="quiet icon-only" aria-label=${strings.removeTerm(term.source)} title=${strings.removeTerm(term.source)} onPress=${() => drop(term)}><${Icon} of="trash" /><//></li>`,
      )}</ul>`
    }
    <section class="new-term"><${Form} onSend=${add} send=${strings.addTerm} kind=""
      extra=${code !== '' && lines.length > 0 && html`<${Action} onPress=${extract}><${Icon} of="wand" />${strings.findTerms}<//>`}><${TermFields} term=${added} onChange=${setAdded} /><//></section>
    ${found && html`<p class="note" role="status"><${Icon} of="note" />${found}</p>`}
    <footer>${outdated.length > 0 && html`<button type="button" disabled=${!canTranslate || code === ''} onClick=${again}>${strings.translateAgain(outdated.length)}</button>`}
      <button type="button" class="main" onClick=${onClose}>${shared.done}</button></footer>
  <//>`
}
