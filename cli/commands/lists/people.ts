// The commands for people with keys of their own.
import type { Command } from '#cli/lib/command.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { YES } from './options.ts'

const people = { name: 'people', group: 'maintain', load: () => import('../people.ts') } as const
const EMAIL = ['--email ADDRESS', 'The e-mail address that signs in with the provider'] as const
const DAYS = ['--days NUMBER', 'The key expires after so many days (default: never)'] as const

export const PEOPLE: readonly Command[] = [
  {
    ...people,
    usage: 'people',
    line: 'List people and their keys',
    examples: [`${COMMAND} people add 'Front desk' --role create`, `${COMMAND} people key new 'Front desk' --days 90`],
    options: [['--ended', 'With those that have ended']],
  },
  {
    ...people,
    usage: 'people add NAME',
    line: 'Add a person, print its key once',
    options: [['--role ROLE', 'listen, create, operate or own (default: create)'], ['--program', 'A program, not a person'], EMAIL, DAYS],
  },
  { ...people, usage: 'people role NAME ROLE', line: 'Change the role of a person' },
  {
    ...people,
    usage: 'people sign-in NAME WHO',
    line: 'Set the e-mail address that signs in',
    options: [['--subject ID', 'The id of an account, in place of an e-mail address']],
  },
  {
    ...people,
    usage: 'people oidc',
    line: 'Show the provider that people sign in with',
  },
  {
    ...people,
    usage: 'people oidc set',
    line: 'Set the provider (OpenID Connect)',
    options: [
      ['--issuer URL', 'The address of the provider'],
      ['--client-id ID', 'The studio as the provider names it'],
      ['--address URL', 'The address of the page of the studio'],
      ['--button TEXT', 'The name on the button (default: the host of the provider)'],
      ['--secret-file FILE', 'Has the client secret (default: standard input)'],
      ['--keep-secret', 'Keep the client secret that is set'],
    ],
  },
  { ...people, usage: 'people oidc test', line: 'Ask the provider for its description' },
  { ...people, usage: 'people oidc remove', line: 'Remove the provider and its secret', options: [YES] },
  {
    ...people,
    usage: 'people key new NAME',
    line: 'Print a further key once',
    options: [
      ['--label TEXT', 'What the key is for'],
      ['--replaces ID', 'A key of the person that this one replaces'],
      ['--overlap HOURS', 'How long the replaced key still works, up to 168 (default: 0)'],
    ],
  },
  { ...people, usage: 'people key end NAME ID', line: 'End a key', options: [YES] },
  {
    ...people,
    usage: 'people usage',
    line: 'Show the work of people by day and engine',
    options: [
      ['--csv', 'A table for other programs, one row a person, day and engine'],
      ['--from DAY', 'The first day, such as 2026-11-01 (default: all)'],
      ['--to DAY', 'The last day'],
    ],
  },
  { ...people, usage: 'people end NAME', line: 'End a person and its keys', options: [YES] },
]
