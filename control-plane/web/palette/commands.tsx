// The palette with what it offers without asking the studio: pages, machines, what runs now, and actions.

import { strings as frame } from '#messages/frame.ts'
import { strings } from '#messages/palette.ts'
import type { useActiveJobs } from '../frame/active-jobs.ts'
import { jobName } from '../frame/active-jobs.ts'
import type { useTheme } from '../frame/device.tsx'
import type { Place } from '../frame/places.ts'
import { short } from '../lib/format.ts'
import { useMemo } from '../lib/html.ts'
import type { Live } from '../lib/live.ts'
import { sendToSpeak } from '../pages/speak/draft.ts'
import { isListener, isSignedIn, mayAdminister, mayOwn, signOut } from '../visitor.ts'
import type { Item } from './items.ts'
import { Palette } from './palette.tsx'

const SHOWN_CHARS = 60

const speakItem = (text: string): Item => ({
  id: 'speak',
  group: 'actions',
  name: strings.speakText(text.slice(0, SHOWN_CHARS)),
  about: frame.sections.create,
  icon: 'speak',
  tint: 1,
  run: () => sendToSpeak(text),
})

export type Known = {
  places: readonly Place[]
  live: Live
  jobs: ReturnType<typeof useActiveJobs>['value']
  setTheme: ReturnType<typeof useTheme>[1]
  onRail: () => void
  onKeys: () => void
}
function ownItems({ places, live, jobs, setTheme, onRail, onKeys }: Known): Item[] {
  const has = (page: string) => places.some((place) => place.page === page)
  const action: (page: string, item: Omit<Item, 'group' | 'tint'>) => Item[] = (page, item) =>
    page === '' || (has(page) && !isListener) ? [{ ...item, group: 'actions', tint: 8 }] : []
  const { actions, appearance } = strings
  const { sections, titles } = frame
  return [
    ...(jobs ?? []).map(
      (job) =>
        ({
          id: `running ${job.id}`,
          group: 'running',
          name: jobName(job),
          about: frame.kind(job.type),
          icon: 'jobs',
          tint: 4,
          href: has('jobs') ? `#/jobs/${encodeURIComponent(job.id)}` : '#/',
        }) as Item,
    ),
    ...places.map(
      ({ page, title, icon, section }) =>
        ({
          id: `page ${page}`,
          group: 'pages',
          name: title,
          about: sections[section],
          icon,
          tint: 1,
          href: `#/${page}`,
        }) as Item,
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
    ...(mayOwn
      ? action('settings', { id: 'people', name: actions.people, about: titles.settings, icon: 'person', href: '#/settings/people' })
      : []),
    ...action('setup', { id: 'setup', name: actions.check, about: titles.setup, icon: 'check', href: '#/setup' }),
    ...action('', { id: 'light', name: actions.light, about: appearance, icon: 'settings', run: () => setTheme('light') }),
    ...action('', { id: 'dark', name: actions.dark, about: appearance, icon: 'settings', run: () => setTheme('dark') }),
    ...action('', { id: 'system', name: actions.system, about: appearance, icon: 'settings', run: () => setTheme('system') }),
    ...action('', { id: 'rail', name: actions.rail, about: appearance, icon: 'collapse', run: onRail }),
    ...action('', { id: 'keys', name: actions.keys, about: strings.help, icon: 'note', run: onKeys }),
    ...(isSignedIn ? action('', { id: 'sign-out', name: actions.signOut, about: frame.device, icon: 'person', run: signOut }) : []),
    ...(mayAdminister ? (live.fleet?.workers ?? []) : []).map(
      ({ id, name }) =>
        ({
          id: `machine ${id}`,
          group: 'machines',
          name: short(name, SHOWN_CHARS),
          about: strings.objects.machine,
          icon: 'machine',
          tint: 6,
          href: `#/machines/${encodeURIComponent(id)}`,
        }) as Item,
    ),
  ]
}

export function Commands({ hasPage, onClose, ...known }: Known & { hasPage: (page: string) => boolean; onClose: () => void }) {
  const items = useMemo(() => ownItems(known), [known.live.fleet, known.jobs])
  return <Palette items={items} hasPage={hasPage} speakItem={speakItem} onClose={onClose} />
}
