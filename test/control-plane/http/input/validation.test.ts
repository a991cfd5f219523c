import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { createIgnoredFields } from '#control-plane/http/input/unknown-fields.ts'
import { parseInput, unreadable, type Where } from '#control-plane/http/input/validation.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { Failure } from '#shared/protocol/failure.ts'

function details(schema: z.ZodType, value: unknown, where: Where = 'body'): Record<string, unknown>[] {
  try {
    parseInput(schema, value, where)
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'INVALID_REQUEST')
    return error.detail as Record<string, unknown>[]
  }
  return assert.fail('nothing was refused')
}
const one = (schema: z.ZodType, value: unknown) => {
  const [detail, ...more] = details(z.object({ field: schema }), { field: value })
  assert.deepEqual(more, [])
  assert.deepEqual(detail!['loc'], ['body', 'field'])
  return [detail!['type'], detail!['ctx'], detail!['input']]
}

test('each kind of problem has its type and limits', () => {
  assert.deepEqual(one(z.string().min(2), 'x'), ['string_too_short', { min_length: 2 }, 'x'])
  assert.deepEqual(one(z.string().max(2), 'xyz'), ['string_too_long', { max_length: 2 }, 'xyz'])
  assert.deepEqual(one(z.number().min(0.25), 0.24), ['greater_than_equal', { ge: 0.25 }, 0.24])
  assert.deepEqual(one(z.number().max(4), 5), ['less_than_equal', { le: 4 }, 5])
  assert.deepEqual(one(z.number().positive(), 0), ['greater_than', { gt: 0 }, 0])
  assert.deepEqual(one(z.number().lt(1), 1), ['less_than', { lt: 1 }, 1])
  assert.deepEqual(one(z.enum(['a', 'b']), 'c'), ['literal_error', { expected: "'a', 'b'" }, 'c'])
  assert.deepEqual(one(z.string(), 5), ['string_type', undefined, 5])
  assert.deepEqual(one(z.number(), '5'), ['float_type', undefined, '5'])
  assert.deepEqual(one(z.int(), 1.5), ['int_type', undefined, 1.5])
  assert.deepEqual(one(z.boolean(), 'yes'), ['bool_type', undefined, 'yes'])
  assert.deepEqual(one(z.array(z.string()), 'x'), ['list_type', undefined, 'x'])
  assert.deepEqual(
    one(
      z.string().refine(() => false, 'no'),
      'x',
    ),
    ['value_error', undefined, 'x'],
  )
})

test('a missing field is reported with the input', () => {
  assert.deepEqual(details(z.object({ input: z.string() }), { text: 'hi' }), [
    { type: 'missing', loc: ['body', 'input'], msg: 'Field required', input: { text: 'hi' } },
  ])
  assert.equal(details(z.object({ format: z.enum(['a']) }), {})[0]!['type'], 'missing')
})

test('a field that is missing below is reported with the object it is missing from', () => {
  const schema = z.object({ list: z.array(z.object({ n: z.number() })) })
  assert.deepEqual(details(schema, { list: [{ n: 1 }, { m: 2 }] })[0]!['input'], { m: 2 })
})

test('of many problems the first 64 are reported, and names in them are cut', () => {
  const schema = z.object({ list: z.array(z.string()), names: z.record(z.string(), z.string()) })
  const list = Array.from({ length: 10_000 }, () => 1)
  assert.equal(details(schema, { list, names: {} }).length, 64)
  const [{ loc } = {}] = details(schema, { list: [], names: { ['x'.repeat(100_000)]: 1 } })
  assert.deepEqual(loc, ['body', 'names', 'x'.repeat(200)])
})

test('all problems are reported at once, with their full paths', () => {
  const schema = z.object({ a: z.string(), list: z.array(z.object({ n: z.number() })) })
  assert.deepEqual(
    details(schema, { a: 1, list: [{ n: 1 }, { n: 'x' }] }, 'query').map(({ loc }) => loc),
    [
      ['query', 'a'],
      ['query', 'list', 1, 'n'],
    ],
  )
})

test('unknown fields are ignored at every depth, and their paths are reported', () => {
  const inner = z.strictObject({ n: z.number() })
  const schema = z.strictObject({ list: z.array(inner), inner: inner.nullish(), free: z.record(z.string(), z.number()).optional() })
  const ignored: string[] = []
  const value = { list: [{ n: 1 }, { n: 2, more: 3 }], inner: { n: 4, ['__proto__']: 5 }, free: { any: 6 }, colour: 'red' }
  const parsed = parseInput(schema, value, 'body', (path) => void ignored.push(path))
  assert.deepEqual(parsed, { list: [{ n: 1 }, { n: 2 }], inner: { n: 4 }, free: { any: 6 } })
  assert.deepEqual(ignored.sort(), ['colour', 'inner.__proto__', 'list.1.more'])
  assert.deepEqual(
    details(schema, { list: [{ n: 'x' }], colour: 'red' }).map(({ loc }) => loc),
    [['body', 'list', 0, 'n']],
  )
})

