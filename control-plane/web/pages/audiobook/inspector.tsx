// The settings of the whole book: who speaks, its title and cover, the file that is made, and how words are said.

import { messageOf, request } from '#control-plane/web/lib/api.ts'
import type { ProfileVoice, SpeechEngines } from '#control-plane/web/lib/api-types.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useRef } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { VoicePicker } from '#control-plane/web/voice-picker/picker.tsx'
import { hasVoice } from '#control-plane/web/voice-picker/rows.ts'
import { strings } from '#messages/create/audiobook.ts'
import { list } from '#messages/language.ts'
import { strings as shared } from '#messages/shared.ts'
import { Cover } from '../audiobook-shelf/cover.tsx'
import type { Book } from './book.ts'
import { changeBook } from './book.ts'
import type { Role } from './manuscript.ts'
import { Pauses } from './pauses.tsx'

/** Size of the sound of a book: 128 kbit a second. */
const BYTES_PER_SECOND = 16_000
const TINTS = 8

const isTicked = ({ target }: Event) => target instanceof HTMLInputElement && target.checked

type Engines = SpeechEngines['backends']
const Cast = ({
  book,
  roles,
  profiles,
  engines,
}: {
  book: Book
  roles: readonly Role[]
  profiles: readonly ProfileVoice[]
  engines: Engines
}) => {
  const voices = { profiles, engines }
  const isSaved = (name: string) => hasVoice(voices, name)
  const open = roles.filter(({ voice }) => voice !== '' && !book.cast[voice] && !isSaved(voice))
  return (
    <details open>
      <summary>{strings.cast}</summary>
      <ul class="plain cast">
        {roles.map(({ voice, parts }, at) => (
          <li key={voice} class="row">
            <span class={`speaker k${(at % TINTS) + 1}`} dir="auto">
              {voice || strings.narrator}
            </span>
            {parts > 0 && <small>{strings.parts(parts)}</small>}
            <VoicePicker
              label={strings.voiceOf(voice || strings.narrator)}
              value={voice === '' ? book.narrator : (book.cast[voice] ?? '')}
              own={[{ value: '', name: voice === '' ? strings.defaultVoice : isSaved(voice) ? strings.ownVoice(voice) : strings.asNamed }]}
              voices={voices}
              language={book.language ?? ''}
              onChoose={(chosen: string) => changeBook(voice === '' ? { narrator: chosen } : { cast: { ...book.cast, [voice]: chosen } })}
            />
          </li>
        ))}
      </ul>
      {open.length > 0 && (
        <p class="note text">
          <Icon of="note" />
          {strings.noVoice(list(open.map(({ voice }) => voice)))}
        </p>
      )}
    </details>
  )
}

/** Address of the picture of a cover; '' without one. */
const pictureOf = (path: string | null) => (path ? `/audiobook/covers/${encodeURIComponent(path.split(/[\\/]/).at(-1) ?? '')}` : '')

function About({ book }: { book: Book }) {
  const input = useRef<HTMLInputElement | null>(null)
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
  const text = (name: 'title' | 'author') => (event: Event) => changeBook({ [name]: fieldValue(event) })
  return (
    <details>
      <summary>{strings.book}</summary>
      <div class="fields">
        <Field label={strings.bookTitle}>
          <input dir="auto" maxlength={300} value={book.title} onInput={text('title')} />
        </Field>
        <Field label={strings.author}>
          <input dir="auto" maxlength={300} value={book.author} onInput={text('author')} />
        </Field>
        <div class="row book-cover">
          <Cover title={book.title || strings.untitled} picture={pictureOf(book.cover)} />
          <span>{book.cover ? '' : strings.noCover}</span>
          <span class="spread"></span>
          <input ref={input} type="file" hidden accept=".jpg,.jpeg,.png" aria-label={strings.chooseCover} onChange={chosen} />
          <button type="button" onClick={() => input.current?.click()}>
            {strings.chooseCover}
          </button>
          {book.cover && (
            <button type="button" class="quiet" onClick={() => changeBook({ cover: null })}>
              {shared.remove}
            </button>
          )}
        </div>
      </div>
    </details>
  )
}

const Output = ({ book, seconds }: { book: Book; seconds: number }) => (
  <details>
    <summary>{strings.output}</summary>
    <div class="fields">
      <Field label={strings.format}>
        <select value={book.format} onChange={(event: Event) => changeBook({ format: fieldValue(event) === 'mp3' ? 'mp3' : 'm4b' })}>
          <option value="m4b">{strings.m4b}</option>
          <option value="mp3">{strings.mp3}</option>
        </select>
      </Field>
      <Field label={strings.loudness}>
        <select value={book.loudness} onChange={(event: Event) => changeBook({ loudness: fieldValue(event) as Book['loudness'] })}>
          <option value="">{strings.asSpoken}</option>
          <option value="podcast">{strings.podcast}</option>
          <option value="acx">{strings.acx}</option>
        </select>
      </Field>
      <label class="tick">
        <input type="checkbox" checked={book.speaksTitles} onChange={(event: Event) => changeBook({ speaksTitles: isTicked(event) })} />{' '}
        {strings.speakTitles}
      </label>
      <label class="tick">
        <input type="checkbox" checked={book.hasReadAlong} onChange={(event: Event) => changeBook({ hasReadAlong: isTicked(event) })} />{' '}
        {strings.makeReadAlong}
      </label>
      <p class="soft">{strings.size(bytes(seconds * BYTES_PER_SECOND))}</p>
    </div>
  </details>
)

const SayAs = ({ book: { sayAs } }: { book: Book }) => {
  const change = (at: number, more: Partial<Book['sayAs'][number]>) =>
    changeBook({ sayAs: sayAs.map((one, index) => (index === at ? { ...one, ...more } : one)) })
  return (
    <details>
      <summary>{strings.sayAs}</summary>
      <p class="soft">{strings.sayAsHint}</p>
      <ul class="plain">
        {sayAs.map(({ term, say }, at) => (
          <li key={at} class="row say-as">
            <input
              dir="auto"
              maxlength={200}
              aria-label={strings.word(at + 1)}
              placeholder={strings.wordExample}
              value={term}
              onInput={(event: Event) => change(at, { term: fieldValue(event) })}
            />
            <input
              dir="auto"
              maxlength={200}
              aria-label={strings.said(at + 1)}
              placeholder={strings.saidExample}
              value={say}
              onInput={(event: Event) => change(at, { say: fieldValue(event) })}
            />
            <button
              type="button"
              class="quiet icon-only"
              aria-label={strings.removeWord(at + 1)}
              onClick={() => changeBook({ sayAs: sayAs.filter((_, index) => index !== at) })}
            >
              <Icon of="close" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => changeBook({ sayAs: [...sayAs, { term: '', say: '' }] })}>
        <Icon of="plus" />
        {strings.addWord}
      </button>
    </details>
  )
}

export const Inspector = ({
  book,
  roles,
  profiles,
  engines,
  seconds,
}: {
  book: Book
  roles: readonly Role[]
  profiles: readonly ProfileVoice[]
  engines: Engines
  seconds: number
}) => (
  <aside class="book-side" aria-label={strings.wholeBook}>
    <Cast book={book} roles={roles} profiles={profiles} engines={engines} />
    <About book={book} />
    <Output book={book} seconds={seconds} />
    <Pauses book={book} />
    <SayAs book={book} />
  </aside>
)
