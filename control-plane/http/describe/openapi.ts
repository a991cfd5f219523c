// Folds contracts into an OpenAPI 3.1 document. Pure: the same contracts give the same bytes.
import { z } from 'zod'
import type { Contract } from '../contract.ts'

type Schema = Record<string, unknown>
const AT = '#/components/schemas/'
const NAMED = `${AT}__shared#/$defs/` // Where zod puts a schema that carries an id of its own.
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
      parameters: [...parameters('path', row.params), ...parameters('query', row.query)],
      ...(row.body && { requestBody: { required: true, content: requestContent(row, taken) } }),
      responses: {
        [row.status ?? 200]: { description: 'ok', content: replyContent(row, given) },
        default: { description: 'refused or failed', content: { 'application/json': { schema: { $ref: `${AT}Failure` } } } },
      },
    }
  }
  return { openapi: '3.1.0', info, paths, components: { schemas: { Failure: FAILURE, ...emit(taken, 'input'), ...emit(given, 'output') } } }
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
  if (!row.form) return { 'application/json': { schema } }
  const files = Object.fromEntries(row.form.map((field) => [field, { type: 'string', contentMediaType: 'application/octet-stream' }]))
  return { 'multipart/form-data': { schema: { allOf: [schema, { type: 'object', properties: files }] } } }
}

function replyContent(row: Contract, registry: Registry): Schema {
  if (row.reply) return { 'application/json': { schema: name(registry, row.reply, `${row.id}.reply`) } }
  return Object.fromEntries(row.media.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]))
}

function emit(registry: Registry, io: 'input' | 'output'): Schema {
  const { __shared, ...own } = z.toJSONSchema(registry, { io, uri: (id) => AT + id, unrepresentable: 'throw' }).schemas as Record<
    string,
    Schema
  >
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
