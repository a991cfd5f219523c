// People and programs with keys of their own, as the API shows and takes them. Moments are epoch seconds.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { setting } from '#control-plane/store/setting.ts'
import { PERSON_KINDS, PERSON_ROLES } from '#shared/protocol/access/person.ts'
import { characters } from '#shared/protocol/fields/characters.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { COMMAND } from '#shared/protocol/version.ts'

export const NAME_CHARS = 80
const MACHINES = 100
const line = (text: string): string => cleanLine(text).trim()
const Id = z.string().max(64)
const Name = characters(NAME_CHARS).overwrite(line).min(1)
const Label = characters(NAME_CHARS).overwrite(line)
/** Null: never. */
const ExpiresInDays = z.int().min(1).max(3650).nullable()

/** Null: without limit. */
const LIMITS = {
  sound_minutes_a_day: z.number().min(0).max(1e6).nullable(),
  gpu_minutes_a_month: z.number().min(0).max(1e7).nullable(),
  tasks_at_once: z.int().min(1).max(10_000).nullable(),
  disk_bytes: z.int().min(0).max(1e15).nullable(),
}
const Limits = z.object(LIMITS).meta({ id: 'PersonLimits' })
const NewLimits = z.strictObject({
  sound_minutes_a_day: LIMITS.sound_minutes_a_day.default(null),
  gpu_minutes_a_month: LIMITS.gpu_minutes_a_month.default(null),
  tasks_at_once: LIMITS.tasks_at_once.default(null),
  disk_bytes: LIMITS.disk_bytes.default(null),
})
/** Ids of machines; `local` is that of the studio. Null: all. */
const Machines = z.array(Id.min(1)).max(MACHINES).nullable()
const Kind = z.enum(PERSON_KINDS)
export const RoleField = z.enum(PERSON_ROLES)

const EMAIL_CHARS = 254
const Email = z
  .string()
  .max(EMAIL_CHARS)
  .overwrite(line)
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
const Subject = z.string().min(1).max(255)
/** Identity at the provider: an e-mail address that it has verified, or a certain account there. */
const NewSignIn = z
  .union([z.strictObject({ email: Email }), z.strictObject({ subject: Subject })])
  .nullable()
  .meta({ id: 'NewPersonSignIn' })
/** `issuer` and `subject`: the account, which is bound by the first sign-in with the address; null before. */
const SignIn = z
  .object({ email: z.string().nullable(), issuer: z.string().nullable(), subject: z.string().nullable() })
  .meta({ id: 'PersonSignIn' })

const Key = z
  .object({
    id: z.string(),
    label: z.string(),
    /** The first characters of the key, which recognise it. */
    begins: z.string(),
    created_at: z.number(),
    expires_at: z.number().nullable(),
    last_used_at: z.number().nullable(),
    expired: z.boolean(),
  })
  .meta({ id: 'PersonKey' })

export const PersonView = z
  .object({
    id: z.string(),
    name: z.string(),
    kind: Kind,
    role: RoleField,
    limits: Limits,
    machines: z.array(z.string()).nullable(),
    /** Null: with keys only. */
    sign_in: SignIn.nullable(),
    created_at: z.number(),
    ended_at: z.number().nullable(),
    last_used_at: z.number().nullable(),
    /** Those that have not ended, newest first. */
    keys: z.array(Key),
  })
  .meta({ id: 'Person' })
export type PersonView = z.output<typeof PersonView>

export const NewPersonBody = z
  .strictObject({
    name: Name,
    kind: Kind.default('person'),
    role: RoleField.default('create'),
    limits: NewLimits.prefault({}),
    machines: Machines.default(null),
    sign_in: NewSignIn.default(null),
    expires_in_days: ExpiresInDays.default(null),
  })
  .meta({ id: 'NewPerson' })
export type NewPersonBody = z.output<typeof NewPersonBody>

/** Fields that are left out do not change. */
export const ChangePersonBody = z
  .strictObject({
    name: Name.optional(),
    kind: Kind.optional(),
    role: RoleField.optional(),
    limits: z.strictObject(LIMITS).partial().optional(),
    machines: Machines.optional(),
    sign_in: NewSignIn.optional(),
  })
  .meta({ id: 'PersonChange' })
export type ChangePersonBody = z.output<typeof ChangePersonBody>

const WEEK_SECONDS = 7 * 24 * 3600
/** Seconds for which the replaced key still works. */
const OldEndsIn = z.int().min(0).max(WEEK_SECONDS).default(0)
export const NewKeyBody = z
  .strictObject({
    label: Label.default(''),
    expires_in_days: ExpiresInDays.default(null),
    replaces: Id.optional(),
    old_ends_in: OldEndsIn,
  })
  .meta({ id: 'NewPersonKey' })
