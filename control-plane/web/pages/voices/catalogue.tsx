// Voices that are ready to use: the archetypes of the studio, and what others publish.

import type { ComponentChildren } from 'preact'
import { get, messageOf, post } from '#control-plane/web/lib/api.ts'
import type { ArchetypeItem, CommunityItemRow, NeedKind } from '#control-plane/web/lib/api-types.ts'
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { VoicePrint } from '#control-plane/web/look/voice-print.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { useMissing } from '#control-plane/web/needs/store.ts'
import { strings } from '#messages/library/voices.ts'
import { strings as shared } from '#messages/shared.ts'
import { play } from './mine.tsx'

const STEP = 60
/** The source of voices that come with the studio. */
const STARTER = 'builtin/starter'
const REST_MS = 200

/** Pages of a list, read again when the wanted rows change. */
function usePages<Row>(read: (offset: number) => Promise<{ total: number; items: readonly Row[] }>, wanted: string) {
  const [state, setState] = useState({ items: [] as readonly Row[], total: null as number | null, error: '' })
  const newest = useRef(0)
  const load = async (offset: number) => {
    const mine = ++newest.current
    try {
      const { total, items } = await read(offset)
      if (mine === newest.current) setState((now) => ({ items: offset === 0 ? items : [...now.items, ...items], total, error: '' }))
    } catch (error) {
      if (mine === newest.current) setState((now) => ({ ...now, error: messageOf(error) }))
    }
  }
  useEffect(() => {
    const timer = setTimeout(() => load(0), REST_MS)
    return () => clearTimeout(timer)
  }, [wanted])
  return { ...state, more: () => load(state.items.length), again: () => load(0) }
}

function Item({
  id,
  name,
  about,
  preview,
  use,
}: {
  id: string
  name: string
  about: string
  preview: string
  use: `/archetypes/${string}/use` | `/community/items/${string}/use`
}) {
  const add = async () => {
    const { profile_id: voice } = await post(use, {})
    notify(strings.added)
    location.hash = `#/voices/${voice}`
  }
  return (
    <li class="offered">
      <VoicePrint id={id} />
      <span class="grow">
        <b class="text one-line" dir="auto">
          {name}
        </b>
        <small class="text one-line" dir="auto">
          {about}
        </small>
      </span>
      <PlayButton path={preview} label={shared.playOf(name)} pauseLabel={shared.pauseOf(name)} onPress={() => play(preview, name)} />
      <Action aria-label={strings.useOf(name)} onPress={add}>
        <Icon of="plus" />
        {strings.use}
      </Action>
    </li>
  )
}

/** With the line for the model that its voices need, drawn together so that nothing moves. */
const List = ({
  pages,
  empty,
  needs,
  children,
}: {
  pages: ReturnType<typeof usePages>
  empty: string
  needs: NeedKind
  children?: ComponentChildren
}) => {
  const isKnown = useMissing().needs !== null && (pages.total !== null || pages.error !== '')
  useEffect(() => void Needs.prefetch(), [])
  return (
    <>
      {isKnown && <Needs.View of={needs} onInstalled={pages.again} />}
      {pages.error && (
        <p class="callout bad text" role="alert">
          {pages.error}{' '}
          <button type="button" class="quiet" onClick={pages.again}>
            {shared.tryAgain}
          </button>
        </p>
      )}
      {pages.total === 0 && <p class="empty">{empty}</p>}
      {!isKnown && !pages.error && (
        <div class="waiting" aria-hidden="true">
          {[1, 2, 3].map((one) => (
            <div key={one} class="skeleton"></div>
          ))}
        </div>
      )}
      {isKnown && <ul class="offers">{children}</ul>}
      {pages.total !== null && pages.items.length < pages.total && (
        <div class="row center">
          <Action onPress={pages.more}>{strings.more(Math.min(STEP, pages.total - pages.items.length))}</Action>
        </div>
      )}
    </>
  )
}

/** Traits by which the gallery is filtered: parameter -> category. */
const TRAITS = [
  ['gender', 'Gender'],
  ['age', 'Age'],
  ['pitch', 'Pitch'],
  ['accent', 'EnglishAccent'],
] as const

export function Gallery() {
  const cases = useRead('/archetypes/categories')
  const [wanted, setWanted] = useState<Record<string, string>>({})
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value !== '')).toString()
  const pages = usePages((offset) => get(`/archetypes?limit=${STEP}&offset=${offset}&${query}`), query)
  const set = (name: string) => (event: Event) => setWanted((now) => ({ ...now, [name]: fieldValue(event) }))
  return (
    <>
      <div class="row voice-filters">
        <input
          type="search"
          class="find"
          value={wanted['q'] ?? ''}
          maxlength={200}
          placeholder={strings.find}
          aria-label={strings.find}
          onInput={set('q')}
        />
        <Field label={strings.useCase} look="chip">
          <select onChange={set('use_case')}>
            <option value="">{strings.all}</option>
            {cases.value?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        {TRAITS.map(([name, category]) => (
          <Field key={name} label={strings[name]} look="chip">
            <select onChange={set(name)}>
              <option value="">{strings.all}</option>
              {strings.choices[category].map((one) => (
                <option key={one} value={one}>
                  {strings.traits(one)}
                </option>
              ))}
            </select>
          </Field>
        ))}
        <span class="spread"></span>
        <small class="number" role="status">
          {pages.total !== null && strings.found(pages.total)}
        </small>
      </div>
      <List pages={pages} empty={strings.noneFound} needs="description">
        {pages.items.map(({ id, name, instruct, language }: ArchetypeItem) => (
          <Item
            key={id}
            id={id}
            name={name}
            about={[strings.traits(instruct), language].filter(Boolean).join(' · ')}
            preview={`/archetypes/${encodeURIComponent(id)}/preview`}
            use={`/archetypes/${encodeURIComponent(id)}/use`}
          />
        ))}
      </List>
    </>
  )
}

export function Community() {
  const [text, setText] = useState('')
  const query = new URLSearchParams(text.trim() === '' ? {} : { q: text.trim() }).toString()
  const pages = usePages((offset) => get(`/community/items?limit=${STEP}&offset=${offset}&${query}`), query)
  return (
    <>
      <div class="row voice-filters">
        <input
          type="search"
          class="find"
          value={text}
          maxlength={200}
          placeholder={strings.find}
          aria-label={strings.find}
          onInput={(event: Event) => setText(fieldValue(event))}
        />
        <span class="spread"></span>
        <small class="number" role="status">
          {pages.total !== null && strings.found(pages.total)}
        </small>
      </div>
      <List pages={pages} empty={text.trim() === '' ? strings.noSources : strings.noneFound} needs="cloning">
        {pages.items.map(({ id, name, language, license, _source_repo: source }: CommunityItemRow) => (
          <Item
            key={id}
            id={id}
            name={name}
            about={[language, license, source === STARTER ? strings.starter : source].filter(Boolean).join(' · ')}
            preview={`/community/items/${encodeURIComponent(id)}/preview`}
            use={`/community/items/${encodeURIComponent(id)}/use`}
          />
        ))}
      </List>
    </>
  )
}
