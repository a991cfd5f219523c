// Folds contracts into an OpenAPI 3.1 document. Pure: the same contracts give the same bytes.
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Contract, SocketContract } from '../contract/contract.ts'
import { NOTICE_HEADERS, REQUEST_HEADERS, RESPONSE_HEADERS, type ResponseHeader, USUAL_HEADERS } from '../contract/headers.ts'
import { exampleOf } from './examples.ts'
import { describeInput } from './inputs.ts'
import { REFUSAL_SCHEMAS, REFUSALS, refusalsOf } from './refusals.ts'
import { ACCESS, SECURITY, SECURITY_SCHEMES } from './security.ts'
import { haveNames, STREAMS } from './strict-events.ts'

type Schema = Record<string, unknown>
type Registry = ReturnType<typeof z.registry<{ id: string }>>
/** Everything that the description lists. */
export type DescribedApi = { readonly contracts: readonly Contract[]; readonly sockets?: readonly SocketContract[] }
const AT = '#/components/schemas/'
const NAMED = `${AT}__shared#/$defs/` // Where zod puts a schema that carries an id of its own.
const LICENSE = { name: 'Apache 2.0', identifier: 'Apache-2.0' }
const WORD = { type: 'string' }
/** OpenAPI 3.1 has `contentMediaType` alone for files; generators of clients read the format of 3.0. */
const BINARY = { ...WORD, format: 'binary' }
/** The content that `acceptedContent` sends. */
const ACCEPTED = {
  'application/json': {
    schema: {
      type: 'object',
      properties: { id: WORD, status: WORD, location: WORD, stream: WORD },
      required: ['id', 'status', 'location', 'stream'],
    },
  },
}

type Info = { readonly title: string; readonly version: string }

/** `basePath`: the path that the studio is served under; empty for the root. */
export function openapi({ contracts, sockets = [] }: DescribedApi, info: Info, basePath = ''): Schema {
  const taken = z.registry<{ id: string }>()
  const given = z.registry<{ id: string }>()
  const texts = new Set<z.core.$ZodType>()
  const paths: Record<string, Record<string, Schema>> = {}
  for (const row of contracts) {
    const method = row.method.toLowerCase()
    paths[row.path] ??= {}
    const slot = paths[row.path]!
    if (slot[method]) throw new Error(`Two routes claim ${row.method} ${row.path}.`)
    if (row.body && (row.form || row.isPlainForm)) texts.add(row.body)
    slot[method] = {
      operationId: row.id,
      ...described(row.summary, row.access, row.extension),
      tags: [row.id.split('.')[0]],
      'x-access': row.access,
      security: SECURITY[row.access],
      parameters: [...parameters('path', row.params), ...parameters('query', row.query), ...requestHeaders(row)],
      ...(row.body && { requestBody: { required: true, content: requestContent(row, taken) } }),
      responses: { ...answers(row, given), ...refusalsOf(row) },
    }
  }
  for (const socket of sockets) paths[socket.path] = { get: socketOperation(socket) }
  const schemas = { ...REFUSAL_SCHEMAS, ...emit(taken, 'input', texts), ...emit(given, 'output', texts) }
  addExamples(paths, schemas)
  return {
    openapi: '3.1.0',
    info: { ...info, license: LICENSE },
    // Relative: the address is the one from which the client has read the document.
    servers: [{ url: basePath || '/', description: 'This studio.' }],
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, headers: RESPONSE_HEADERS, responses: REFUSALS, schemas },
  }
}

/** The first sentence is the summary. */
function described(text: string, access: Contract['access'], isExtension = false): Schema {
  const [first] = /^.*?[.;](?=\s|$)/.exec(text) ?? [text]
  const summary = first.replace(/[.;]$/, '')
  return { summary: isExtension ? `Extension: ${summary}` : summary, description: `${text}\n\n${ACCESS[access]}` }
}

function name(registry: Registry, schema: z.ZodType, fallback: string): { $ref: string } {
  const known = registry.get(schema)?.id
  const id = known ?? schema.meta()?.id ?? fallback
  if (!known) registry.add(schema, { id }) // The same schema object in two contracts is one component.
  return { $ref: AT + id }
}

function requestContent(row: Contract, registry: Registry): Schema {
  const schema = name(registry, row.body!, `${row.id}.${row.form ? 'fields' : 'body'}`)
  if (!row.form) return { ...(row.isPlainForm && { 'application/x-www-form-urlencoded': { schema } }), 'application/json': { schema } }
  const files = Object.fromEntries(row.form.map((field) => [field, { ...BINARY, contentMediaType: 'application/octet-stream' }]))
  const required = row.form.filter((field) => !row.mayOmit?.includes(field))
  const fileSchema = { type: 'object', properties: files, ...(required.length > 0 && { required }) }
  return { 'multipart/form-data': { schema: { allOf: [schema, fileSchema] } } }
}

const headerRefs = (names: readonly ResponseHeader[]): Schema =>
  Object.fromEntries(names.map((header) => [header, { $ref: `#/components/headers/${header}` }]))

