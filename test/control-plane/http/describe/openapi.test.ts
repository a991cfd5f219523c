import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { z } from 'zod'
import { type Contract, contract } from '#control-plane/http/contract/contract.ts'
import { openapi } from '#control-plane/http/describe/openapi.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { SOCKETS } from '#control-plane/registry/sockets.ts'

const info = { title: 'T', version: '1' }
const Shared = z.object({ id: z.string() }).meta({ id: 'Shared' })
const rows: Contract[] = [
  contract({
    id: 'a.read',
    method: 'GET',
    path: '/a/{a_id}',
    access: 'admin',
    summary: 'Reads.',
    params: z.object({ a_id: z.string() }),
    query: z.object({ limit: z.number().default(5), need: z.string() }),
    reply: Shared,
  }),
  contract({
    id: 'a.write',
    method: 'POST',
    path: '/a/{a_id}',
    access: 'consume',
    summary: 'Writes.',
    status: 201,
    body: z.object({ name: z.string().default('n'), shared: Shared }),
    reply: z.object({ list: z.array(Shared) }),
  }),
  contract({
    id: 'b.upload',
    method: 'POST',
    path: '/b',
    access: 'open',
    summary: 'Uploads.',
    body: z.object({ text: z.string() }),
    form: ['audio'],
    media: ['audio/wav', 'audio/mpeg'],
  }),
]
type Operation = {
  operationId: string
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> }
  responses: Record<string, { content: Record<string, unknown> }>
  'x-access': string
  security: object[]
}
const document = openapi({ contracts: rows }, info) as {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { properties: Record<string, unknown>; required?: string[] }> }
}

test('each contract is one operation with its parameters, replies and access', () => {
  const read = document.paths['/a/{a_id}']!['get']!
  assert.deepEqual(
    read.parameters.map((one) => [one.name, one.in, one.required]),
    [
      ['a_id', 'path', true],
      ['limit', 'query', false],
      ['need', 'query', true],
    ],
  )
  assert.deepEqual(
    [read.operationId, read['x-access'], Object.keys(read.responses)],
    ['a.read', 'admin', ['200', '400', '401', '403', '404', '409', '422', '429', '501', '503', '4XX', 'default']],
  )
  assert.deepEqual(Object.keys(document.paths['/a/{a_id}']!['post']!.responses), [
    '201',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '422',
    '429',
    '501',
    '503',
    '4XX',
    'default',
  ])
})

test('a named schema is one shared component', () => {
  const { schemas } = document.components
  assert.deepEqual(Object.keys(schemas).sort(), ['Failure', 'InvalidInput', 'Shared', 'a.write.body', 'a.write.reply', 'b.upload.fields'])
  assert.deepEqual(schemas['a.write.reply']!.properties['list'], { type: 'array', items: { $ref: '#/components/schemas/Shared' } })
})

test('fields with a default are optional in requests', () => {
  assert.deepEqual(document.components.schemas['a.write.body']!.required, ['shared'])
})

test('a form lists its files with its fields, and binary replies have media types', () => {
  const upload = document.paths['/b']!['post']!
  assert.deepEqual(Object.keys(upload.requestBody!.content), ['multipart/form-data'])
  assert.match(
    JSON.stringify(upload.requestBody),
    /"audio":\{"type":"string","format":"binary","contentMediaType":"application\/octet-stream"\}/,
  )
  assert.deepEqual(Object.keys(upload.responses['200']!.content), ['audio/wav', 'audio/mpeg'])
})

test('equal contracts produce equal documents, and two contracts for one route are refused', () => {
  assert.equal(JSON.stringify(openapi({ contracts: rows }, info)), JSON.stringify(document))
  assert.throws(() => openapi({ contracts: [...rows, rows[0]!] }, info), /Two routes claim GET \/a\/\{a_id\}/)
})

/** The specification has paths that a parameter and a word could both match. The router prefers the word. */
const OF_THE_SPECIFICATION = [
  'no-ambiguous-paths #/paths/~1engines~1{engine_id}~1health',
  'no-ambiguous-paths #/paths/~1engines~1{engine_id}~1selftest',
]

