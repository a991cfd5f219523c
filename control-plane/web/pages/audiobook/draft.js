// @ts-check
// The book that is being prepared: its chapters, the text of one of them, and what the whole book needs.
import { messageOf, post } from '../../lib/api.js'
import { Action, Field, fieldValue } from '../../lib/controls.js'
import { duration } from '../../lib/format.js'
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from '../../lib/html.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { playSound } from '../../look/sound.js'
import { changeBook, useBook } from './book.js'
import { Inspector } from './inspector.js'
import { RunningBook } from './library.js'
import { cutChapter, marked, markOf, rolesOf, secondsOf, textOf, voiced, withChapter } from './manuscript.js'
import { Outline } from './outline.js'
import { startBook, voiceRequest } from './render.js'
import { strings } from './strings.js'

/** @import { PageProps } from '../../app.js' */
/** @import { Book } from './book.js' */
/** @import { Role, Style } from './manuscript.js' */

/** After the last key, so that a long book is not read with every one. */
const SETTLE_MS = 1000
const STYLES = /** @type {Style[]} */ (['pause', 'slow', 'fast', 'say'])

/** The voices of the manuscript, as the studio reads it. @param {Book} book */
function useRoles(book) {
  const [{ roles, error }, set] = useState({ roles: /** @type {readonly Role[]} */ ([{ voice: '', parts: 0 }]), error: '' })
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(async () => {
      try {
        const roles = rolesOf(await post('/audiobook/plan', { text: textOf(book.chapters) }))
        if (isCurrent) set({ roles, error: '' })
      } catch (failure) {
        if (isCurrent) set((now) => ({ ...now, error: messageOf(failure) }))
      }
    }, SETTLE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [book.chapters])
  return { roles, error }
}

/** cursor: where it is put; null leaves it. @typedef {{ index: number, cursor: number | null }} Place */

/** @param {{ book: Book, index: number, place: Place, voices: ReadonlyMap<string, string>, onPlace: (place: Place) => void }} props voices: names by what the manuscript calls them */
function Script({ book, index, place, voices, onPlace }) {
  const area = useRef(/** @type {HTMLTextAreaElement | null} */ (null))
  const [sound, setSound] = useState({ notices: /** @type {readonly string[]} */ ([]), error: '' })
  const chapter = book.chapters[index]
  useEffect(() => setSound({ notices: [], error: '' }), [index])
  useLayoutEffect(() => {
    if (place.cursor === null) return
    area.current?.focus()
    area.current?.setSelectionRange(place.cursor, place.cursor)
  }, [place])
  if (!chapter) return null
  const typed = () => {
    const { current } = area
    if (!current) return
    const next = withChapter(book.chapters, index, current.value, current.selectionStart)
    changeBook({ chapters: next.chapters })
    if (next.chapters.length !== book.chapters.length) onPlace(next)
  }
  const insert = (/** @type {(text: string, start: number, end: number) => { text: string, cursor: number }} */ change) => {
    const { current } = area
    if (!current) return
    const { text, cursor } = change(current.value, current.selectionStart, current.selectionEnd)
    const next = withChapter(book.chapters, index, text, cursor)
    changeBook({ chapters: next.chapters })
    onPlace(next)
  }
  const preview = async () => {
    setSound({ notices: [], error: '' })
    try {
      const { output, notices } = await post('/audiobook/preview', {
        text: chapter.text,
        chapter_index: 0,
        ...voiceRequest(book),
        speak_titles: book.speaksTitles,
      })
      setSound({ notices, error: '' })
      await playSound(`/audio/${encodeURIComponent(output)}`, { title: strings.previewOf(name), href: '#/audiobook/draft' })
    } catch (failure) {
      setSound({ notices: [], error: messageOf(failure) })
    }
  }
  const name = chapter.title || strings.chapter(index + 1)
  return html`<section class="book-script" aria-label=${name}>
    <div class="row">
      ${STYLES.map((style) => html`<button type="button" key=${style} class="quiet" onClick=${() => insert((text, start, end) => marked(text, start, end, style))}>${strings.styles[style]}</button>`)}
      <${Field} label=${strings.switchVoice} look="chip"><select value="" onChange=${(/** @type {Event} */ event) => {
        const voice = fieldValue(event)
        if (event.target instanceof HTMLSelectElement) event.target.value = ''
        insert((text, start) => voiced(text, start, voice))
      }}>
        <option value="" disabled>${strings.chooseVoice}</option><option value="default">${strings.narrator}</option>${[...voices].map(([mark, name]) => html`<option key=${mark} value=${mark}>${name}</option>`)}</select><//>
      <span class="spread"></span><${Action} onPress=${preview}><${Icon} of="play" isSolid />${strings.preview}<//>
    </div>
    ${sound.error && html`<p class="callout bad text" role="alert">${sound.error}</p>`}
    ${sound.notices.map((one) => html`<p key=${one} class="note text"><${Icon} of="note" />${one}</p>`)}
    <${Field} label=${strings.textOf(name)} look="unnamed"><textarea ref=${area} dir="auto" lang=${book.language ?? undefined} value=${chapter.text} onInput=${typed}></textarea><//>
  </section>`
}

