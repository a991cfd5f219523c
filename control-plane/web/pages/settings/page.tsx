// Settings: sections at the side, a search over all of them, and one row for each setting.

import type { FunctionComponent } from 'preact'
import type { PageProps } from '#control-plane/web/app.tsx'
import { decoded } from '#control-plane/web/frame/address.ts'
import { LanguageField } from '#control-plane/web/frame/language-field.tsx'
import type { SettingRow } from '#control-plane/web/lib/api-types.ts'
import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { useRead } from '#control-plane/web/lib/read.ts'
import { mayOwn } from '#control-plane/web/visitor.ts'
import { strings as frame } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/settings.ts'
import { Dictionary } from '../settings-parts/dictionary.tsx'
import { Disk } from '../settings-parts/disk.tsx'
import { DictationModel, Engines } from '../settings-parts/engines.tsx'
import { Hub } from '../settings-parts/hub.tsx'
import { KeptTakes } from '../settings-parts/kept-takes.tsx'
import { Providers } from '../settings-parts/providers.tsx'
import { Sharing } from '../settings-parts/sharing.tsx'
import { About } from './about.tsx'
import { Checks } from './checks.tsx'
import { Examples } from './examples.tsx'
import { LogLines } from './log.tsx'
import { SettingView } from './row.tsx'
import type { Group, Row, SectionName } from './sections.ts'
import { isSection, rowsOf, SECTIONS } from './sections.ts'
import { Updates } from './updates.tsx'

const BLOCKS: Readonly<Record<NonNullable<Group['block']>, FunctionComponent<{ settings: readonly SettingRow[] }>>> = {
  language: LanguageField,
  keptTakes: KeptTakes,
  engines: Engines,
  hub: Hub,
  dictionary: Dictionary,
  providers: Providers,
  disk: Disk,
  sharing: Sharing,
  examples: Examples,
  checks: Checks,
  log: LogLines,
  releases: About,
  updates: Updates,
  dictationModel: DictationModel,
}
const PEOPLE = 'people'
/** Those with the role to operate have no keys and no sharing. */
const NAMES = (Object.keys(SECTIONS) as SectionName[]).filter((name) => mayOwn || !/^(?:people|access)$/.test(name))
const OwnPeople = whenOpened(() => import('../people/people.tsx').then(({ People }) => People))

/** True if every word of the search is in the text. */
const matches = (search: string, texts: readonly string[]) => {
  const text = texts.join(' ').toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function Found({ search, settings, view }: { search: string; settings: readonly SettingRow[]; view: (row: Row) => unknown }) {
  const found = NAMES.flatMap((name) =>
    SECTIONS[name].flatMap((group) => {
      const [title, help] = strings.groups[group.name]
      const around = [strings.sections[name], title]
      const rows = rowsOf(group, settings).filter((row) => matches(search, [row.title, row.help, ...around]))
      const isNamed = matches(search, [...around, help])
      return rows.length > 0 || isNamed ? [{ name, title, help, rows }] : []
    }),
  )
  if (found.length === 0) return <p class="empty">{strings.nothingFound}</p>
  return found.map(({ name, title, help, rows }) => (
    <section key={title} class="sheet" aria-label={title}>
      <h2>{title}</h2>
      <p class="soft">
        <a href={`#/settings/${name}`}>{strings.sections[name]}</a>
        {rows.length === 0 && ` · ${help}`}
      </p>
      {rows.map(view)}
    </section>
  ))
}

export function Settings({ address: { object, query } }: Pick<PageProps, 'address'>) {
  const settings = useRead('/api/settings/values')
  const [search, setSearch] = useState('')
  const [restarts, setRestarts] = useState<readonly string[]>([])
  const all = settings.value?.settings ?? []
  const [section = '', person = ''] = object.split('/')
  const name = isSection(section) && NAMES.includes(section) ? section : 'general'
  const isPeople = name === PEOPLE && search.trim() === ''
  const wanted = query.get('row')
  const stored = async ({ id, needsRestart }: Row, isStored: boolean) => {
    if (needsRestart && isStored) setRestarts((all) => [...new Set([...all, id])])
    await settings.again()
  }
  const view = (row: Row) => <SettingView key={row.id} row={row} isFound={row.id === wanted} onStored={stored} />
  return (
    <div class={`options ${object === '' && search === '' ? 'at-list' : isPeople ? 'broad' : ''}`}>
      <div class="side">
        <input
          type="search"
          class="find"
          aria-label={strings.search}
          placeholder={strings.search}
          value={search}
          onInput={(event: Event) => setSearch(fieldValue(event).trimStart())}
        />
        <nav aria-label={strings.list}>
          {NAMES.map((one) => (
            <a
              key={one}
              href={`#/settings/${one}`}
              aria-current={search === '' && one === name ? 'page' : undefined}
              onClick={() => setSearch('')}
            >
              {strings.sections[one]}
            </a>
          ))}
        </nav>
        <p class="row">
          <a href="#/health">{frame.titles.health}</a>
          <a href="#/setup">{frame.titles.setup}</a>
        </p>
      </div>
      <div class="chosen">
        <a class="back" href="#/settings" onClick={() => setSearch('')}>
          {strings.list}
        </a>
        {restarts.length > 0 && (
          <p class="callout" role="status">
            {strings.restart(restarts.length)}
          </p>
        )}
        {settings.error && (
          <p class="callout bad text" role="alert">
            {settings.error}{' '}
            <button type="button" class="quiet" onClick={settings.again}>
              {shared.tryAgain}
            </button>
          </p>
        )}
        {settings.value === null && settings.error === '' && (
          <p class="empty" role="status">
            {shared.loading}
          </p>
        )}
        {isPeople && <OwnPeople.View personId={decoded(person)} query={query} />}
        {settings.value !== null &&
          !isPeople &&
          (search.trim() !== '' ? (
            <Found search={search.trim()} settings={all} view={view} />
          ) : (
            SECTIONS[name].map((group) => {
              const [title, help] = strings.groups[group.name]
              const Block = group.block && BLOCKS[group.block]
              return (
                <section key={group.name} class="sheet" aria-label={title}>
                  <h2>{title}</h2>
                  <p class="soft">{help}</p>
                  {rowsOf(group, all).map(view)}
                  {Block && <Block settings={all} />}
                </section>
              )
            })
          ))}
      </div>
    </div>
  )
}
