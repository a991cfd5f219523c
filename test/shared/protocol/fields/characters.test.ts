import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { characters } from '#shared/protocol/fields/characters.ts'

const SMILE = '😀'

test('a limit counts characters, and not the units of a JavaScript string', () => {
  const schema = characters(3)
  assert.ok(schema.safeParse(SMILE.repeat(3)).success)
  assert.ok(schema.safeParse(`a${SMILE}b`).success)
  assert.equal(schema.safeParse(SMILE.repeat(4)).success, false)
  assert.equal(schema.safeParse('abcd').success, false)
  assert.ok(schema.safeParse('').success)
  assert.ok(characters(0).safeParse('').success)
  assert.equal(characters(0).safeParse('a').success, false)
})

test('the limit is part of the documents, and of the refusal of a request', () => {
  assert.equal(characters(3).maxLength, 3)
  assert.deepEqual(z.toJSONSchema(characters(3).min(1)), {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'string',
    minLength: 1,
    maxLength: 3,
  })
  const body = z.object({ text: characters(3), other: z.string() })
  assert.deepEqual(parseInput(body, { text: SMILE.repeat(3), other: '' }, 'body'), { text: SMILE.repeat(3), other: '' })
  assert.throws(() => parseInput(body, { text: SMILE.repeat(4), other: '' }, 'body'), {
    code: 'INVALID_REQUEST',
    message: 'String should have at most 3 characters',
    detail: [
      {
        type: 'string_too_long',
        loc: ['body', 'text'],
        msg: 'String should have at most 3 characters',
        input: SMILE.repeat(4),
        ctx: { max_length: 3 },
      },
    ],
  })
})
