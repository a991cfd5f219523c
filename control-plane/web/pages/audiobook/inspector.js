// @ts-check
// What the whole book needs: who speaks, its title and cover, the file that is made, and how words are said.
import { messageOf, request } from '../../lib/api.js'
import { Field, fieldValue } from '../../lib/controls.js'
import { bytes } from '../../lib/format.js'
import { html, useRef } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { changeBook } from './book.js'
import { secondsOf } from './manuscript.js'
import { strings } from './strings.js'

/** @import { ProfileVoice } from '../../lib/api-types.ts' */
/** @import { Book } from './book.js' */
/** @import { Role } from './manuscript.js' */

/** Of the sound of a book: 128 kbit a second. */
const BYTES_PER_SECOND = 16_000
const TINTS = 8

/** @param {Event} event */
const isTicked = ({ target }) => target instanceof HTMLInputElement && target.checked

/** @param {{ label: string, value: string, fallback: string, profiles: readonly ProfileVoice[], onChoose: (voice: string) => void }} props */
const VoiceChoice = ({ label, value, fallback, profiles, onChoose }) => html`<${Field} label=${label} look="unnamed">
  <select value=${value} onChange=${(/** @type {Event} */ event) => onChoose(fieldValue(event))}>
    <option value="">${fallback}</option>
    ${profiles.map((one) => html`<option key=${one.voice_id} value=${one.voice_id}>${one.name}</option>`)}
    ${value !== '' && !profiles.some((one) => one.voice_id === value) && html`<option value=${value}>${value}</option>`}
  </select><//>`

/** @param {{ book: Book, roles: readonly Role[], profiles: readonly ProfileVoice[] }} props */
const Cast = ({ book, roles, profiles }) => {
  const isSaved = (/** @type {string} */ name) => profiles.some((one) => one.name === name || one.voice_id === name)
  const open = roles.filter(({ voice }) => voice !== '' && !book.cast[voice] && !isSaved(voice))
  return html`<details open><summary>${strings.cast}</summary>
    <ul class="plain cast">${roles.map(
      (
        { voice, parts },
        at,
      ) => html`<li key=${voice} class="row"><span class=${`speaker k${(at % TINTS) + 1}`} dir="auto">${voice || strings.narrator}</span>${parts > 0 && html`<small>${strings.parts(parts)}</small>`}
        <${VoiceChoice} label=${strings.voiceOf(voice || strings.narrator)} value=${voice === '' ? book.narrator : (book.cast[voice] ?? '')} profiles=${profiles}
          fallback=${voice === '' ? strings.defaultVoice : isSaved(voice) ? strings.ownVoice(voice) : strings.asNamed} onChoose=${(/** @type {string} */ chosen) => changeBook(voice === '' ? { narrator: chosen } : { cast: { ...book.cast, [voice]: chosen } })} /></li>`,
    )}</ul>
    ${open.length > 0 && html`<p class="note text"><${Icon} of="note" />${strings.noVoice(open.map(({ voice }) => voice).join(', '))}</p>`}
  </details>`
}

/** @param {{ book: Book }} props */
function About({ book }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null))
  const chosen = async () => {
    const file = input.current?.files?.[0]
    if (!file) return
    if (input.current) input.current.value = '' // the same file can be chosen again
    const form = new FormData()
    form.append('cover', file)
    try {
      const { path } = await (await request('POST', '/audiobook/cover', { form })).json()
      changeBook({ cover: path })
    } catch (failure) {
      notify(messageOf(failure), 'error')
    }
  }
  const text = (/** @type {'title' | 'author'} */ name) => (/** @type {Event} */ event) => changeBook({ [name]: fieldValue(event) })
  return html`<details><summary>${strings.book}</summary><div class="fields">
    <${Field} label=${strings.bookTitle}><input dir="auto" maxlength="300" value=${book.title} onInput=${text('title')} /><//>
    <${Field} label=${strings.author}><input dir="auto" maxlength="300" value=${book.author} onInput=${text('author')} /><//>
    <div class="row"><span>${book.cover ? strings.hasCover : strings.noCover}</span><span class="spread"></span>
      <input ref=${input} type="file" hidden accept=".jpg,.jpeg,.png" aria-label=${strings.chooseCover} onChange=${chosen} />
      <button type="button" onClick=${() => input.current?.click()}>${strings.chooseCover}</button>
      ${book.cover && html`<button type="button" class="quiet" onClick=${() => changeBook({ cover: null })}>${shared.remove}</button>`}</div>
  </div></details>`
}

