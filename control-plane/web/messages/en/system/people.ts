// The words of People and keys.
import { plural } from '../language.ts'

export const strings = {
  invite: 'Invite a person',
  createKey: 'Create key',
  tabs: { all: 'All', person: 'People', program: 'Programs', ended: 'Ended' },
  columns: { name: 'Name', used: 'Used this month', may: 'May', last: 'Last used', ends: 'Ends' },
  you: 'You',
  owner: 'Owner of the studio',
  kinds: { person: 'Person', program: 'Program' },
  keyCount: (count: number) => plural(count, { one: '# key', other: '# keys' }),
  none: 'None.',
  usageFile: 'Usage as CSV',

  hours: (count: string) => `${count} h`,
  ofLimit: (used: string, limit: string) => `${used} of ${limit}`,
  unlimited: (used: string) => `${used}, no limit`,
  nothing: '—',
  never: 'Never',

  for: 'For',
  roleHints: {
    listen: 'Play and download what is in the library',
    create: 'Speak, transcribe, dub. Sees its own work, no settings',
    operate: 'Everything but keys: machines, models, settings',
    own: 'Everything, also keys and the work of all',
  },
  on: 'On',
  sound: 'Sound a day',
  gpu: 'GPU time a month',
  tasks: 'Tasks at once',
  disk: 'Disk',
  noLimit: 'No limit',
  inDays: (days: number) => plural(days, { one: 'In # day', other: 'In # days' }),
  once: 'You will see the key once.',
  onlyHere: 'This address works on this machine only.',
  invitation: (address: string, key: string) => `Open ${address} and sign in with this key:\n${key}`,

  keys: 'Keys',
  firstKey: 'Key',
  created: 'Created',
  fact: (name: string, value: string) => `${name}: ${value}`,
  replace: 'Replace',
  oldEnds: 'The old key ends',
  /** By seconds. */
  oldEndings: { 0: 'At once', 86400: 'In 24 hours', 604800: 'In 7 days' },
  endKeyYes: 'End key',
  taskCount: (count: number) => plural(count, { one: '# task', other: '# tasks' }),
  ofSound: (time: string) => `${time} of sound`,
  ofGpu: (time: string) => `${time} on a GPU`,
  endText: 'Sign-ins end at once. What was made stays.',
  endYes: 'End access',
}
