// The settings by section and group, and how each is written. What a setting is called and takes comes from its declaration.
import { get, post, put } from '#control-plane/web/lib/api.ts'
import type { SettingRow } from '#control-plane/web/lib/api-types.ts'
import type { strings } from '#messages/system/settings.ts'

export type SectionName = keyof typeof strings.sections
export type RowId = keyof typeof strings.rows
type GroupName = keyof typeof strings.groups
export type Row = {
  id: RowId
  /** of the setting */
  key: string
  /** of a setting that is an object */
  field?: string
  needsRestart?: boolean
  /** other than by its key */
  write?: (value: unknown) => Promise<unknown>
}
/** `block`: what the group shows besides rows. */
export type Group = {
  name: GroupName
  rows?: readonly Row[]
  block?:
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
    | 'dictationModel'
}

const row = (id: RowId, rest: Partial<Row> = {}): Row => ({ id, key: id, ...rest })
/** A field of a setting that is an object. */
const part = (key: string, field: string, id: RowId): Row => ({ id, key, field })
/** A variable, which is never returned. */
const variable = (name: string, rest: Partial<Row> = {}): Row => ({
  id: name as RowId,
  key: `env.${name}`,
  write: (value) => post('/system/set-env', { key: name, value: String(value) }),
  ...rest,
})
const mark = (name: 'invisible' | 'visible_audio' | 'visible_video'): Row => ({
  id: `watermark.${name}`,
  key: `watermark.${name}`,
  write: (value) => post(`/watermark/settings?${name}=${value === true}`, {}),
})
const RESTART = { needsRestart: true }
const SKILLS = [
  'dub_translation',
  'cinematic_translation',
  'slot_fitting',
  'glossary_extract',
  'direction_parse',
  'dictation_refinement',
] as const

/** In the order of the list. */
export const SECTIONS: Readonly<Record<SectionName, readonly Group[]>> = {
  general: [
    {
      name: 'takes',
      rows: [
        row('history.retention'),
        row('archetypes.download_previews', { write: (value) => put('/archetypes/previews', { enabled: value === true }) }),
        row('dubbing.ingest_local_network'),
      ],
    },
    {
      name: 'network',
      rows: [
        variable('HTTPS_PROXY'),
        variable('HTTP_PROXY'),
        variable('ALL_PROXY'),
        variable('VOICESTUDIO_PORT', RESTART),
        variable('VOICESTUDIO_SHARE_PORT', RESTART),
      ],
    },
  ],
  engines: [
    { name: 'families', rows: [row('recognition.expected_languages')], block: 'engines' },
    {
      name: 'device',
      rows: [
        row('compute.device', {
          ...RESTART,
          write: (value) => put('/api/settings/compute-device', { value: String(value) }),
        }),
        row('perf.torch_compile_disabled'),
      ],
    },
    { name: 'hub', block: 'hub' },
  ],
  pronunciation: [{ name: 'dictionary', rows: [row('pronunciation_enabled')], block: 'dictionary' }],
  translation: [
    { name: 'providers', block: 'providers' },
    { name: 'skills', rows: SKILLS.map((name) => part(`llm.skill.${name}`, 'enabled', `llm.skill.${name}`)) },
    {
      name: 'services',
      rows: [
        variable('DEEPL_API_KEY'),
        variable('GOOGLE_TRANSLATE_API_KEY'),
        variable('MICROSOFT_API_KEY'),
        variable('MICROSOFT_REGION'),
        variable('MYMEMORY_EMAIL'),
      ],
    },
  ],
  dictation: [
    {
      name: 'dictation',
      rows: [row('dictation.enabled'), row('dictation.mode')],
      block: 'dictationModel',
    },
    {
      name: 'refinement',
      rows: [
        part('dictation.refinement', 'auto', 'refinement.auto'),
        part('dictation.refinement', 'smart_cleanup', 'refinement.smart_cleanup'),
        part('dictation.refinement', 'self_correction', 'refinement.self_correction'),
        part('dictation.refinement', 'preserve_technical', 'refinement.preserve_technical'),
        row('dictation.refine_seconds'),
      ],
    },
  ],
  api: [
    { name: 'mcp', rows: [row('mcp.enabled')] },
    { name: 'examples', block: 'examples' },
  ],
  storage: [
    { name: 'disk', block: 'disk' },
    {
      name: 'limits',
      rows: [row('voices.most_gigabytes'), row('gallery.most_gigabytes'), row('longform.cache_gigabytes'), row('dubbing.store_gigabytes')],
    },
  ],
  privacy: [{ name: 'marks', rows: [mark('invisible'), mark('visible_audio'), mark('visible_video')] }, { name: 'sent' }],
  access: [
    { name: 'sharing', block: 'sharing' },
    {
      name: 'hosted',
      rows: [
        row('voices.hosted_url', { write: (value) => put('/api/settings/hosted-voices', { url: String(value) }) }),
        row('voices.hosted_key', { write: (value) => put('/api/settings/hosted-voices', { key: String(value) }) }),
      ],
    },
  ],
  doctor: [
    { name: 'checks', block: 'checks' },
    { name: 'log', block: 'log' },
  ],
  about: [{ name: 'releases', block: 'releases' }],
}

/** of control */
export type Kind = 'switch' | 'number' | 'text' | 'secret' | 'choice'

export function kindOf({ field }: Row, { secret, form }: SettingRow): Kind {
  if (secret) return 'secret'
  // The fields of objects that have a row are switches.
  return field !== undefined || form.kind === 'other' ? 'switch' : form.kind
}

export const titleOf = ({ id, field }: Row, setting: SettingRow | undefined) =>
  (field === undefined ? setting?.title : setting?.titles[field]) ?? id

export function settingValue({ field }: Row, setting: SettingRow | undefined) {
  const value = setting?.value
  if (field === undefined) return value
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}

/** The last write of a part of a setting. */
let last = Promise.resolve()

/** Stores a value. */
export function store({ key, field, write }: Row, value: unknown): Promise<unknown> {
  if (write) return write(value)
  const path = `/api/settings/values/${encodeURIComponent(key)}` as `/api/settings/values/${string}`
  if (field === undefined) return put(path, { value })
  // A change is sent with the stored values of the other parts, which may have changed since the page was drawn.
  const mine = last.then(async () => {
    const { value: now } = await get(path)
    await put(path, { value: { ...(now as object), [field]: value } })
  })
  last = mine.catch(() => {})
  return mine
}

export const isSection = (name: string): name is SectionName => Object.hasOwn(SECTIONS, name)
