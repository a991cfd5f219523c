// The catalogue of models: those recommended for this machine, then all of them with a search.
import { post } from '#control-plane/web/lib/api.ts'
import type { ModelAdvice, ModelCatalogue, ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/start/setup.ts'
import type { Download } from './downloads.ts'
import type { Room } from './fit.ts'
import { GB, obstacleOf } from './fit.ts'
import { Model } from './model.tsx'

export type Role = keyof typeof strings.roles
export type Shared = { downloads: Map<string, Download>; room: Room; onChanged: () => Promise<unknown> }

const isRole = (name: string): name is Role => Object.hasOwn(strings.roles, name)
const ROLES = Object.keys(strings.roles).filter(isRole)
/** A role of a later version is shown under "Other". */
const roleOf = ({ role }: ModelEntry): Role => (isRole(role) ? role : 'other')

const Rows = ({ models, downloads, room, onChanged }: Shared & { models: ModelEntry[] }) => (
  <ul class="models">
    {models.map((model) => (
      <Model key={model.repo_id} model={model} download={downloads.get(model.repo_id)} room={room} onChanged={onChanged} />
    ))}
  </ul>
)

export function Recommended({ advice, models, ...rest }: Shared & { advice: ModelAdvice; models: ModelEntry[] }) {
  const rows = advice.models.flatMap(({ repo_id }) => models.filter((one) => one.repo_id === repo_id))
  // Licences with conditions are accepted one by one.
  const free = rows.filter(
    (one) => !one.installed && !one.installing && one.download === null && !one.gated && obstacleOf(one, rest.room) === '',
  )
  const size = free.reduce((sum, { size_gb }) => sum + size_gb, 0)
  const installAll = async () => {
    for (const { repo_id } of free) await post('/models/install', { repo_id })
    await rest.onChanged()
  }
  return (
    <section class="sheet" aria-label={strings.recommended}>
      <div class="row">
        <h2>{strings.recommendedTitle}</h2>
        <span class="spread"></span>
        {free.length > 1 && (
          <Action kind="main" onPress={installAll}>
            {strings.installAll(free.length, bytes(size * GB))}
          </Action>
        )}
      </div>
      <p class="soft text">
        {advice.device.label}. {advice.rationale}
      </p>
      {advice.all_installed && <p class="callout good">{strings.allInstalled}</p>}
      <Rows models={rows} {...rest} />
    </section>
  )
}

/** The groups among these models, in their order. */
const groupsOf = (models: readonly ModelEntry[]) => [...new Set(models.flatMap(({ group }) => group ?? []))]

/**
 * Models of one group, such as the voices of a language, are in a part of their own. Opens for a search or a download, and stays open: a
 * row does not vanish when it is finished.
 */
function RoleGroup({
  title,
  models,
  isSearching,
  isPart = false,
  ...rest
}: Shared & { title: string; models: ModelEntry[]; isSearching: boolean; isPart?: boolean }) {
  const [open, setOpen] = useState(false)
  const isActive =
    models.length > 0 && (isSearching || models.some((one) => one.installing || one.download !== null || rest.downloads.has(one.repo_id)))
  useEffect(() => {
    if (isActive) setOpen(true)
  }, [isActive])
  if (models.length === 0) return null
  const toggled = ({ currentTarget }: Event) => currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
  return (
    <details open={open} onToggle={toggled}>
      <summary>{strings.roleCount(title, models.length)}</summary>
      {(open || !isPart) && <Rows models={models.filter(({ group }) => isPart || group === null)} {...rest} />}
      {!isPart &&
        groupsOf(models).map((name) => (
          <RoleGroup
            key={name}
            title={name}
            models={models.filter(({ group }) => group === name)}
            isSearching={isSearching}
            isPart
            {...rest}
          />
        ))}
    </details>
  )
}

export function Catalogue({ list, ...rest }: Shared & { list: ModelCatalogue }) {
  const [word, setWord] = useState('')
  const [isAllShown, showAll] = useState(false)
  const wanted = word.trim().toLowerCase()
  const found = list.models.filter(({ label, repo_id, note = '', licence }) =>
    `${label} ${repo_id} ${note} ${licence}`.toLowerCase().includes(wanted),
  )
  const installed = list.models.filter((model) => model.installed)
  const unsupported = found.filter(({ supported }) => !supported)
  const shown = isAllShown ? found : found.filter(({ supported }) => supported)
  return (
    <section class="sheet" aria-label={strings.allModels}>
      <h2>{strings.allModels}</h2>
      <p class="soft">
        {strings.installedCount(installed.length, list.models.length, bytes(list.total_installed_bytes))}
        {list.hf_cache_dir === '' ? (
          strings.onBorrowedMachine
        ) : (
          <>
            {strings.folder}
            <span class="mono">{list.hf_cache_dir}</span>
          </>
        )}
      </p>
      <p class="soft">{strings.unpinnedNote}</p>
      <Field label={strings.find}>
        <input type="search" value={word} onInput={(event: Event) => setWord(fieldValue(event))} />
      </Field>
      <p class="hidden" role="status">
        {wanted === '' ? '' : strings.found(found.length)}
      </p>
      {found.length === 0 && <p class="empty">{strings.noneFound}</p>}
      {ROLES.map((role) => (
        <RoleGroup
          key={role}
          title={strings.roles[role]}
          models={shown.filter((one) => roleOf(one) === role)}
          isSearching={wanted !== ''}
          {...rest}
        />
      ))}
      {unsupported.length > 0 && (
        <button type="button" class="quiet" onClick={() => showAll(!isAllShown)}>
          {isAllShown ? strings.hideUnsupported : strings.showUnsupported(unsupported.length)}
        </button>
      )}
    </section>
  )
}
