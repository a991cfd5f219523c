// The voices of the studio as a table, with search and filters that survive a reload.

import type { useChoices } from '#control-plane/web/frame/address.ts'
import { queryOf } from '#control-plane/web/frame/address.ts'
import { messageOf } from '#control-plane/web/lib/api.ts'
import type { VoiceRow } from '#control-plane/web/lib/api-types.ts'
import { Field, FindField, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { ago } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import type { useRead } from '#control-plane/web/lib/read.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { KindField } from '#control-plane/web/look/kind-field.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { playSound } from '#control-plane/web/look/sound.ts'
import { VoicePrint } from '#control-plane/web/look/voice-print.tsx'
import { Needs, showNeed } from '#control-plane/web/needs/later.tsx'
import { isListener } from '#control-plane/web/visitor.ts'
import { strings } from '#messages/library/voices.ts'
import { strings as shared } from '#messages/shared.ts'
import { languageName } from '../dub/languages.ts'
import { changeDraft } from '../speak/draft.ts'
import { aboutOf } from './profile.ts'

export type Kind = keyof typeof strings.kinds

/** Rows that are drawn at once. */
const STEP = 200

export const kindOf = ({ kind, statement, origin }: VoiceRow): Kind =>
  origin.startsWith('bundle:') || statement?.method === 'imported' ? 'import' : kind

/** The studio stores a word for a language that is detected. */
export const languageOf = ({ language }: VoiceRow) =>
  language === '' || language === 'Auto' ? strings.anyLanguage : languageName(language)

export function statementOf({ kind, verified_own_voice: isShown, statement }: VoiceRow): {
  word: string
  tone: '' | 'good' | 'warn'
  icon: IconName | null
} {
  if (kind === 'design') return { word: strings.statements.unneeded, tone: '', icon: null }
  if (!isShown) return { word: strings.statements.missing, tone: 'warn', icon: 'warning' }
  return statement?.method === 'imported'
    ? { word: strings.statements.imported, tone: '', icon: 'shield' }
    : { word: strings.statements.recorded, tone: 'good', icon: 'shield' }
}

/** The newest sound of a voice. */
export const soundOf = ({ id, audio_url: url }: VoiceRow) => url ?? `/profiles/${id}/audio`
export const play = (path: string, title: string, href: string = '') =>
  playSound(path, { title, href }).catch((error) => showNeed(error) || notify(messageOf(error), 'error'))

/** The next text is spoken in this voice. */
export function speakWith({ id }: VoiceRow) {
  changeDraft({ voice: id, engine: '' })
  location.hash = '#/speak'
}

function Row({ voice, isOpen, query }: { voice: VoiceRow; isOpen: boolean; query: string }) {
  const { id, name, image_url: image } = voice
  const { word, tone, icon } = statementOf(voice)
  const path = soundOf(voice)
  const key = (event: KeyboardEvent) => {
    if (event.key !== ' ') return
    event.preventDefault()
    void play(path, name, `#/voices/${id}`)
  }
  return (
    <tr aria-current={isOpen ? 'true' : undefined}>
      <th scope="row">
        <span class="named-voice">
          <VoicePrint id={id} image={image} />
          <span>
            <a class="text one-line" dir="auto" href={`#/voices/${id}${query}`} onKeyDown={key}>
              {name}
            </a>
            <small class="text one-line" dir="auto">
              {aboutOf(voice) || strings.unnamed}
            </small>
          </span>
        </span>
      </th>
      <td class="of-kind">{strings.kinds[kindOf(voice)]}</td>
      <td class="of-language">{languageOf(voice)}</td>
      <td class="said">
        <span class={`state ${tone}`}>
          {icon && <Icon of={icon} />}
          {word}
        </span>
      </td>
      <td class="made">{ago(voice.created_at)}</td>
      <td class="acts">
        <PlayButton
          path={path}
          label={shared.playOf(name)}
          pauseLabel={shared.pauseOf(name)}
          onPress={() => play(path, name, `#/voices/${id}`)}
        />
        <button
          type="button"
          class="quiet icon-only makes"
          title={strings.speakWith(name)}
          aria-label={strings.speakWith(name)}
          onClick={() => speakWith(voice)}
        >
          <Icon of="speak" />
        </button>
      </td>
    </tr>
  )
}

export function MyVoices({
  voices,
  openId,
  choices: [wanted, change],
}: {
  voices: ReturnType<typeof useRead<'/profiles'>>
  openId: string
  choices: ReturnType<typeof useChoices<'q' | 'kind' | 'language'>>
}) {
  const [count, setCount] = useState(STEP)
  const set = (name: keyof typeof wanted) => (event: Event) => change({ [name]: fieldValue(event) })
  const all = voices.value
  if (all === null)
    return voices.error ? (
      <p class="callout bad text" role="alert">
        {voices.error}{' '}
        <button type="button" class="quiet" onClick={voices.again}>
          {shared.tryAgain}
        </button>
      </p>
    ) : (
      <>
        <p class="hidden" role="status">
          {shared.loading}
        </p>
        <div class="waiting" aria-hidden="true">
          {[1, 2, 3].map((one) => (
            <div key={one} class="skeleton"></div>
          ))}
        </div>
      </>
    )
  if (all.length === 0)
    return (
      <div class="empty">
        <span class="kind k2 large">
          <Icon of="voice" isLarge />
        </span>
        <p>{strings.none}</p>
        <div class="row center makes">
          <a class="button tint" href="#/voices/new?from=sample">
            {strings.fromSample}
          </a>
          <a class="button" href="#/voices/new?from=design">
            {strings.fromWords}
          </a>
        </div>
      </div>
    )
  const languages = [...new Set(all.map(languageOf))].sort()
  const text = wanted.q.trim().toLowerCase()
  const found = all.filter(
    (voice) =>
      (wanted.kind === '' || kindOf(voice) === wanted.kind) &&
      (wanted.language === '' || languageOf(voice) === wanted.language) &&
      (text === '' || [voice.name, voice.description, voice.instruct, voice.personality].some((one) => one.toLowerCase().includes(text))),
  )
  return (
    <>
      <div class="row voice-filters">
        <FindField value={wanted.q} label={strings.find} onFind={(q) => change({ q })} />
        <Field label={strings.language} look="chip">
          <select value={wanted.language} onChange={set('language')}>
            <option value="">{strings.all}</option>
            {languages.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </Field>
        <KindField label={strings.kind} all={strings.all} value={wanted.kind} kinds={strings.kinds} onChoose={(kind) => change({ kind })} />
        <span class="spread"></span>
        <small class="wide-only">{strings.spacePlays}</small>
        <span class="hidden" role="status">
          {strings.found(found.length)}
        </span>
      </div>
      {found.length === 0 ? (
        <p class="empty">
          {strings.noneFound}{' '}
          <button type="button" class="quiet" onClick={() => change({ q: '', kind: '', language: '' })}>
            {strings.showAll}
          </button>
        </p>
      ) : (
        <table class="list-table voices">
          <thead>
            <tr>
              {Object.entries(strings.columns).map(([id, name]) => (
                <th key={id} scope="col" class={`col-${id}`}>
                  {id === 'actions' ? <span class="hidden">{name}</span> : name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {found.slice(0, count).map((voice) => (
              <Row key={voice.id} voice={voice} isOpen={voice.id === openId} query={queryOf(wanted)} />
            ))}
          </tbody>
        </table>
      )}
      {all.length > 0 && !isListener && <Needs.View of="cloning" />}
      {found.length > count && (
        <div class="row center">
          <button type="button" onClick={() => setCount(count + STEP)}>
            {strings.more(Math.min(STEP, found.length - count))}
          </button>
        </div>
      )}
    </>
  )
}
