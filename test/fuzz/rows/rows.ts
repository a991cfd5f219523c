// Every route that can lead to a durable row, with values that a schema lets through by mistake: fractions, negative zero, numbers beyond 53 bits
// and beyond the range, lone surrogates, empty and very long strings. Requests are made from the contracts, so a new route is covered at once.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { z } from 'zod'
import type { Contract } from '#control-plane/http/contract/contract.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { FAILURES } from '#shared/protocol/failure.ts'
import { seeded } from '#test/support/doubles/seeded.ts'
import { eventually, openWorld, type World } from '#test/support/world/world.ts'
import { SEED } from '../seed.ts'

type Json = z.output<ReturnType<typeof z.json>>
type Schema = { readonly [key: string]: any }
type Path = readonly (string | number)[]

/** Routes that would end, move or lock out the studio under test, or that only reach other servers. */
const EXCLUDED: Readonly<Record<string, string>> = {
  'auth.startSession': 'counts wrong keys',
  'media.acquireTools': 'downloads programs',
  'media.updateYtdlp': 'downloads programs',
  'engines.installSidecar': 'installs with another package manager',
  'engines.installSonitranslate': 'installs with another package manager',
  'models.install': 'downloads models',
  'system.enableNetwork': 'closes the connections of this test',
  'system.enableTailscale': 'runs another program',
  'workers.rotateAuthority': 'creates keys for seconds',
}

/** Numbers as JSON text: JSON.stringify would write negative zero as 0. */
const NUMBERS = [
  '0.30000000000000004',
  '-0',
  '1.5',
  '9007199254740992',
  '9007199254740993.5',
  '1e308',
  '1e999',
  '-1e999',
  '5e-324',
  '31.0004',
]
const TEXTS = [
  '',
  ' ',
  '\ud800',
  'a\udfff b',
  'a\0b',
  '\u202eevil',
  'x'.repeat(1_000_000),
  '9007199254740993',
  'NaN',
  'Infinity',
  '-0',
  '1e999',
]
const RAW = /"@raw (.*?)@"/g
const raw = (number: string) => `@raw ${number}@`
const jsonText = (value: Json) => JSON.stringify(value).replaceAll(RAW, '$1')

const schemaOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })

/** A value that the schema accepts in most cases: every property, one item of each list, the first alternative. */
function exampleOf(schema: Schema, root: Schema, depth = 0): Json {
  if (depth > 6) return null
  const of = (inner: Schema) => exampleOf(inner, root, depth + 1)
  if (schema['$ref']) return of(root['$defs']?.[String(schema['$ref']).split('/').at(-1)!] ?? {})
  if (schema['const'] !== undefined) return schema['const']
  if (schema['enum']) return schema['enum'][0]
  const [first] = schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf'] ?? []
  if (first) return of(first)
  switch (schema['type']) {
    case 'object':
      return Object.fromEntries(Object.entries(schema['properties'] ?? { name: {} }).map(([name, inner]) => [name, of(inner as Schema)]))
    case 'array':
      return [of(schema['items'] ?? {})]
    case 'number':
    case 'integer':
      return Math.max(schema['minimum'] ?? 1, Math.min(schema['maximum'] ?? 1, 1))
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return schema['pattern']?.includes('a-f') ? 'abcdef0123456789' : schema['maxLength'] < 8 ? 'en' : 'A short text.'
  }
}

function leavesOf(value: Json, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...at, Array.isArray(value) ? Number(key) : key]))
}
function withValue(value: Json, [key, ...rest]: Path, changed: Json): Json {
  if (key === undefined) return changed
  const copy = structuredClone(value) as Record<string | number, Json>
  copy[key] = withValue(copy[key]!, rest, changed)
  return copy as Json
}

/** A second and a prime number of samples. */
const SAMPLES = 16_033
const tone = Float32Array.from({ length: SAMPLES }, (_, at) => Math.sin(at / 8) * 8_000)
const WAV = Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples: SAMPLES }), Buffer.from(Int16Array.from(tone).buffer)])

