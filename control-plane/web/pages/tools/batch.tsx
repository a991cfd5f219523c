// Batch dubbing: films one after another, without edits. Films that are chosen are only uploaded; Start begins.

import { ApiError, messageOf, post } from '#control-plane/web/lib/api.ts'
import type { NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { usePolled, useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { VoicePicker } from '#control-plane/web/voice-picker/picker.tsx'
import { strings } from '#messages/create/tools.ts'
import { strings as shared } from '#messages/shared.ts'
import { languageName } from '../dub/languages.ts'
import { AddLanguage, changeFilms, countsOf, FilmRow, noticesOf } from './batch-film.tsx'
import { type Arriving, batchChoices, dropFilm, keepChoices, sendAgain, sendFilms, useArriving } from './batch-upload.ts'
import { FileButton } from './file-button.tsx'

const EVERY_MS = 2000
/** Types of every format; the escapes keep tools from reading a comment. */
const FILMS = 'video/\u002a,audio/\u002a,.mkv,.ts,.avi'
const NO_TROUBLE = { error: '', needs: null as NeedEntry | null }

const ArrivingRow = ({ film: { key, name, size, sent, error } }: { film: Arriving }) => (
  <li class="sheet film-row" data-state="arriving">
    <div class="row">
      <span class="kind k3">
        <Icon of="film" />
      </span>
      <b class="text one-line grow" dir="auto">
        {name}
      </b>
      <span class="soft number">{bytes(size)}</span>
      {error && (
        <button type="button" onClick={() => sendAgain(key)}>
          {shared.tryAgain}
        </button>
      )}
      <button type="button" aria-label={error ? strings.removeFilm(name) : strings.cancelFilm(name)} onClick={() => dropFilm(key)}>
        {error ? strings.deleteYes : strings.cancel}
      </button>
    </div>
    {error ? (
      <p class="callout bad text" role="alert">
        {error}
      </p>
    ) : (
      <Progress value={size > 0 ? sent / size : null} label={strings.sending(name)} />
    )}
  </li>
)

export function Batch() {
  const [langs, setLangs] = useState(() => batchChoices().langs)
  const [voice, chooseVoice] = useState('')
  const [now, set] = useState(NO_TROUBLE)
  const voices = useRead('/v1/audio/voices')
  const films = usePolled('/batch/jobs', EVERY_MS)
  const arriving = useArriving(films.reload)
  const profiles = voices.value?.voices.filter((one) => one.type === 'profile') ?? []
  const listed = [...(films.value ?? [])].reverse()
  const held = listed.filter((one) => one.held)
  const { ready, all } = countsOf(listed)
  /** Films that have no choices of their own follow those for every film. */
  const choose = (next: readonly string[]) => {
    setLangs(next)
    if (next.length === 0) return
    keepChoices({ langs: next })
    const { differing } = batchChoices()
    const followers = held.map(({ id }) => id).filter((id) => !differing.includes(id))
    changeFilms(followers, () => ({ langs: [...next] }), films.reload)
  }
  const setVoice = (next: string) => {
    chooseVoice(next)
    changeFilms(
      held.map(({ id }) => id),
      () => ({ voice_id: next || null }),
      films.reload,
    )
  }
  const start = async () => {
    set(NO_TROUBLE)
    try {
      for (const { id } of held) await post(`/batch/jobs/${encodeURIComponent(id)}/start`, {})
    } catch (failure) {
      const needs = failure instanceof ApiError ? failure.needs : null
      set({ needs, error: needs ? '' : messageOf(failure) })
    }
    await films.reload()
  }
  return (
    <div class="batch">
      <div class="batch-films">
        {listed.length > 0 && (
          <div class="row batch-head">
            <span role="status">{strings.readyOf(ready, all)}</span>
            <progress class="grow" max={Math.max(1, all)} value={ready} aria-hidden="true"></progress>
            {ready > 0 && (
              <a class="button" download href="/batch/download-all">
                <Icon of="download" />
                {strings.downloadAll(ready)}
              </a>
            )}
            {held.length > 0 && (
              <Action kind="main" onPress={start}>
                <Icon of="play" isSolid />
                {strings.startWaiting(held.length)}
              </Action>
            )}
          </div>
        )}
        {now.needs && <Needs.View of={now.needs} />}
        {(now.error || films.error) && (
          <p class="callout bad text" role="alert">
            {now.error || films.error}
          </p>
        )}
        {films.value?.length === 0 && arriving.length === 0 && <p class="soft">{strings.noFilms}</p>}
        {[...new Set(listed.flatMap(noticesOf))].map((one) => (
          <p key={one} class="note text">
            <Icon of="note" />
            {serverSentence(one)}
          </p>
        ))}
        <ul class="plain">
          {listed.map((film) => (
            <FilmRow key={film.id} film={film} onChanged={films.reload} />
          ))}
          {arriving.map((film) => (
            <ArrivingRow key={film.key} film={film} />
          ))}
        </ul>
        <FileButton
          label={strings.chooseFilms}
          accept={FILMS}
          disabled={langs.length === 0}
          onFiles={(files) => sendFilms(files, { langs, voice })}
        />
      </div>
      <section class="batch-side" aria-label={strings.forEvery}>
        <h2>{strings.forEvery}</h2>
        <div class="row lang-chips">
          {langs.map((lang) => (
            <button
              type="button"
              key={lang}
              class="lang-chip"
              aria-label={strings.without(languageName(lang))}
              onClick={() => choose(langs.filter((one) => one !== lang))}
            >
              {languageName(lang)}
              <Icon of="close" />
            </button>
          ))}
          <AddLanguage label={strings.addLanguage} without={langs} onAdd={(lang) => choose([...langs, lang])} />
        </div>
        <VoicePicker
          label={strings.voice}
          value={voice}
          own={[{ value: '', name: strings.ownVoices }]}
          voices={{ profiles, engines: voices.value?.engines ?? [] }}
          onChoose={setVoice}
          onInstalled={voices.again}
        />
        <p class="soft">{strings.forEveryHint}</p>
      </section>
    </div>
  )
}