export type NewKeyBody = z.output<typeof NewKeyBody>
export const ReplaceKeyBody = z.strictObject({ label: Label.default(''), old_ends_in: OldEndsIn }).meta({ id: 'PersonKeyReplacement' })
export type ReplaceKeyBody = z.output<typeof ReplaceKeyBody>

/** The key is shown here and never again. */
export const NewPersonKeyView = z
  .object({ key_id: z.string(), key: z.string(), expires_at: z.number().nullable() })
  .meta({ id: 'CreatedPersonKey' })
export const NewPersonView = z.object({ person: PersonView, key: z.string() }).meta({ id: 'CreatedPerson' })

/** Use of the limits so far; `disk_bytes` null where nothing measures it. */
export const UsageNow = z
  .object({
    sound_minutes_today: z.number(),
    gpu_minutes_this_month: z.number(),
    tasks_now: z.int(),
    disk_bytes: z.number().nullable(),
  })
  .meta({ id: 'PersonUsageNow' })
export type UsageNow = z.output<typeof UsageNow>
/** Senders without a key of a person have a role and no name. */
export const Me = z
  .object({
    name: z.string().nullable(),
    role: RoleField,
    id: z.string().optional(),
    kind: Kind.optional(),
    limits: Limits.optional(),
    machines: z.array(z.string()).nullable().optional(),
    /** When the key of this request ends; null: never, and for a sign-in without a key. */
    expires_at: z.number().nullable().optional(),
    usage: UsageNow.optional(),
  })
  .meta({ id: 'PersonMe' })
export type Me = z.output<typeof Me>

const Day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
export const UsageQuery = z.strictObject({ from: Day.optional(), to: Day.optional(), format: z.enum(['json', 'csv']).optional() })
export type UsageQuery = z.output<typeof UsageQuery>
export const UsageRow = z
  .object({
    person_id: z.string(),
    name: z.string(),
    day: z.string(),
    engine: z.string(),
    tasks: z.int(),
    failed: z.int(),
    sound_ms: z.int(),
    gpu_ms: z.int(),
  })
  .meta({ id: 'PersonUsage' })
export type UsageRow = z.output<typeof UsageRow>

const Address = z.string().max(2_000)
const LABEL_CHARS = 40
const Provider = {
  /** Address of the provider, whose description is below it. */
  issuer: Address,
  client_id: z
    .string()
    .min(1)
    .max(512)
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks'),
  /** Address of the page of the studio, to which the provider sends browsers back. */
  public_address: Address,
  /** The name on the button; empty for the host of the provider. */
  label: characters(LABEL_CHARS).overwrite(line).default(''),
}
const ClientSecret = z
  .string()
  .min(1)
  .max(1_000)
  .regex(/^[\x20-\x7e]+$/, 'must be printable ASCII')
export const peopleSettings = {
  provider: setting({
    key: 'people.oidc',
    access: 'own',
    schema: z.strictObject({ ...Provider, client_secret: ClientSecret }).nullable(),
    fallback: null,
    summary: 'The provider of identities with which people sign in to the page, and the secret of the studio there.',
    secret: true,
    changedBy: `Change the provider with ${COMMAND} people oidc, which checks its addresses.`,
  }),
}
export type StoredProvider = NonNullable<z.output<typeof peopleSettings.provider.schema>>

/** Without a secret the stored one stays; another issuer needs another secret. */
const ProviderBody = z.strictObject({ ...Provider, client_secret: ClientSecret.optional() }).meta({ id: 'SignInProviderChange' })
export type ProviderBody = z.output<typeof ProviderBody>
/** `redirect_address`: what the provider must permit. */
export const ProviderView = z
  .object({ ...Provider, label: z.string(), redirect_address: z.string() })
  .nullable()
  .meta({ id: 'SignInProvider' })
export type ProviderView = z.output<typeof ProviderView>
/** `problem`: a sentence; null if the provider answered. */
export const ProviderTest = z.object({ problem: z.string().nullable() }).meta({ id: 'SignInProviderTest' })

/** Below the address of the page. */
export const SIGN_IN_START = '/sign-in/oidc/start'
export const SIGN_IN_RETURN = '/sign-in/oidc/callback'
/** The answer of a provider, in the query of the address that it sends the browser to. Providers add parameters of their own, such as `session_state`. */
const AnswerQuery = z.object({
  state: z.string().max(256).optional(),
  code: z.string().max(8_192).optional(),
  iss: z.string().max(2_048).optional(),
  error: z.string().max(256).optional(),
})
export type AnswerQuery = z.output<typeof AnswerQuery>

export const PersonPath = z.strictObject({ person_id: Id })
export const PersonKeyPath = z.strictObject({ person_id: Id, key_id: Id })