/** @param {{ query: URLSearchParams, activeJobs: PageProps['activeJobs'] }} props */
export function Draft({ query, activeJobs }) {
  const { book, isRead, trouble } = useBook()
  const voices = useRead('/v1/audio/voices')
  const profiles = useMemo(() => voices.value?.voices.filter((voice) => voice.type === 'profile') ?? [], [voices.value])
  const [place, setPlace] = useState(
    /** @type {Place} */ ({ index: Math.max(0, Number(query.get('chapter') ?? 1) - 1 || 0), cursor: null }),
  )
  const [error, setError] = useState('')
  const { roles, error: planError } = useRoles(book)
  const index = Math.min(place.index, Math.max(0, book.chapters.length - 1))
  useEffect(() => history.replaceState(null, '', `#/audiobook/draft${index > 0 ? `?chapter=${index + 1}` : ''}`), [index])
  const chars = useMemo(() => book.chapters.reduce((sum, { text }) => sum + text.length, 0), [book.chapters])
  if (!isRead) return html`<p class="empty">${strings.opening}</p>`
  if (book.chapters.length === 0) return html`<p class="empty">${strings.noDraft} <a href="#/audiobook">${strings.allBooks}</a></p>`
  const running = (activeJobs.value ?? []).filter(({ type }) => type === 'audiobook')
  const choose = (/** @type {number} */ next) => {
    const chapters = cutChapter(book.chapters, index)
    const more = chapters.length - book.chapters.length
    if (more > 0) changeBook({ chapters })
    setPlace({ index: next > index ? next + more : next, cursor: null })
  }
  const create = async () => {
    setError('')
    try {
      await startBook(book)
      await activeJobs.reload()
    } catch (failure) {
      setError(messageOf(failure))
    }
  }
  const written = roles.flatMap(({ voice }) => (voice === '' ? [] : [/** @type {const} */ ([voice, voice])]))
  const names = new Map([...written, ...profiles.map((one) => /** @type {const} */ ([markOf(one), one.name]))])
  return html`<div class="book-draft">
    <div class="row dub-title"><a class="back" href="#/audiobook">${strings.allBooks}</a><h2 class="text one-line grow" dir="auto">${book.title || strings.untitled}</h2>
      <span class="soft number">${strings.plan(book.chapters.length, duration(secondsOf(chars)))}</span>
      <${Action} kind="main" disabled=${running.length > 0} onPress=${create}>${strings.create}<//></div>
    ${(error || planError) && html`<p class="callout bad text" role="alert">${error || planError}</p>`}
    ${trouble && html`<p class="callout" role="alert">${strings.troubles[trouble]}</p>`}
    ${book.notices.map((one) => html`<p key=${one} class="note text"><${Icon} of="note" />${one}</p>`)}
    <ul class="plain">${running.map((job) => html`<${RunningBook} key=${job.id} job=${job} onChanged=${activeJobs.reload} />`)}</ul>
    <div class="book-work">
      <${Outline} chapters=${book.chapters} index=${index} onChoose=${choose} />
      <${Script} key=${index} book=${book} index=${index} place=${place} voices=${names} onPlace=${setPlace} />
      <${Inspector} book=${book} roles=${roles} profiles=${profiles} chars=${chars} />
    </div>
  </div>`
}
