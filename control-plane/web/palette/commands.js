// @ts-check
// The palette with what it offers without asking the studio: pages, machines, what runs now, and actions.

import { strings as frame } from '../frame/strings.js'
import { jobName } from '../frame/tray.js'
import { short } from '../lib/format.js'
import { html, useMemo } from '../lib/html.js'
import { sendToSpeak } from '../pages/speak/draft.js'
import { isSignedIn, mayAdminister, signOut } from '../visitor.js'
import { Palette } from './palette.js'
import { strings } from './strings.js'

/** @import { Item } from './items.js' */
/** @import { Live } from '../lib/live.js' */
/** @import { Place } from '../frame/rail.js' */
/** @import { useTheme } from '../frame/device.js' */
/** @import { useActiveJobs } from '../frame/tray.js' */

const SHOWN_CHARS = 60

/** @param {string} text @returns {Item} */
const speakItem = (text) => ({
  id: 'speak',
  group: 'actions',
  name: strings.speakText(text.slice(0, SHOWN_CHARS)),
  about: frame.sections.create,
  icon: 'speak',
  tint: 1,
  run: () => sendToSpeak(text),
})

/**
 * @typedef {object} Known
 * @property {readonly Place[]} places
 * @property {Live} live
 * @property {ReturnType<typeof useActiveJobs>['value']} jobs
 * @property {ReturnType<typeof useTheme>[1]} setTheme
 * @property {() => void} onRail
 * @property {() => void} onKeys
 */
/** @param {Known} known @returns {Item[]} */
function ownItems({ places, live, jobs, setTheme, onRail, onKeys }) {
  const has = (/** @type {string} */ page) => places.some((place) => place.page === page)
  /** @type {(page: string, item: Omit<Item, 'group' | 'tint'>) => Item[]} */
  const action = (page, item) => (page === '' || has(page) ? [{ ...item, group: 'actions', tint: 8 }] : [])
  const { actions, appearance } = strings
  const { sections, titles } = frame
  return [
    ...(jobs ?? []).map(
      (job) =>
        /** @type {Item} */ ({
          id: `running ${job.id}`,
          group: 'running',
          name: jobName(job),
          about: frame.kind(job.type),
          icon: 'jobs',
          tint: 4,
          href: has('jobs') ? `#/jobs/${encodeURIComponent(job.id)}` : '#/',
        }),
    ),
    ...places.map(
      ({ page, title, icon, section }) =>
        /** @type {Item} */ ({
          id: `page ${page}`,
          group: 'pages',
          name: title,
          about: sections[section],
          icon,
          tint: 1,
          href: `#/${page}`,
        }),
    ),
    ...action('voices', { id: 'new-voice', name: actions.newVoice, about: titles.voices, icon: 'voice', href: '#/voices/new?from=sample' }),
    ...action('voices', { id: 'design', name: actions.designVoice, about: titles.voices, icon: 'voice', href: '#/voices/new?from=design' }),
    ...action('transcribe', {
      id: 'dictate',
      name: actions.dictate,
      about: titles.transcribe,
      icon: 'voice',
      href: '#/transcribe/dictate',
    }),
    ...action('machines', { id: 'machines', name: actions.manage, about: titles.machines, icon: 'machine', href: '#/machines' }),
    ...action('setup', { id: 'setup', name: actions.check, about: titles.setup, icon: 'check', href: '#/setup' }),
    ...action('', { id: 'light', name: actions.light, about: appearance, icon: 'settings', run: () => setTheme('light') }),
    ...action('', { id: 'dark', name: actions.dark, about: appearance, icon: 'settings', run: () => setTheme('dark') }),
    ...action('', { id: 'system', name: actions.system, about: appearance, icon: 'settings', run: () => setTheme('system') }),
    ...action('', { id: 'rail', name: actions.rail, about: appearance, icon: 'collapse', run: onRail }),
    ...action('', { id: 'keys', name: actions.keys, about: strings.help, icon: 'note', run: onKeys }),
    ...(isSignedIn ? action('', { id: 'sign-out', name: actions.signOut, about: frame.device, icon: 'person', run: signOut }) : []),
    ...(mayAdminister ? (live.fleet?.workers ?? []) : []).map(
      ({ id, name }) =>
        /** @type {Item} */ ({
          id: `machine ${id}`,
          group: 'machines',
          name: short(name, SHOWN_CHARS),
          about: strings.objects.machine,
          icon: 'machine',
          tint: 6,
          href: `#/machines/${encodeURIComponent(id)}`,
        }),
    ),
  ]
}

/** @param {Known & { hasPage: (page: string) => boolean, onClose: () => void }} props */
export function Commands({ hasPage, onClose, ...known }) {
  const items = useMemo(() => ownItems(known), [known.live.fleet, known.jobs])
  return html`<${Palette} items=${items} hasPage=${hasPage} speakItem=${speakItem} onClose=${onClose} />`
}
