// `people`: lists, adds, changes and ends the people and programs that have keys of their own, their keys and how they sign in; and shows their work.

import { text as readText } from 'node:stream/consumers'
import { z } from 'zod'
import { type CommandRun, Misuse, type Outcome, parseArguments, print, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { confirmed } from '#cli/lib/questions.ts'
import { failureFrom, request, requestJson } from '#cli/lib/studio/api.ts'
import { printable, shortDuration, tableLines } from '#cli/views/table.ts'
import {
  NewPersonKeyView,
  NewPersonView,
  PersonView,
  peopleContracts,
  UsageRow,
} from '#control-plane/features/operate/people/people.contract.ts'
import { PERSON_ROLES } from '#shared/protocol/access/person.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { PROVIDER_OPTIONS, providerOutcome } from './people-provider.ts'

const OPTIONS = {
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  ended: { type: 'boolean' },
  role: { type: 'string' },
  program: { type: 'boolean' },
  days: { type: 'string' },
  label: { type: 'string' },
  replaces: { type: 'string' },
  overlap: { type: 'string' },
  csv: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  email: { type: 'string' },
  subject: { type: 'string' },
  ...PROVIDER_OPTIONS,
} as const
type Values = ReturnType<typeof parseArguments<typeof OPTIONS>>['values']
/** In place of an e-mail address. */
const NO_SIGN_IN = 'none'
const LIST_ROLES = PERSON_ROLES.join(', ')
const VERBS = ['add', 'role', 'end', 'key', 'sign-in', 'usage', 'oidc']

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  print(await outcomeOf(positionals, values, terminal), values.json, terminal.output)
  return 0
}

async function outcomeOf([verb, name, ...more]: readonly string[], values: Values, terminal: Terminal): Promise<Outcome> {
  const call = (method: string, path = '', body?: unknown) => requestJson(terminal.env, method, `/people${path}`, body)
  const people = async () => peopleContracts.list.reply.parse(await call('GET', values.ended ? '?ended=true' : ''))
  const named = async (text: string) => {
    const found = (await people()).find((one) => one.id === text || one.name.toLowerCase() === text.toLowerCase())
    if (!found) throw new Failure('NOT_FOUND', `There is no person ${printable(text)}. List them with ${COMMAND} people.`)
    return found
  }

  if (verb === 'oidc') return providerOutcome([name, ...more], values, terminal)
  if (verb === undefined) return list(await people())
  if (verb === 'add') {
    if (name === undefined || more.length > 0) throw new Misuse("Name one person: people add 'NAME' --role ROLE.")
    const role = values.role ?? 'create'
    const kind = values.program ? 'program' : 'person'
    const signIn = values.email === undefined ? null : { email: values.email }
    const body = { name, role: requireRole(role), kind, expires_in_days: daysIn(values.days), sign_in: signIn }
    const value = NewPersonView.parse(await call('POST', '', body))
    const { person, key } = value
    return { value, lines: [key, `Give this key to ${printable(person.name)} only. It is not shown again. Its role is ${person.role}.`] }
  }
  if (verb === 'role') {
    const [role, ...rest] = more
    if (name === undefined || role === undefined || rest.length > 0) throw new Misuse('Name one person and a role: people role NAME ROLE.')
    const { id } = await named(name)
    const value = PersonView.parse(await call('PATCH', `/${id}`, { role: requireRole(role) }))
    return { value, lines: [`${printable(value.name)} has the role ${value.role} now.`] }
  }
  if (verb === 'sign-in') {
    const [email, ...rest] = more
    if (name === undefined || rest.length > 0 || (email === undefined) === (values.subject === undefined))
      throw new Misuse(
        `Name one person and an e-mail address (or ${NO_SIGN_IN}): people sign-in NAME WHO, or people sign-in NAME --subject ID.`,
      )
    const { id } = await named(name)
    const sign_in = values.subject !== undefined ? { subject: values.subject } : email === NO_SIGN_IN ? null : { email }
    const value = PersonView.parse(await call('PATCH', `/${id}`, { sign_in }))
    return { value, lines: [signInLine(value)] }
  }
  if (verb === 'end') {
    if (name === undefined || more.length > 0) throw new Misuse('Name one person: people end NAME.')
    const { id, name: full } = await named(name)
    await confirmed(`This ends ${printable(full)}: its keys, its streams and its running work.`, values.yes, terminal)
    return { value: await call('DELETE', `/${id}`), lines: [`Ended ${printable(full)}. What it made stays.`] }
  }
  if (verb === 'usage') {
    if (name !== undefined) throw new Misuse('people usage takes no further word. Name days with --from and --to.')
    return usage(values, terminal)
  }
  if (verb !== 'key') throw unknownVerb('people', verb, VERBS)

  const [person, keyId, ...rest] = more
  if (name === 'new' && person !== undefined && keyId === undefined) {
    const { id, name: full } = await named(person)
    const body = {
      label: values.label ?? '',
      expires_in_days: daysIn(values.days),
      ...(values.replaces !== undefined && { replaces: values.replaces, old_ends_in: secondsIn(values.overlap) }),
    }
    const value = NewPersonKeyView.parse(await call('POST', `/${id}/keys`, body))
    return { value, lines: [value.key, `Give this key to ${printable(full)} only. It is not shown again. Its id is ${value.key_id}.`] }
  }
  if (name === 'end' && person !== undefined && keyId !== undefined && rest.length === 0) {
    const { id, name: full } = await named(person)
    await confirmed(`This ends the key ${printable(keyId)} of ${printable(full)}, with the streams that it opened.`, values.yes, terminal)
    return { value: await call('DELETE', `/${id}/keys/${encodeURIComponent(keyId)}`), lines: [`Ended key ${printable(keyId)}.`] }
  }
  throw new Misuse('Name a person, and for key end a key: people key new NAME, or people key end NAME ID.')
}