const access = 'own' as const
const provider = { access, path: '/people/oidc', extension: true } as const
/** A browser opens it, also from a link on another site. */
const navigation = { method: 'GET', access: 'open', opensPage: true, isForOneUse: true, forReaders: true, extension: true } as const

export const peopleContracts = {
  list: contract({
    id: 'people.list',
    method: 'GET',
    path: '/people',
    access,
    summary: 'Lists people and programs with keys of their own, by name; with ended=true also the 1,000 that have ended last.',
    extension: true,
    query: z.strictObject({ ended: z.enum(['true', 'false']).default('false') }),
    reply: z.array(PersonView),
  }),
  add: contract({
    id: 'people.add',
    method: 'POST',
    path: '/people',
    access,
    summary: 'Adds a person or a program, and creates its first key. The key is shown only once.',
    extension: true,
    body: NewPersonBody,
    status: 201,
    reply: NewPersonView,
  }),
  readMe: contract({
    id: 'people.readMe',
    method: 'GET',
    path: '/people/me',
    access: 'consume', // everyone may read who they are
    summary: 'Returns the name, role, limits and usage of the sender; for the owner a role without a name.',
    extension: true,
    reply: Me,
  }),
  replaceMyKey: contract({
    id: 'people.replaceMyKey',
    method: 'POST',
    path: '/people/me/keys',
    access: 'consume',
    summary:
      'Creates a key in place of the one of this request, which ends now or after old_ends_in seconds. It expires when the old one would.',
    extension: true,
    body: ReplaceKeyBody,
    status: 201,
    reply: NewPersonKeyView,
  }),
  readUsage: contract({
    id: 'people.readUsage',
    method: 'GET',
    path: '/people/usage',
    access,
    summary: 'Returns the work of each person by day and engine, at most 50,000 rows, as JSON or as CSV (format=csv, or Accept: text/csv).',
    extension: true,
    query: UsageQuery,
    media: ['application/json', 'text/csv'],
  }),
  change: contract({
    id: 'people.change',
    method: 'PATCH',
    path: '/people/{person_id}',
    access,
    summary: 'Changes the name, role, limits or machines of a person. A lower role ends its sign-ins and streams.',
    extension: true,
    params: PersonPath,
    body: ChangePersonBody,
    reply: PersonView,
  }),
  end: contract({
    id: 'people.end',
    method: 'DELETE',
    path: '/people/{person_id}',
    access,
    summary: 'Ends a person: its keys, sign-ins, streams and running work. What it made stays.',
    extension: true,
    params: PersonPath,
    reply: z.object({ ended: z.string() }),
  }),
  addKey: contract({
    id: 'people.addKey',
    method: 'POST',
    path: '/people/{person_id}/keys',
    access,
    summary: 'Creates a further key of a person, or one in place of another, which ends now or after old_ends_in seconds.',
    extension: true,
    params: PersonPath,
    body: NewKeyBody,
    status: 201,
    reply: NewPersonKeyView,
  }),
  endKey: contract({
    id: 'people.endKey',
    method: 'DELETE',
    path: '/people/{person_id}/keys/{key_id}',
    access,
    summary: 'Ends a key, with the sign-ins and streams that it opened.',
    extension: true,
    params: PersonKeyPath,
    reply: z.object({ ended: z.string() }),
  }),
  readProvider: contract({
    ...provider,
    id: 'people.readProvider',
    method: 'GET',
    summary: 'Returns the provider of identities with which people sign in, without its secret; null for none.',
    reply: ProviderView,
  }),
  setProvider: contract({
    ...provider,
    id: 'people.setProvider',
    method: 'PUT',
    summary: 'Sets the provider of identities. Another issuer ends the sign-ins with the one before it.',
    body: ProviderBody,
    reply: ProviderView,
  }),
  removeProvider: contract({
    ...provider,
    id: 'people.removeProvider',
    method: 'DELETE',
    summary: 'Removes the provider of identities and its secret, and ends the sign-ins with it. Keys still work.',
    reply: ProviderView,
  }),
  testProvider: contract({
    ...provider,
    id: 'people.testProvider',
    method: 'POST',
    path: '/people/oidc/test',
    summary: 'Reads the description of the provider of identities, as a sign-in does.',
    reply: ProviderTest,
  }),
  startSignIn: contract({
    ...navigation,
    id: 'people.startSignIn',
    path: SIGN_IN_START,
    summary: 'Sends the browser to the provider of identities.',
    query: z.strictObject({ page: z.string().max(512).optional() }),
    status: 303,
    media: [],
  }),
  finishSignIn: contract({
    ...navigation,
    id: 'people.finishSignIn',
    path: SIGN_IN_RETURN,
    summary: 'Signs the browser in as the person whose identity the provider has proved, and opens the page.',
    query: AnswerQuery,
    media: ['text/html'],
    alsoAnswers: { 303: null },
  }),
}
