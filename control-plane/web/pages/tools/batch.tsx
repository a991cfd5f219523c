// Batch dubbing: films one after another, without edits.

import { ApiError, messageOf, post, remove, request } from '#control-plane/web/lib/api.ts'
import type { Gets, NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Confirm, Field, fieldValue, Progress } from '#control-plane/web/lib/controls.tsx'
import { percent } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { usePolled, useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { VoicePicker } from '#control-plane/web/voice-picker/picker.tsx'
import { strings } from '#messages/create/tools.ts'
import { list } from '#messages/language.ts'
import { LANGUAGES, languageName } from '../dub/languages.ts'
import { FileButton } from './file-button.tsx'

export type Film = Gets['/batch/jobs'][number]

const EVERY_MS = 2000
const MOST_LANGUAGES = 20
const QUESTION_CHARS = 60
/** Types of every format; the escapes keep tools from reading a comment. */
const FILMS = 'video/\u002a,audio/\u002a,.mkv,.ts,.avi'
const TONES = { queued: '', running: 'busy', done: 'good', failed: 'bad', cancelled: '' }

function Row({ film, onChanged }: { film: Film; onChanged: () => Promise<void> }) {
  const { id, status, filename, langs, progress, error } = film
  const isActive = status === 'queued' || status === 'running'
  const [isAsking, setAsking] = useState(false)
  const end = async () => {
    if (isActive) await post(`/batch/jobs/${encodeURIComponent(id)}/cancel`, {})
    else await remove(`/batch/jobs/${encodeURIComponent(id)}`)
    await onChanged()
  }
  const finished = Object.keys(film.outputs ?? {})
  return (
    <li class="sheet book-row" data-film={id}>
      <div class="row">
        <span class="kind k3">
          <Icon of="film" />
        </span>
        <a class="text one-line grow" dir="auto" href={`#/dub/${encodeURIComponent(id)}`}>
          {filename}
        </a>
        <span class={`state ${TONES[status]}`}>
          {strings.states[status]}
          {status === 'running' && progress ? ` · ${percent(progress.percent / 100)}` : ''}
        </span>
        {isActive ? (
          <Action onPress={end} aria-label={strings.cancelFilm(filename)}>
            {strings.cancel}
          </Action>
        ) : (
          <button type="button" aria-label={strings.removeFilm(filename)} onClick={() => setAsking(true)}>
            {strings.remove}
          </button>
        )}
      </div>
      <p class="soft">{list(langs.map(languageName))}</p>
      {status === 'running' && <Progress value={progress ? progress.percent / 100 : null} label={strings.progressOf(filename)} />}
      {error && <p class="callout bad text">{error}</p>}
      {film.warnings?.map((one) => (
        <p key={one} class="note text">
          <Icon of="note" />
          {one}
        </p>
      ))}
      {(finished.length > 0 ? finished : status === 'done' ? langs : []).map((lang) => (
        <>
          <a key={lang} class="button" download href={`/batch/download/${encodeURIComponent(id)}/${encodeURIComponent(lang)}`}>
            <Icon of="download" />
            {languageName(lang)}
          </a>{' '}
        </>
      ))}
      {isAsking && (
        <Confirm
          title={strings.deleteTitle(filename.slice(0, QUESTION_CHARS))}
          action={strings.deleteYes}
          keep={strings.keep}
          onYes={end}
          onClose={() => setAsking(false)}
        >
          <p>{strings.deleteDub}</p>
        </Confirm>
      )}
    </li>
  )
}

const IDLE = { sending: '', error: '', needs: null as NeedEntry | null }

export function Batch() {
  const [langs, setLangs] = useState(['es'] as readonly string[])
  const [voice, setVoice] = useState('')
  const [now, set] = useState(IDLE)
  const voices = useRead('/v1/audio/voices')
  const films = usePolled('/batch/jobs', EVERY_MS)
  const profiles = voices.value?.voices.filter((one) => one.type === 'profile') ?? []
  const send = async (file: File) => {
    set({ ...IDLE, sending: file.name })
    const form = new FormData()
    form.append('langs', langs.join(','))
    if (voice) form.append('voice_id', voice)
    form.append('video', file)
    try {
      await request('POST', '/batch/enqueue', { form })
      set(IDLE)
      await films.reload()
    } catch (failure) {
      const needs = failure instanceof ApiError ? failure.needs : null
      set({ ...IDLE, needs, error: needs ? '' : messageOf(failure) })
    }
  }
  const add = (event: Event) => {
    const lang = fieldValue(event)
    if (event.target instanceof HTMLSelectElement) event.target.value = ''
    if (langs.length < MOST_LANGUAGES && !langs.includes(lang)) setLangs([...langs, lang])
  }
  return (
    <>
      <div class="row">
        <Field label={strings.addLanguage} look="chip">
          <select value="" onChange={add}>
            <option value="" disabled>
              {strings.choose}
            </option>
            {LANGUAGES.map((one) => (
              <option key={one.code} value={one.code}>
                {one.name}
              </option>
            ))}
          </select>
        </Field>
        {langs.map((lang) => (
          <button
            type="button"
            key={lang}
            aria-label={strings.without(languageName(lang))}
            onClick={() => setLangs(langs.filter((one) => one !== lang))}
          >
            {languageName(lang)}
            <Icon of="close" />
          </button>
        ))}
        <VoicePicker
          label={strings.voice}
          value={voice}
          own={[{ value: '', name: strings.ownVoices }]}
          voices={{ profiles, engines: voices.value?.engines ?? [] }}
          language={langs.length === 1 ? (langs[0] ?? '') : ''}
          onChoose={setVoice}
        />
      </div>
      <FileButton label={strings.chooseFilm} accept={FILMS} disabled={now.sending !== '' || langs.length === 0} onFile={send} />
      {now.sending && (
        <>
          <p class="text" role="status">
            {strings.sending(now.sending)}
          </p>
          <Progress value={null} label={strings.sending(now.sending)} />
        </>
      )}
      {now.needs && <Needs.View of={now.needs} />}
      {(now.error || films.error) && (
        <p class="callout bad text" role="alert">
          {now.error || films.error}
        </p>
      )}
      {films.value?.length === 0 && <p class="soft">{strings.noFilms}</p>}
      <ul class="plain">
        {films.value?.map((film) => (
          <Row key={film.id} film={film} onChanged={films.reload} />
        ))}
      </ul>
    </>
  )
}