type Base = { readonly contract: Contract; readonly path: string; readonly query: Json; readonly body: Json | null }

/** Creates rows before the first request, so that requests meet rows that they change. */
async function prepare(world: World): Promise<Readonly<Record<string, string>>> {
  const made = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const reply = await world.send('POST', path, body, headers)
    assert.ok(reply.status < 300, `${path} ${reply.status} ${String(reply.body).slice(0, 300)}`)
    return reply
  }
  const formOf = (field: string, fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set(field, new Blob([new Uint8Array(WAV)]), 'recording.wav')
    return form
  }
  const profile = (await made('/profiles', formOf('ref_audio', { name: 'Ann', ref_text: 'One two three.' }))).json().id
  const project = (await made('/projects', { name: 'Project', state: {} })).json().id
  const term = (await made('/glossary/p1', { source: 'studio', target: 'estudio' })).json().id
  const entry = (await made('/pronunciation', { term: 'nginx', replacement: 'engine x' })).json().id
  const take = new FormData()
  take.set('text', 'One two three.')
  take.set('engine', 'tone')
  await made('/generate', take)
  const history = (await world.get('/history')).json()[0].id
  const clip = (await made('/gallery/upload', formOf('audio', { name: 'Clip', category: 'other' }))).json().id
  const dub = (await made('/dub/upload', formOf('video', {}))).json().job_id
  await eventually(async () => (await world.get('/jobs?status=active')).json().length === 0)
  return {
    ...{ profile_id: profile, project_id: project, term_id: term, entry_id: entry, history_id: history, voice_id: clip, job_id: dub },
    ...{ engine_id: 'tone', model_id: 'tone', worker_id: 'local', key: 'history.keep', provider_id: 'openai', skill_id: 'translate' },
  }
}

function baseOf(contract: Contract, known: Readonly<Record<string, string>>): Base {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known[name] ?? 'unknown'))
  const example = (schema: z.ZodType | undefined) => (schema ? exampleOf(schemaOf(schema), schemaOf(schema)) : {})
  const body = contract.body || contract.form ? fitted(example(contract.body), known) : null
  return { contract, path, query: withBooleans(contract.query, fitted(example(contract.query), known)), body }
}
/** A boolean of a query is a text in its description. */
function withBooleans(schema: z.ZodType | undefined, query: Json): Json {
  if (!schema || schema.safeParse(query).success) return query
  const words = Object.fromEntries(Object.entries(query ?? {}).map(([name, value]) => [name, typeof value === 'string' ? 'true' : value]))
  return schema.safeParse(words).success ? words : query
}
/** Names of things that exist, where a field has the name of their parameter. */
function fitted(value: Json, known: Readonly<Record<string, string>>): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, known[name] ?? inner]))
}

const CLIENT_MS = 20_000
async function send(world: World, { contract, path, query, body }: Base): Promise<{ status: number; text: string } | null> {
  const plain = (value: Json) => (typeof value === 'string' ? value.replace(/^@raw (.*)@$/, '$1') : jsonText(value))
  const url = new URL(path, world.url)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, plain(value).slice(0, 8_000))
  let content: string | FormData | undefined
  if (contract.form) {
    content = new FormData()
    for (const [name, value] of Object.entries(body ?? {})) if (!contract.form.includes(name)) content.set(name, plain(value))
    for (const name of contract.form) content.set(name, new Blob([new Uint8Array(WAV)]), 'recording.wav')
  } else if (body !== null) content = jsonText(body)
  const headers = typeof content === 'string' ? { 'content-type': 'application/json' } : undefined
  try {
    const response = await fetch(url, {
      method: contract.method,
      ...(content !== undefined && { body: content }),
      ...(headers && { headers }),
      signal: AbortSignal.timeout(CLIENT_MS),
    })
    return { status: response.status, text: (await response.text()).slice(0, 2_000) }
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') return null // a long job; the client left
    throw error
  }
}