test('every body of a contract names the fields that it does not declare', () => {
  for (const { id, body } of CONTRACTS) {
    // The fields of a JSON-RPC message belong to the protocol, whose library reads them; those of set-env are names of variables.
    if (!body || id === 'mcp.send' || id === 'system.setVariable') continue
    const ignored: string[] = []
    try {
      parseInput(body, { not_declared: 1 }, 'body', (path) => void ignored.push(path))
    } catch {} // required fields are missing
    assert.deepEqual(ignored, ['not_declared'], id)
  }
})

const headerOf = (...paths: string[]) => {
  const ignored = createIgnoredFields()
  for (const path of paths) ignored.add(path)
  return ignored.header()
}

test('the header with the names of ignored fields is short and plain', () => {
  assert.equal(headerOf(), null)
  assert.equal(headerOf('colour', 'list.1.more', 'timestamp_granularities[]'), 'colour, list.1.more, timestamp_granularities[]')
  assert.equal(headerOf('a\r\nSet-Cookie: x=1', 'ü,"'), 'a??Set-Cookie??x?1, ???')
  const long = headerOf(...Array.from({ length: 1_000 }, () => 'x'.repeat(1_000)))!
  assert.ok(long.length < 1_200 && long.endsWith(', ...'), String(long.length))
})

test('a megabyte of unknown fields costs no more than its parsing', () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ n: z.int() })).optional() })
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 1]))
  const deep = { list: Array.from({ length: 40_000 }, (_, n) => ({ n, x: 1 })) }
  for (const value of [wide, deep]) {
    // The least of three: other work on the processor makes it slower, never faster.
    const least = Math.min(
      ...[1, 2, 3].map(() => {
        const from = process.cpuUsage()
        parseInput(schema, value, 'body')
        const { user, system } = process.cpuUsage(from)
        return (user + system) / 1e3
      }),
    )
    assert.ok(least < 400, `${least} ms`)
  }
})

test('a missing body or one that is not an object is reported', () => {
  for (const value of [null, undefined, 'text', [1]]) assert.deepEqual(details(z.object({}), value)[0]!['loc'], ['body'])
  assert.equal(details(z.object({}), 5)[0]!['type'], 'model_attributes_type')
})

test('inputs are shortened, and bytes are never shown', () => {
  const shown = (value: unknown) => one(z.never(), value)[2] as string
  assert.equal(shown('x'.repeat(5000)).length, 201)
  assert.equal(shown(Buffer.from('audio')), '<5 bytes>')
  assert.ok(JSON.stringify(shown({ deep: 'x'.repeat(5000) })).length < 300)
})

test('invalid JSON has the same error format', () => {
  const failure = unreadable(new SyntaxError('Unexpected token'))
  assert.equal(failure.code, 'INVALID_REQUEST')
  assert.deepEqual(failure.detail, [
    { type: 'json_invalid', loc: ['body'], msg: 'JSON decode error', input: {}, ctx: { error: 'Unexpected token' } },
  ])
})

test('valid input is returned as parsed by the schema', () => {
  assert.deepEqual(parseInput(z.object({ n: z.number().default(3), s: z.string().trim() }), { s: ' a ', more: 1 }, 'body'), {
    n: 3,
    s: 'a',
  })
})

test('a length is checked before anything else reads the text', () => {
  const read: string[] = []
  const watched = (schema: z.ZodType<unknown, unknown>) => schema.transform((value) => void read.push(String(value)))
  const text = z.string().max(5)
  const long = 'x'.repeat(5000)
  const number = z.string().transform(Number).pipe(z.number())
  for (const [schema, most] of [
    [text.regex(/^y+$/), 5],
    [text.nullish().default('a'), 5],
    [z.string(), 4096],
    [
      z
        .string()
        .transform((value): string | undefined => value)
        .pipe(z.string().max(7).optional()),
      7,
    ],
    [z.enum(['a', 'b']), 4096],
    [number, 64],
    [z.union([z.number(), z.string().max(9)]), 64],
  ] as const)
    assert.deepEqual(one(watched(schema), long).slice(0, 2), ['string_too_long', { max_length: most }])
  assert.ok(read.every((value) => value.length < 5))
  const many = z.array(
    z
      .string()
      .max(3)
      .transform((value) => assert.ok(value.length <= 3)),
  )
  assert.equal(
    details(
      many,
      Array.from({ length: 50 }, () => long),
    ).length,
    16,
  )
})

test('lengths are checked in lists, records and nested objects, and not in fields that the schema does not name', () => {
  const schema = z.object({
    list: z.array(z.object({ text: z.string().max(3) })).optional(),
    record: z.record(z.string(), z.string().max(3)).optional(),
    either: z.union([z.object({ a: z.string().max(3) }), z.object({ a: z.string().max(4) })]).optional(),
    any: z.unknown(),
  })
  const long = 'x'.repeat(100_000)
  assert.deepEqual(details(schema, { list: [{ text: 'abc' }, { text: 'abcd' }] })[0]!['loc'], ['body', 'list', 1, 'text'])
  assert.deepEqual(details(schema, { record: { key: 'abcd' } })[0]!['loc'], ['body', 'record', 'key'])
  assert.deepEqual(details(schema, { either: { a: 'abcde' } })[0]!['ctx'], { max_length: 4 })
  parseInput(schema, { any: long, other: long, either: { a: 'abcd' } }, 'body')
})