test('the description passes the recommended rules of Redocly', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'operation-description': 'error', 'no-invalid-media-type-examples': 'error' },
  })
  const source = JSON.stringify(openapi({ contracts: [...CONTRACTS, ...MOUNTED], sockets: SOCKETS }, info))
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  const found = problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`)
  assert.deepEqual(found.sort(), OF_THE_SPECIFICATION)
})

const LOCAL_OR_KEY = [{}, { apiKey: [] }, { session: [] }]

test('each access level has its requirements', () => {
  const security = Object.fromEntries(
    rows.map(({ path, method, access }) => [access, document.paths[path]![method.toLowerCase()]!.security]),
  )
  assert.deepEqual(security, { admin: LOCAL_OR_KEY, consume: [...LOCAL_OR_KEY, { pin: [] }], open: [] })
})

test('numbers and flags of queries and forms are described as such, with what the studio uses without them', () => {
  const text = z.string().transform(Number)
  const fields = {
    speed: text
      .pipe(z.number().min(0.25).max(4))
      .optional()
      .transform((value) => value ?? 1),
    stream: booleanText().default(false),
    mode: z
      .string()
      .max(64)
      .pipe(z.enum(['fast', 'best'])),
    list: z
      .string()
      .transform((each) => each.split(','))
      .pipe(z.array(z.string())),
    speakers: z
      .string()
      .optional()
      .transform((word) => word === 'yes'),
    words: z.string().optional(),
    'words[]': z.array(z.string()),
  }
  const Form = z.strictObject(fields)
  const row = { id: 'c.form', method: 'POST', path: '/c', access: 'open', summary: 'Takes a form.', query: z.object(fields) } as const
  const { paths, components } = openapi(
    { contracts: [contract({ ...row, body: Form, form: ['audio'], reply: Shared })] },
    info,
  ) as typeof document
  const described = components.schemas['c.form.fields']!.properties
  assert.deepEqual(described, {
    speed: { type: 'number', minimum: 0.25, maximum: 4, default: 1 },
    stream: { type: 'boolean', default: false },
    mode: { type: 'string', enum: ['fast', 'best'] },
    list: { type: 'string' },
    speakers: { type: 'boolean', default: false },
    'words[]': { type: 'array', items: { type: 'string' } },
  })
  const query = paths['/c']!['post']!.parameters as { name: string; schema?: unknown }[]
  assert.deepEqual(Object.fromEntries(query.map((one) => [one.name, one.schema])), described)
})

test('headers, events, mounted folders and sockets are described, and every JSON body has an example', () => {
  const all = openapi({ contracts: [...CONTRACTS, ...MOUNTED], sockets: SOCKETS }, info) as typeof document
  const parameters = all.paths['/v1/audio/speech']!['post']!.parameters.map(({ name, in: where }) => `${where} ${name}`)
  assert.ok(parameters.includes('header idempotency-key'))
  for (const path of ['/audio/{filename}', '/ws/tts', '/ws/transcribe', '/ws/events']) assert.ok(all.paths[path]?.['get'], path)
  for (const [path, operations] of Object.entries(all.paths))
    for (const [method, { responses, requestBody }] of Object.entries(operations))
      for (const { content = {} } of [requestBody, ...Object.values(responses)].flatMap((one) => (one ? [one] : [])))
        for (const [type, { schema, example }] of Object.entries(
          content as Record<string, { schema: { contentSchema?: object }; example?: unknown }>,
        )) {
          if (type === 'application/json' && Object.keys(schema).length > 0) assert.notEqual(example, undefined, `${method} ${path}`)
          if (['text/event-stream', 'application/x-ndjson'].includes(type)) assert.ok(schema.contentSchema, `${method} ${path}`)
        }
})

test('a route describes its own refusals, its answers without a body and a job that does what was requested', () => {
  const row = { id: 'd.read', method: 'POST', path: '/d', access: 'open', summary: 'Reads.', reads: ['prefer'], reply: Shared } as const
  const own = { media: 'text/plain', reply: z.string() }
  const either = { media: 'application/json', reply: z.object({ code: z.int() }) }
  const { paths } = openapi(
    { contracts: [contract({ ...row, alsoAnswers: { 204: null, 404: own, 409: either } })] },
    info,
  ) as typeof document
  const { responses } = paths['/d']!['post']!
  assert.deepEqual(Object.keys(responses).slice(0, 5), ['200', '202', '204', '400', '404'])
  assert.deepEqual(Object.keys(responses['404']!.content), ['application/json', 'text/plain'])
  assert.equal(responses['204']!.content, undefined)
  assert.match(JSON.stringify(responses['409']!.content), /"anyOf":\[\{"\$ref":"#\/components\/schemas\/Failure"\},\{"type":"object"/)
})

test('a tuple of equal items is a list of that length', () => {
  const reply = z.object({ between: z.tuple([z.number(), z.number()]), pair: z.tuple([z.number(), z.string()]) })
  const row = { id: 'e.read', method: 'GET', path: '/e', access: 'open', summary: 'Reads.', reply } as const
  const { components } = openapi({ contracts: [contract(row)] }, info) as typeof document
  const { between, pair } = components.schemas['e.read.reply']!.properties as Record<string, object>
  assert.deepEqual(between, { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 })
  assert.ok(pair && 'prefixItems' in pair)
})
