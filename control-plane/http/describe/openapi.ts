// Folds contracts into an OpenAPI 3.1 document. Pure: the same contracts give the same bytes.
import { z } from 'zod'
import type { Contract } from '../contract.ts'
import { SECURITY, SECURITY_SCHEMES } from './security.ts'

type Schema = Record<string, unknown>
const AT = '#/components/schemas/'
const NAMED = `${AT}__shared#/$defs/` // Where zod puts a schema that carries an id of its own.
const FAILURE_CONTENT: Schema = { 'application/json': { schema: { $ref: `${AT}Failure` } } }
const LICENSE = { name: 'Apache 2.0', identifier: 'Apache-2.0' }
/** Relative: the address is the one from which the client has read the document. */
const SERVERS = [{ url: '/', description: 'This studio.' }]
const text: Schema = { type: 'string' }
const ERROR: Schema = {
  type: 'object',
  description: 'Only on routes under /v1.',
  properties: { message: text, type: text, param: { type: ['string', 'null'] }, code: text },
  required: ['message', 'type', 'param', 'code'],
}
const FAILURE: Schema = { type: 'object', properties: { detail: {}, error: ERROR }, required: ['detail'] }

export function openapi(contracts: readonly Contract[], info: { readonly title: string; readonly version: string }): Schema {
  const taken = z.registry<{ id: string }>()
  const given = z.registry<{ id: string }>()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const row of contracts) {
    const method = row.method.toLowerCase()
    paths[row.path] ??= {}
    const slot = paths[row.path]!
    if (slot[method]) throw new Error(`Two routes claim ${row.method} ${row.path}.`)
    slot[method] = {
      operationId: row.id,
      summary: row.extension ? `Extension: ${row.summary}` : row.summary,
      tags: [row.id.split('.')[0]],
      'x-access': row.access,
      security: SECURITY[row.access],
      parameters: [...parameters('path', row.params), ...parameters('query', row.query)],
      ...(row.body && { requestBody: { required: true, content: requestContent(row, taken) } }),
      responses: {
        [row.status ?? 200]: { description: 'ok', ...(row.media?.length !== 0 && { content: replyContent(row, given) }) },
        '4XX': { description: 'refused', content: FAILURE_CONTENT },
        default: { description: 'failed', content: FAILURE_CONTENT },
      },
    }
  }
  const schemas = { Failure: FAILURE, ...emit(taken, 'input'), ...emit(given, 'output') }
  return {
    openapi: '3.1.0',
    info: { ...info, license: LICENSE },
    servers: SERVERS,
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas },
  }
}

type Registry = ReturnType<typeof z.registry<{ id: string }>>

function name(registry: Registry, schema: z.ZodType, fallback: string): { $ref: string } {
  const known = registry.get(schema)?.id
  const id = known ?? schema.meta()?.id ?? fallback
  if (!known) registry.add(schema, { id }) // The same schema object in two contracts is one component.
  return { $ref: AT + id }
}

function requestContent(row: Contract, registry: Registry): Schema {
  const schema = name(registry, row.body!, `${row.id}.body`)
  if (!row.form) return { ...(row.isPlainForm && { 'application/x-www-form-urlencoded': { schema } }), 'application/json': { schema } }
  const files = Object.fromEntries(row.form.map((field) => [field, { type: 'string', contentMediaType: 'application/octet-stream' }]))
  const required = row.form.filter((field) => !row.mayOmit?.includes(field))
  const fileSchema = { type: 'object', properties: files, ...(required.length > 0 && { required }) }
  return { 'multipart/form-data': { schema: { allOf: [schema, fileSchema] } } }
}

function replyContent(row: Contract, registry: Registry): Schema {
  if (row.reply) return { 'application/json': { schema: name(registry, row.reply, `${row.id}.reply`) } }
  return Object.fromEntries(row.media.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]))
}

function emit(registry: Registry, io: 'input' | 'output'): Schema {
  const { __shared, ...own } = z.toJSONSchema(registry, {
    io,
    uri: (id) => AT + id,
    unrepresentable: 'throw',
    // Fields that a contract does not declare are ignored; see unknown-fields.ts.
    override: ({ jsonSchema }) =>
      void (io === 'input' && jsonSchema.additionalProperties === false && delete jsonSchema.additionalProperties),
  }).schemas as Record<string, Schema>
  const all = { ...own, ...(__shared?.['$defs'] as object) }
  const text = JSON.stringify(all, (key, value) => (key === '$schema' || key === '$id' ? undefined : value))
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text.replaceAll(NAMED, AT)))
}

function parameters(where: 'path' | 'query', schema?: z.ZodType): Schema[] {
  if (!schema) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as { properties?: Schema; required?: string[] }
  return Object.entries(properties).map(([key, value]) => ({
    name: key,
    in: where,
    required: where === 'path' || required.includes(key),
    schema: value,
  }))
}