function answers(row: Contract, registry: Registry): Schema {
  const isMade = row.media !== undefined
  const headers = headerRefs([...USUAL_HEADERS, ...(isMade ? NOTICE_HEADERS : []), ...(row.sends ?? [])])
  const content = row.media?.length !== 0 && { content: replyContent(row, registry) }
  return {
    [row.status ?? 200]: { description: 'The request was served.', headers, ...content },
    ...(row.reads?.includes('prefer') && { 202: { description: 'A job does what was requested.', headers, content: ACCEPTED } }),
    ...(row.reads?.includes('range') && { 206: { description: 'The bytes of the range.', headers, ...content } }),
    ...(row.reads?.includes('if-none-match') && { 304: { description: 'The client has this content.', headers } }),
  }
}

function replyContent(row: Contract, registry: Registry): Schema {
  if (row.reply) return { 'application/json': { schema: name(registry, row.reply, `${row.id}.reply`) } }
  const event = row.events && name(registry, eventSchema(row, row.events, registry), `${row.id}.event`)
  const described = haveNames(row.events) ? 'The schema is of one event: its name and its data.' : 'The schema is of the data of one event.'
  return Object.fromEntries(
    row.media.map((type) => {
      const isStream = STREAMS.includes(type)
      const text = {
        ...(isStream || type.startsWith('text/') ? WORD : BINARY),
        contentMediaType: type,
        ...(isStream && event && { contentSchema: event, description: described }),
      }
      return [type, { schema: type === 'application/json' ? {} : text }]
    }),
  )
}

/** Events with names are described together with them. Each event is a schema by itself, as generators of clients need it. */
function eventSchema({ id }: Contract, events: NonNullable<Contract['events']>, registry: Registry): z.ZodType {
  if (!haveNames(events)) {
    nameVariants(events, events.meta()?.id ?? `${id}.event`, registry)
    return events
  }
  const rows = Object.entries(events)
  for (const [event, data] of rows) name(registry, data, `${id}.${event}`)
  return z.union(rows.map(([event, data]) => z.strictObject({ event: z.literal(event), data })))
}

/** Names the members of a union by their types. */
function nameVariants(schema: z.ZodType, prefix: string, registry: Registry): void {
  if (!(schema instanceof z.ZodUnion)) return
  const used = new Map<string, number>()
  for (const option of schema.options as readonly z.ZodType[]) {
    const own = option.meta()?.id
    if (option instanceof z.ZodUnion) nameVariants(option, own ?? prefix, registry)
    else if (option instanceof z.ZodObject) {
      const type = option.shape['type']
      const word = type instanceof z.ZodLiteral ? String(type.value) : 'event'
      const count = (used.get(word) ?? 0) + 1
      used.set(word, count)
      name(registry, option, `${prefix}.${word}${count === 1 ? '' : count}`)
    }
  }
}

function emit(registry: Registry, io: 'input' | 'output', texts: ReadonlySet<z.core.$ZodType>): Schema {
  const { __shared, ...own } = z.toJSONSchema(registry, {
    io,
    uri: (id) => AT + id,
    unrepresentable: 'throw',
    override: io === 'input' ? describeInput((schema) => texts.has(schema)) : describeTuple,
  }).schemas as Record<string, Schema>
  const all = { ...own, ...(__shared?.['$defs'] as object) }
  const text = JSON.stringify(all, (key, value) => (key === '$schema' || key === '$id' ? undefined : value))
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text.replaceAll(NAMED, AT)))
}

/** Many programs that read descriptions have no `prefixItems`: a tuple of equal items is a list of that length. */
function describeTuple({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { prefixItems: [first, ...others] = [], items } = jsonSchema
  if (first === undefined || items !== false || others.some((other) => !isDeepStrictEqual(other, first))) return
  delete jsonSchema.prefixItems
  jsonSchema.items = first
}

function parameters(where: 'path' | 'query', schema?: z.ZodType): Schema[] {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', override: describeInput((one) => one === schema) }) as {
    properties?: Schema
    required?: string[]
  }
  return Object.entries(properties).map(([key, value]) => ({
    name: key,
    in: where,
    required: where === 'path' || required.includes(key),
    schema: value,
  }))
}

const requestHeaders = ({ reads = [] }: Contract): Schema[] =>
  reads.map((header) => ({ name: header, in: 'header', required: false, ...REQUEST_HEADERS[header] }))

function socketOperation(socket: SocketContract): Schema {
  const { description, ...rest } = described(socket.summary, socket.access, true)
  return {
    operationId: socket.id,
    ...rest,
    description: `A WebSocket. ${description}\n\n${socket.messages}`,
    tags: [socket.id.split('.')[0]],
    'x-access': socket.access,
    security: SECURITY[socket.access],
    parameters: parameters('query', socket.query),
    responses: { 101: { description: 'The connection is a WebSocket.' }, ...refusalsOf({ ...socket, method: 'GET', media: [] }) },
  }
}

/** An example beside each JSON body. */
function addExamples(paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>, schemas: Schema): void {
  const at = (reference: string) => schemas[reference.slice(AT.length)] as Schema
  for (const operations of Object.values(paths))
    for (const { requestBody, responses } of Object.values(operations)) {
      const bodies = [requestBody, ...Object.values(responses as object)]
      for (const body of bodies as { content?: Record<string, { schema: Schema; example?: unknown }> }[])
        for (const [type, content] of Object.entries(body?.content ?? {}))
          if (type === 'application/json' && Object.keys(content.schema).length > 0) content.example = exampleOf(content.schema, at)
    }
}
