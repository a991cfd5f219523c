// All models of a machine as rows, with a filter and a search.
import type { EngineFamilies, ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { FindField } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/system/models.ts'
import { phaseOf } from '../setup/downloads.ts'
import type { OfMachine } from './cards.tsx'
import type { LoadedModel } from './installed.tsx'
import { InstalledModel } from './installed.tsx'
import { Model } from './model.tsx'

type Role = keyof typeof strings.roles
type Filter = keyof typeof strings.filters | Role
/** Facts of this machine alone: its engines, and what is in memory. */
export type Own = { engines: EngineFamilies | null; loaded: readonly LoadedModel[] } | null
type Rows = OfMachine & { own: Own }

const isRole = (name: string): name is Role => Object.hasOwn(strings.roles, name)
/** A role of a later version is shown under "Other". */
const roleOf = ({ role }: ModelEntry): Role => (isRole(role) ? role : 'other')
const FILTERS = ['', 'installed', ...Object.keys(strings.roles).filter(isRole)] as readonly Filter[]

const isKept = ({ installed, incomplete, download }: ModelEntry) => installed || incomplete || download?.state === 'failed'
const passes = (model: ModelEntry, filter: Filter) => filter === '' || (filter === 'installed' ? isKept(model) : roleOf(model) === filter)

/** Rows that are drawn at once: all of them would be one long task. */
const STEP = 12
function ModelRows({ models, own, downloads, ...rest }: Rows) {
  const [count, setCount] = useState(STEP)
  const isWhole = count >= models.length
  useEffect(() => {
    if (isWhole) return
    const timer = setTimeout(() => setCount(count + STEP))
    return () => clearTimeout(timer)
  }, [count, isWhole])
  return (
    <ul class="models">
      {models
        .slice(0, count)
        .map((model) =>
          own && model.installed ? (
            <InstalledModel key={model.repo_id} model={model} download={downloads.get(model.repo_id)} {...own} {...rest} />
          ) : (
            <Model key={model.repo_id} model={model} download={downloads.get(model.repo_id)} {...rest} />
          ),
        )}
    </ul>
  )
}

/**
 * Models of one group, such as the voices of a language. Opens for a search or a download, and stays open: a row does not vanish when it
 * is finished.
 */
function Group({ title, isSearching, ...rows }: Rows & { title: string; isSearching: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const isActive =
    isSearching || rows.models.some((one) => one.installing || one.download !== null || one.installed || rows.downloads.has(one.repo_id))
  useEffect(() => {
    if (isActive) setOpen(true)
  }, [isActive])
  const toggled = ({ currentTarget }: Event) => currentTarget instanceof HTMLDetailsElement && setOpen(currentTarget.open)
  return (
    <details open={isOpen} onToggle={toggled}>
      <summary>{strings.roleCount(title, rows.models.length)}</summary>
      {isOpen && <ModelRows {...rows} />}
    </details>
  )
}

/** Models that are installed or on their way come first, the others in the order of the catalogue. */
const inOrder = (models: readonly ModelEntry[], { downloads }: Pick<Rows, 'downloads'>) => {
  const rank = (model: ModelEntry) => (phaseOf(model, downloads.get(model.repo_id)) === 'none' ? 1 : 0)
  return [...models].sort((one, other) => rank(one) - rank(other))
}

export function Catalogue({ isInstalled, ...rows }: Rows & { isInstalled: boolean }) {
  const [chosen, setFilter] = useState<Filter>(isInstalled ? 'installed' : '')
  const [word, setWord] = useState('')
  const [isAllShown, showAll] = useState(false)
  const wanted = word.trim().toLowerCase()
  const counts = Map.groupBy(rows.models, roleOf)
  const count = (filter: Filter) => rows.models.filter((one) => passes(one, filter)).length
  const found = rows.models.filter(
    (one) => passes(one, chosen) && `${one.label} ${one.repo_id} ${one.note ?? ''} ${one.licence}`.toLowerCase().includes(wanted),
  )
  const unsupported = found.filter((one) => !one.supported && !isKept(one))
  const shown = inOrder(isAllShown ? found : found.filter((one) => one.supported || isKept(one)), rows)
  const groups = [...new Set(shown.flatMap(({ group }) => group ?? []))]
  return (
    <section class="catalogue" aria-label={strings.all}>
      <div class="row">
        <h2>{strings.all}</h2>
        <div class="row segments" role="group" aria-label={strings.columns.for}>
          {FILTERS.filter((one) => one === '' || one === 'installed' || counts.has(one as Role)).map((one) => (
            <button key={one} type="button" class="quiet" aria-pressed={chosen === one} onClick={() => setFilter(one)}>
              {one === '' || one === 'installed' ? strings.filters[one] : strings.roles[one]} <small class="number">{count(one)}</small>
            </button>
          ))}
        </div>
        <span class="spread"></span>
        <FindField value={word} label={strings.find} onFind={setWord} />
      </div>
      <p class="hidden" role="status">
        {wanted === '' ? '' : strings.foundCount(found.length)}
      </p>
      {found.length === 0 ? (
        <p class="empty">{chosen === 'installed' && wanted === '' ? strings.noneInstalled : strings.noneFound}</p>
      ) : (
        <div class="cells columns-of-models" aria-hidden="true">
          {Object.entries(strings.columns).map(([name, title]) => (
            <span key={name} class={`of-${name}`}>
              {title}
            </span>
          ))}
          <span></span>
        </div>
      )}
      <ModelRows {...rows} models={shown.filter(({ group }) => group === null)} />
      {groups.map((name) => (
        <Group key={name} {...rows} title={name} models={shown.filter(({ group }) => group === name)} isSearching={wanted !== ''} />
      ))}
      {unsupported.length > 0 && (
        <button type="button" class="quiet" onClick={() => showAll(!isAllShown)}>
          {isAllShown ? strings.hideUnsupported : strings.showUnsupported(unsupported.length)}
        </button>
      )}
    </section>
  )
}