const signInLine = ({ name, sign_in }: PersonView): string =>
  sign_in === null
    ? `${printable(name)} signs in with keys only.`
    : `${printable(name)} signs in with ${sign_in.email === null ? `the account ${printable(sign_in.subject ?? '')}` : printable(sign_in.email)}.`

function requireRole(role: string): string {
  if ((PERSON_ROLES as readonly string[]).includes(role)) return role
  throw new Misuse(`A role is one of ${LIST_ROLES}.`)
}

function daysIn(text: string | undefined): number | null {
  if (text === undefined) return null
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= 3650) return days
  throw new Misuse('--days takes a number from 1 to 3650.')
}

function secondsIn(text = '0'): number {
  const hours = Number(text)
  if (Number.isFinite(hours) && hours >= 0 && hours <= 168) return Math.round(hours * 3600)
  throw new Misuse('--overlap takes a number of hours from 0 to 168.')
}

function list(people: readonly PersonView[]): Outcome {
  const now = Date.now() / 1000
  const rows = people.flatMap(({ id, name, role, ended_at, keys }) =>
    (keys.length > 0 ? keys : [null]).map((key, at) => ({
      cells: [
        at === 0 ? name : '',
        at === 0 ? (ended_at === null ? role : 'ended') : '',
        key ? key.id : id,
        key ? key.begins : '-',
        key?.last_used_at == null ? '-' : shortDuration(now - key.last_used_at),
        key ? expiryIn(key, now) : '-',
      ],
    })),
  )
  const lines = tableLines(['NAME', 'ROLE', 'KEY', 'BEGINS', 'USED', 'EXPIRES'], rows, [18, 8, 16, 9, 8, 9])
  return { value: people, lines: people.length === 0 ? [`No people yet. Add one with ${COMMAND} people add NAME.`] : lines }
}

const MINUTE_MS = 60_000
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The work of people by day and engine. With --csv it is the file of the studio, whose cells are no formulas. */
async function usage({ csv, json, from, to }: Values, { env }: Terminal): Promise<Outcome> {
  const query = new URLSearchParams()
  for (const [name, day] of Object.entries({ from, to })) {
    if (day !== undefined && !DAY.test(day)) throw new Misuse(`--${name} takes a day, such as 2026-11-30.`)
    if (day !== undefined) query.set(name, day)
  }
  if (csv && !json) {
    query.set('format', 'csv')
    const response = await request(env, { method: 'GET', path: `/people/usage?${query}` })
    if (response.statusCode !== 200) throw await failureFrom(env, response)
    return { value: null, lines: (await readText(response)).trimEnd().split('\r\n') }
  }
  const value = z.object({ usage: z.array(UsageRow) }).parse(await requestJson(env, 'GET', `/people/usage?${query}`))
  const minutes = (ms: number): string => (ms / MINUTE_MS).toFixed(1)
  const rows = value.usage.map(({ name, person_id, day, engine, tasks, failed, sound_ms, gpu_ms }) => ({
    cells: [name === '' ? person_id : name, day, engine, String(tasks), String(failed), minutes(sound_ms), minutes(gpu_ms)],
  }))
  const head = ['NAME', 'DAY', 'ENGINE', 'TASKS', 'FAILED', 'SOUND MIN', 'GPU MIN']
  const lines = rows.length === 0 ? ['People have done no work in this time.'] : tableLines(head, rows, [16, 10, 13, 6, 6, 9, 8])
  return { value, lines }
}

function expiryIn({ expires_at, expired }: PersonView['keys'][number], now: number): string {
  if (expires_at === null) return 'never'
  return expired ? 'expired' : shortDuration(expires_at - now)
}
