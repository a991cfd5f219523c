// The groups of each section, the rows of a group as the settings declare them, and how a changed value is stored.
import { get, post, put } from '#control-plane/web/lib/api.ts'
import type { SettingRow } from '#control-plane/web/lib/api-types.ts'
import { settingText } from '#control-plane/web/lib/server-texts.ts'
import type { strings } from '#messages/system/settings.ts'

export type SectionName = keyof typeof strings.sections
type GroupName = keyof typeof strings.groups
/** One control of a setting. `field`: of a setting that is an object, else null. */
export type Row = { id: string; setting: SettingRow; field: string | null; title: string; help: string; needsRestart: boolean }
/** `block`: what the group shows besides its settings. */
export type Group = {
  name: GroupName
  block?:
    | 'keptTakes'
    | 'language'
    | 'engines'
    | 'hub'
    | 'dictionary'
    | 'providers'
    | 'disk'
    | 'sharing'
    | 'examples'
    | 'checks'
    | 'log'
    | 'releases'
    | 'updates'
    | 'dictationModel'
}

/** In the order of the list. */
export const SECTIONS: Readonly<Record<SectionName, readonly Group[]>> = {
  general: [{ name: 'language', block: 'language' }, { name: 'takes', block: 'keptTakes' }, { name: 'network' }],
  engines: [{ name: 'families', block: 'engines' }, { name: 'device' }, { name: 'hub', block: 'hub' }],
  pronunciation: [{ name: 'dictionary', block: 'dictionary' }],
  translation: [{ name: 'providers', block: 'providers' }, { name: 'skills' }, { name: 'services' }],
  dictation: [{ name: 'dictation', block: 'dictationModel' }, { name: 'refinement' }],
  people: [{ name: 'people' }],
  api: [{ name: 'mcp' }, { name: 'examples', block: 'examples' }],
  storage: [{ name: 'disk', block: 'disk' }, { name: 'backups' }, { name: 'limits' }],
  privacy: [{ name: 'marks' }, { name: 'sent' }],
  access: [{ name: 'sharing', block: 'sharing' }, { name: 'hosted' }],
  doctor: [
    { name: 'checks', block: 'checks' },
    { name: 'log', block: 'log' },
  ],
  about: [
    { name: 'updates', block: 'updates' },
    { name: 'releases', block: 'releases' },
  ],
}
export const isSection = (name: string): name is SectionName => Object.hasOwn(SECTIONS, name)

/** The rows of a group, in the order of the declarations. */
export const rowsOf = (group: Group, settings: readonly SettingRow[]): Row[] =>
  settings.flatMap((setting) => {
    const { key, page } = setting
    if (page?.group !== group.name) return []
    return page.controls.map(({ field, title, help }) => {
      const id = field === null ? key : `${key}.${field}`
      const [ownTitle, ownHelp] = settingText(id) ?? [title, help]
      return { id, setting, field, title: ownTitle, help: ownHelp, needsRestart: page.needs_restart }
    })
  })

/** Kind of control. */
export type Kind = 'switch' | 'number' | 'text' | 'secret' | 'choice'

export function kindOf({ field, setting: { secret, form } }: Row): Kind {
  if (secret) return 'secret'
  // The fields of objects that have a row are switches.
  return field !== null || form.kind === 'other' ? 'switch' : form.kind
}

/** The part of a setting's value that the row shows. */
export function partOf({ field }: Row, value: unknown): unknown {
  if (field === null) return value
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}

const mark = (name: string) => (value: unknown) => post(`/watermark/settings?${name}=${value === true}`, {})
/** Settings with effects beyond their value: the routes that change them. */
const WRITES: Readonly<Record<string, (value: unknown) => Promise<unknown>>> = {
  'archetypes.download_previews': (value) => put('/archetypes/previews', { enabled: value === true }),
  'compute.device': (value) => put('/api/settings/compute-device', { value: String(value) }),
  'voices.hosted_url': (value) => put('/api/settings/hosted-voices', { url: String(value) }),
  'voices.hosted_key': (value) => put('/api/settings/hosted-voices', { key: String(value) }),
  'watermark.invisible': mark('invisible'),
  'watermark.visible_audio': mark('visible_audio'),
  'watermark.visible_video': mark('visible_video'),
}
const VARIABLE = 'env.'

/** The last write of a part of a setting. */
let last = Promise.resolve()

/** Stores a value. */
export function store({ setting: { key }, field }: Pick<Row, 'setting' | 'field'>, value: unknown): Promise<unknown> {
  if (key.startsWith(VARIABLE)) return post('/system/set-env', { key: key.slice(VARIABLE.length), value: String(value) })
  const write = WRITES[key]
  if (write) return write(value)
  const path = `/api/settings/values/${encodeURIComponent(key)}` as `/api/settings/values/${string}`
  if (field === null) return put(path, { value })
  // A change is sent with the stored values of the other parts, which may have changed since the page was drawn.
  const mine = last.then(async () => {
    const { value: now } = await get(path)
    await put(path, { value: { ...(now as object), [field]: value } })
  })
  last = mine.catch(() => {})
  return mine
}