const FORESEEN = [FAILURES.RECOGNITION_FAILED, FAILURES.VIDEO_FETCH_FAILED, FAILURES.LOG_UNREADABLE].map(({ hint }) => hint)
/** True for a failure that is no refusal. */
const isDefect = ({ status, text }: { status: number; text: string }) =>
  /"(code|error_class)": ?"(INTERNAL|UNKNOWN)"|could not store a row/.test(text) ||
  (status === 500 && !FORESEEN.some((hint) => text.includes(hint)))

/** Routes that change something, those that remove things last. */
function writesOf(excluded: Readonly<Record<string, string>>): Contract[] {
  const writes = CONTRACTS.filter(({ method, id }) => method !== 'GET' && !excluded[id])
  return [...writes.filter(({ method }) => method !== 'DELETE'), ...writes.filter(({ method }) => method === 'DELETE')]
}

/** One valid request to each route that changes something; `fill` makes the disk full before each. Returns the statuses by route. */
export async function validWrites(world: World, fill: () => void): Promise<Record<string, number>> {
  const known = await prepare(world)
  const statuses: Record<string, number> = {}
  const { 'workers.rotateAuthority': _, ...excluded } = EXCLUDED
  for (const contract of writesOf(excluded)) {
    fill()
    const reply = await send(world, baseOf(contract, known))
    assert.ok(!reply || !isDefect(reply), `${contract.id}: ${reply?.status} ${reply?.text}`)
    if (reply?.status === 507) assert.match(reply.text, /disk|space|stored|written/i, contract.id)
    statuses[contract.id] = reply?.status ?? 0
  }
  return statuses
}

/** `perRoute`: hostile requests to each route; Infinity: each value in each field. */
export async function hostileRows(t: TestContext, perRoute: number): Promise<void> {
  t.diagnostic(`VOICE_STUDIO_SEED=${SEED}`)
  const world = await openWorld(t)
  const chance = seeded(SEED)
  const known = await prepare(world)
  const ordered = writesOf(EXCLUDED)
  let count = 0
  for (const contract of ordered) {
    const base = baseOf(contract, known)
    const cases: Base[] = [base]
    for (const place of ['body', 'query'] as const)
      for (const leaf of base[place] === null ? [] : leavesOf(base[place]))
        for (const value of [...NUMBERS.map(raw), ...TEXTS])
          if (leaf.length > 0) cases.push({ ...base, [place]: withValue(base[place]!, leaf, value) })
    while (cases.length > perRoute + 1) cases.splice(1 + chance.below(cases.length - 1), 1)
    for (const one of cases) {
      const reply = await send(world, one)
      const shown = () =>
        `${contract.method} ${one.path} ${JSON.stringify(one.query).slice(0, 300)} ${JSON.stringify(one.body)?.slice(0, 600)}`
      assert.equal(world.studio.child.exitCode, null, `the studio ended: ${shown()}\n${world.studio.output().slice(-3_000)}`)
      if (reply) assert.ok(!isDefect(reply), `${reply.status} ${reply.text}\n${shown()}`)
      count++
    }
    for (const { id } of (await world.get('/jobs?status=active')).json()) await world.post(`/tasks/cancel/${id}`)
  }
  await eventually(async () => (await world.get('/jobs?status=active')).json().length === 0)
  const log = world.studio.output()
  assert.doesNotMatch(log, /could not store a row|a batch was not written|unexpected error/)
  await world.restart('SIGKILL')
  assert.equal((await world.get('/health')).status, 200)
  const rows: { status: string; set_aside: boolean; error: string | null }[] = (await world.get('/jobs?limit=500')).json()
  assert.deepEqual(
    rows.filter(({ set_aside, error }) => set_aside || /could not store/.test(error ?? '')),
    [],
  )
  t.diagnostic(`${count} requests to ${ordered.length} routes`)
}
