// @ts-check
// The settings by section and group, and how each is written. What a setting is called and takes comes from its declaration.
import { get, post, put } from '../../lib/api.js'

/** @import { SettingRow } from '../../lib/api-types.ts' */
/** @import { strings } from './strings.js' */
/** @typedef {keyof typeof strings.sections} SectionName */
/** @typedef {keyof typeof strings.rows} RowId */
/** @typedef {'takes' | 'network' | 'families' | 'device' | 'hub' | 'dictionary' | 'providers' | 'skills' | 'services' | 'dictation' | 'refinement' | 'mcp' | 'examples' | 'disk' | 'limits' | 'marks' | 'sent' | 'sharing' | 'hosted' | 'checks' | 'log' | 'releases'} GroupName */
/**
 * @typedef {object} Row
 * @property {RowId} id
 * @property {string} key of the setting
 * @property {string} [field] of a setting that is an object
 * @property {boolean} [needsRestart]
 * @property {(value: unknown) => Promise<unknown>} [write] other than by its key
 */
/** `block`: what the group shows besides rows. @typedef {{ name: GroupName, rows?: readonly Row[], block?: 'engines' | 'hub' | 'dictionary' | 'providers' | 'disk' | 'sharing' | 'examples' | 'checks' | 'log' | 'releases' | 'dictationModel' }} Group */

/** @param {RowId} id @param {Partial<Row>} [rest] @returns {Row} */
const row = (id, rest = {}) => ({ id, key: id, ...rest })
/** A field of a setting that is an object. @param {string} key @param {string} field @param {RowId} id @returns {Row} */
const part = (key, field, id) => ({ id, key, field })
/** A variable, which is never returned. @param {string} name @param {Partial<Row>} [rest] @returns {Row} */
const variable = (name, rest = {}) => ({
  id: /** @type {RowId} */ (name),
  key: `env.${name}`,
  write: (value) => post('/system/set-env', { key: name, value: String(value) }),
  ...rest,
})
/** @param {'invisible' | 'visible_audio' | 'visible_video'} name @returns {Row} */
const mark = (name) => ({
  id: `watermark.${name}`,
  key: `watermark.${name}`,
  write: (value) => post(`/watermark/settings?${name}=${value === true}`, {}),
})
const RESTART = { needsRestart: true }
const SKILLS = /** @type {const} */ ([
  'dub_translation',
  'cinematic_translation',
  'slot_fitting',
  'glossary_extract',
  'direction_parse',
  'dictation_refinement',
])

/** In the order of the list. @type {Readonly<Record<SectionName, readonly Group[]>>} */
export const SECTIONS = {
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

/** @typedef {'switch' | 'number' | 'text' | 'secret' | 'choice'} Kind of control */

/** @param {Row} row @param {SettingRow} setting @returns {Kind} */
export function kindOf({ field }, { secret, form }) {
  if (secret) return 'secret'
  // The fields of objects that have a row are switches.
  return field !== undefined || form.kind === 'other' ? 'switch' : form.kind
}

/** @param {Row} row @param {SettingRow | undefined} setting */
export const titleOf = ({ id, field }, setting) => (field === undefined ? setting?.title : setting?.titles[field]) ?? id

/** @param {Row} row @param {SettingRow | undefined} setting */
export function settingValue({ field }, setting) {
  const value = setting?.value
  if (field === undefined) return value
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}

/** The last write of a part of a setting. */
let last = Promise.resolve()

/** Stores a value. @param {Row} row @param {unknown} value @returns {Promise<unknown>} */
export function store({ key, field, write }, value) {
  if (write) return write(value)
  const path = /** @type {`/api/settings/values/${string}`} */ (`/api/settings/values/${encodeURIComponent(key)}`)
  if (field === undefined) return put(path, { value })
  // A change is sent with the stored values of the other parts, which may have changed since the page was drawn.
  const mine = last.then(async () => {
    const { value: now } = await get(path)
    await put(path, { value: { .../** @type {object} */ (now), [field]: value } })
  })
  last = mine.catch(() => {})
  return mine
}

/** @param {string} name @returns {name is SectionName} */
export const isSection = (name) => Object.hasOwn(SECTIONS, name)