/** @param {{ book: Book, chars: number }} props */
const Output = ({ book, chars }) => html`<details><summary>${strings.output}</summary><div class="fields">
  <${Field} label=${strings.format}><select value=${book.format} onChange=${(/** @type {Event} */ event) => changeBook({ format: fieldValue(event) === 'mp3' ? 'mp3' : 'm4b' })}>
    <option value="m4b">${strings.m4b}</option><option value="mp3">${strings.mp3}</option></select><//>
  <${Field} label=${strings.loudness}><select value=${book.loudness} onChange=${(/** @type {Event} */ event) => changeBook({ loudness: /** @type {Book['loudness']} */ (fieldValue(event)) })}>
    <option value="">${strings.asSpoken}</option><option value="podcast">${strings.podcast}</option><option value="acx">${strings.acx}</option></select><//>
  <label class="tick"><input type="checkbox" checked=${book.speaksTitles} onChange=${(/** @type {Event} */ event) => changeBook({ speaksTitles: isTicked(event) })} /> ${strings.speakTitles}</label>
  <label class="tick"><input type="checkbox" checked=${book.hasReadAlong} onChange=${(/** @type {Event} */ event) => changeBook({ hasReadAlong: isTicked(event) })} /> ${strings.makeReadAlong}</label>
  <p class="soft">${strings.size(bytes(secondsOf(chars) * BYTES_PER_SECOND))}</p>
</div></details>`

/** @param {{ book: Book }} props */
const SayAs = ({ book: { sayAs } }) => {
  const change = (/** @type {number} */ at, /** @type {Partial<Book['sayAs'][number]>} */ more) =>
    changeBook({ sayAs: sayAs.map((one, index) => (index === at ? { ...one, ...more } : one)) })
  return html`<details><summary>${strings.sayAs}</summary>
    <p class="soft">${strings.sayAsHint}</p>
    <ul class="plain">${sayAs.map(
      ({ term, say }, at) => html`<li key=${at} class="row say-as">
        <input dir="auto" maxlength="200" aria-label=${strings.word(at + 1)} placeholder=${strings.wordExample} value=${term} onInput=${(/** @type {Event} */ event) => change(at, { term: fieldValue(event) })} />
        <input dir="auto" maxlength="200" aria-label=${strings.said(at + 1)} placeholder=${strings.saidExample} value=${say} onInput=${(/** @type {Event} */ event) => change(at, { say: fieldValue(event) })} />
        <button type="button" class="quiet icon-only" aria-label=${strings.removeWord(at + 1)} onClick=${() => changeBook({ sayAs: sayAs.filter((_, index) => index !== at) })}><${Icon} of="close" /></button></li>`,
    )}</ul>
    <button type="button" onClick=${() => changeBook({ sayAs: [...sayAs, { term: '', say: '' }] })}><${Icon} of="plus" />${strings.addWord}</button>
  </details>`
}

/** @param {{ book: Book, roles: readonly Role[], profiles: readonly ProfileVoice[], chars: number }} props */
export const Inspector = ({ book, roles, profiles, chars }) => html`<aside class="book-side" aria-label=${strings.wholeBook}>
  <${Cast} book=${book} roles=${roles} profiles=${profiles} />
  <${About} book=${book} />
  <${Output} book=${book} chars=${chars} />
  <${SayAs} book=${book} />
</aside>`
