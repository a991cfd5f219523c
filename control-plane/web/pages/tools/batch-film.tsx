// One film of the batch: its languages with the state of each, and how far it is.

import { get, patch, post, remove } from '#control-plane/web/lib/api.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { Action, Confirm, fieldValue, Popover, Progress } from '#control-plane/web/lib/controls.tsx'
import { percent, soundLength } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/tools.ts'
import { LANGUAGES, languageName } from '../dub/languages.ts'
import { differ } from './batch-upload.ts'

export type Film = Gets['/batch/jobs'][number]
type LanguageState = 'ready' | 'working' | 'waiting' | 'failed'

const QUESTION_CHARS = 60
const MOST_LANGUAGES = 20
const TONES = { queued: '', running: 'busy', done: 'good', failed: 'bad', cancelled: '' }
/** Warnings of a film that belong to no language. */
export const noticesOf = ({ warnings = [], langs }: Film) => warnings.filter((one) => !langs.some((lang) => one.startsWith(`${lang}: `)))
const pathOf = (id: string) => `/batch/jobs/${encodeURIComponent(id)}` as const

/** Pure. */
export function languageStateOf({ status, langs, outputs = {}, progress }: Film, lang: string): LanguageState {
  if (Object.hasOwn(outputs, lang) || (status === 'done' && Object.keys(outputs).length === 0)) return 'ready'
  if (status === 'done' || status === 'failed') return 'failed'
  return status === 'running' && (progress?.current_lang === lang || langs.length === 1) ? 'working' : 'waiting'
}
/** Finished dubs, and all that were asked for. */
export const countsOf = (films: readonly Film[]) => ({
  ready: films.reduce((sum, film) => sum + film.langs.filter((lang) => languageStateOf(film, lang) === 'ready').length, 0),
  all: films.reduce((sum, { langs }) => sum + langs.length, 0),
})

/** Warnings of a language begin with its tag. */
const reasonOf = ({ warnings = [], error }: Film, lang: string) =>
  serverSentence(warnings.findLast((one) => one.startsWith(`${lang}: `))?.slice(lang.length + 2) ?? error ?? '')

type Choices = Pick<Film, 'langs' | 'voice_id'>
/** The change of films that was begun last. */
let changing: Promise<unknown> = Promise.resolve()

/** Changes films that wait for their start, in the order of the choices. `change`: of what the studio has, which an earlier one may have changed */
export function changeFilms(ids: readonly string[], change: (film: Film) => Partial<Choices>, onChanged: () => Promise<void>) {
  changing = changing
    .then(async () => {
      for (const film of await get('/batch/jobs')) {
        if (!film.held || !ids.includes(film.id)) continue
        const { langs, voice_id, preserve_bg } = { ...film, ...change(film) }
        if (langs.length > 0) await patch(pathOf(film.id), { langs, voice_id, preserve_bg })
      }
      await onChanged()
    })
    .catch(reportFailure)
}

/** A select whose choice is added. */
export function AddLanguage({ label, without, onAdd }: { label: string; without: readonly string[]; onAdd: (lang: string) => unknown }) {
  const add = (event: Event) => {
    const lang = fieldValue(event)
    if (event.target instanceof HTMLSelectElement) event.target.value = ''
    if (without.length < MOST_LANGUAGES && !without.includes(lang)) onAdd(lang)
  }
  return (
    <select class="add-language" value="" aria-label={label} onChange={add}>
      <option value="" disabled>
        {strings.addShort}
      </option>
      {LANGUAGES.map((one) => (
        <option key={one.code} value={one.code}>
          {one.name}
        </option>
      ))}
    </select>
  )
}

function LanguageChip({ film, lang, onChanged }: { film: Film; lang: string; onChanged: () => Promise<void> }) {
  const { id, filename, langs, held } = film
  const name = languageName(lang)
  const state = languageStateOf(film, lang)
  const without = () => {
    differ(id)
    changeFilms([id], (now) => ({ langs: now.langs.filter((one) => one !== lang) }), onChanged)
  }
  if (held)
    return (
      <button
        type="button"
        class="lang-chip"
        disabled={langs.length === 1}
        aria-label={strings.withoutIn(name, filename)}
        onClick={without}
      >
        {name}
        <Icon of="close" />
      </button>
    )
  if (state === 'ready')
    return (
      <a
        class="button lang-chip good"
        download
        title={strings.downloadIn(filename, name)}
        href={`/batch/download/${encodeURIComponent(id)}/${encodeURIComponent(lang)}`}
      >
        <Icon of="check" />
        {name}
      </a>
    )
  if (state === 'failed') {
    const again = async () => {
      await post(`${pathOf(id)}/again`, { langs: [lang] })
      await onChanged()
    }
    return (
      <Popover
        id={`failed-${id}-${lang}`}
        label={strings.failedIn(name, filename)}
        kind="lang-chip warn"
        face={
          <>
            <Icon of="warning" />
            {name}
          </>
        }
      >
        <div class="body">
          <p class="text">{reasonOf(film, lang)}</p>
          <Action onPress={again}>{strings.tryLanguageAgain(name)}</Action>
        </div>
      </Popover>
    )
  }
  return (
    <span class={`lang-chip ${state}`}>
      {state === 'working' && <Ring share={film.progress ? film.progress.percent / 100 : null} />}
      {name}
    </span>
  )
}

export function FilmRow({ film, onChanged }: { film: Film; onChanged: () => Promise<void> }) {
  const { id, status, filename, langs, progress, error, held } = film
  const isActive = !held && (status === 'queued' || status === 'running')
  const [isAsking, setAsking] = useState(false)
  const ending = isActive ? strings.cancelFilm(filename) : strings.removeFilm(filename)
  const end = async () => {
    if (isActive) await post(`${pathOf(id)}/cancel`, {})
    else await remove(pathOf(id))
    await onChanged()
  }
  const add = (lang: string) => {
    differ(id)
    changeFilms([id], (now) => ({ langs: [...new Set([...now.langs, lang])] }), onChanged)
  }
  return (
    <li class="sheet film-row" data-film={id} data-state={held ? 'held' : status}>
      <div class="row">
        <span class="kind k3">
          <Icon of="film" />
        </span>
        {held ? (
          <b class="text one-line grow" dir="auto">
            {filename}
          </b>
        ) : (
          <a class="text one-line grow" dir="auto" href={`#/dub/${encodeURIComponent(id)}`}>
            {filename}
          </a>
        )}
        {film.duration !== undefined && <span class="soft number">{soundLength(film.duration)}</span>}
        <span class={`state ${TONES[status]}`}>
          {held ? strings.notStarted : strings.states[status]}
          {status === 'running' && progress ? ` · ${percent(progress.percent / 100)}` : ''}
        </span>
        {isActive || held ? (
          <Action kind="quiet icon-only" onPress={end} title={ending} aria-label={ending}>
            <Icon of={held ? 'trash' : 'close'} />
          </Action>
        ) : (
          <button type="button" class="quiet icon-only" title={ending} aria-label={ending} onClick={() => setAsking(true)}>
            <Icon of="trash" />
          </button>
        )}
      </div>
      <div class="row lang-chips" role="group" aria-label={strings.languagesOf(filename)}>
        {langs.map((lang) => (
          <LanguageChip key={lang} film={film} lang={lang} onChanged={onChanged} />
        ))}
        {held && <AddLanguage label={strings.addLanguageTo(filename)} without={langs} onAdd={add} />}
      </div>
      {status === 'running' && <Progress value={progress ? progress.percent / 100 : null} label={strings.progressOf(filename)} />}
      {error && <p class="callout bad text">{error}</p>}
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
