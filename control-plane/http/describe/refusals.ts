// The statuses with which a route refuses, and their bodies. Pure.
import { z } from 'zod'
import type { Contract } from '../contract/contract.ts'

type Json = Record<string, unknown>
const text: Json = { type: 'string' }

const ERROR: Json = {
  type: 'object',
  description: 'Only on routes under /v1.',
  properties: { message: text, type: text, param: { type: ['string', 'null'] }, code: text },
  required: ['message', 'type', 'param', 'code'],
}
const PROBLEM: Json = {
  type: 'object',
  properties: { type: text, loc: { type: 'array', items: { type: ['string', 'integer'] } }, msg: text, input: {}, ctx: { type: 'object' } },
  required: ['type', 'loc', 'msg'],
}
const CODE: Json = { type: 'string', description: 'A code of docs/errors.md.' }
const VALUES: Json = {
  type: 'object',
  description: 'Names and figures of the failure, for clients with sentences of their own: machine, engine, program, host, limit, seconds.',
  additionalProperties: { type: ['string', 'number'] },
}
const HINT: Json = { type: 'string', description: 'What to do next.' }
export const REFUSAL_SCHEMAS: Json = {
  Failure: {
    type: 'object',
    properties: {
      detail: { description: 'A sentence, or an object or a list whose fields docs/errors.md names.' },
      hint: HINT,
      code: CODE,
      values: VALUES,
      error_class: { type: 'string', description: 'Only of failures that nothing else describes.' },
      error: { description: 'An object on routes under /v1, a sentence on /dub/translate, absent elsewhere.', anyOf: [ERROR, text] },
    },
    required: ['detail'],
  },
  InvalidInput: {
    type: 'object',
    properties: {
      detail: { anyOf: [{ type: 'array', items: PROBLEM }, text, { type: 'object' }] },
      hint: HINT,
      code: CODE,
      values: VALUES,
      error: { anyOf: [ERROR, text] },
    },
    required: ['detail'],
  },
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  400: 'The request is invalid. The body says what to change.',
  401: 'No credential, or a wrong one.',
  403: 'The sender may not use this route.',
  404: 'No object has this id.',
  409: 'The request contradicts the state of the studio, or an engine or a model is not installed.',
  413: 'The body is too large.',
  422: 'A field is invalid. The body names each one.',
  429: 'Too many requests, or no free place. Retry-After says when to try again.',
  501: 'A program that the route needs is not on the machine of the studio.',
  503: 'Nothing can serve the request now. Retry-After says when to try again.',
}

const schemaOf = (status: string): Json => ({ $ref: `#/components/schemas/${status === '422' ? 'InvalidInput' : 'Failure'}` })
const bodyOf = (status: string): Json => ({ 'application/json': { schema: schemaOf(status) } })
const headers = { 'x-request-id': { $ref: '#/components/headers/x-request-id' } }
const OTHER = 'other'
/** The responses that the operations refer to. */
export const REFUSALS: Json = Object.fromEntries(
  Object.entries({ ...DESCRIPTIONS, [OTHER]: 'Refused or failed in another way.' }).map(([status, description]) => [
    status,
    { description, headers, content: bodyOf(status) },
  ]),
)

/** The responses of a route that refuses or fails. */
export function refusalsOf(row: Contract): Json {
  const hasInput = row.params !== undefined || row.query !== undefined || row.body !== undefined || row.form !== undefined
  const statuses = [
    400,
    ...(row.access === 'open' ? [] : [401, 403]),
    ...(row.path.includes('{') ? [404] : []),
    409,
    ...(row.body !== undefined || row.form !== undefined ? [413] : []),
    ...(hasInput && !row.path.startsWith('/v1/') ? [422] : []),
    429,
    501,
    503,
  ]
  const other = { $ref: `#/components/responses/${OTHER}` }
  return {
    ...Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
    ...Object.fromEntries(Object.entries(row.alsoAnswers ?? {}).map(([status, own]) => [status, ownAnswer(status, own)])),
    '4XX': other,
    default: other,
  }
}

/** An answer of one route. Its refusals can be those of every route as well: access and limits are checked before. */
function ownAnswer(status: string, own: NonNullable<Contract['alsoAnswers']>[number]): Json {
  const description = DESCRIPTIONS[status] ?? (status < '400' ? 'The request was taken.' : 'The request does not fit the route.')
  if (own === null) return { description, headers }
  const { $schema: _, ...schema } = z.toJSONSchema(own.reply, { io: 'output' }) as Json
  const usual = status < '400' ? {} : bodyOf(status)
  const isEither = own.media in usual
  return { description, headers, content: { ...usual, [own.media]: { schema: isEither ? { anyOf: [schemaOf(status), schema] } : schema } } }
}
