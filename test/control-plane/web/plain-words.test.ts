// The texts that creators read: no commands, routes, words of HTTP, ids of models or words of the engine room.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { replyFor } from '#control-plane/http/contract/errors.ts'
import { cloningRefusal, downloadRefusal, HERE } from '#control-plane/inference/missing-model.ts'
import { needFor } from '#control-plane/inference/needs/needs.ts'
import { explained, messageOf, needIn } from '#control-plane/web/lib/api.ts'
import { loadServerTexts } from '#control-plane/web/lib/server-texts.ts'
import { catalogue } from '#control-plane/web/messages/en/catalogue.ts'
import { FAILURES, Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { NEED_KINDS } from '#shared/protocol/fields/model-need.ts'

const ENGINE_ROOM =
  /\.\/studio|models install|\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/v1\/|\bHTTP\b|bearer|\bheader\b|status code|docs\/|\bowner\/|diaris|diariz|htdemucs|mdx|sidecar|\b[A-Za-z0-9-]{3,}\/[A-Za-z]+[A-Za-z0-9]*-[A-Za-z0-9.-]+/i
/** Pages of the owner, who reads the names of programs there: connecting machines, and the page of components. */
const OWNERS = ['connections', 'design', 'machineViews', 'machines', 'settings']

/** The texts of a catalogue with their places; of a text that is made of values, its source. */
function* textsOf(value: unknown, place: string): Generator<[string, string]> {
  if (typeof value === 'string') yield [place, value]
  else if (typeof value === 'function') yield [place, String(value)]
  else if (typeof value === 'object' && value !== null)
    for (const [name, one] of Object.entries(value)) yield* textsOf(one, `${place}.${name}`)
}

test('no text of the catalogue names what a creator cannot use', () => {
  const found = Object.entries(catalogue)
    .filter(([name]) => !OWNERS.includes(name))
    .flatMap(([name, texts]) => [...textsOf(texts, name)])
    .filter(([, text]) => ENGINE_ROOM.test(text))
  assert.deepEqual(found, [])
})

test('the hint of each failure on the page says what a person can do', async () => {
  await loadServerTexts()
  const shown = (Object.keys(FAILURES) as FailureCode[]).map((code) => {
    const { body } = replyFor(new Failure(code, 'It failed.'))
    return [code, explained(body, 'It failed.', String(body['hint'] ?? '')).hint] as const
  })
  assert.deepEqual(
    shown.filter(([, hint]) => ENGINE_ROOM.test(hint)),
    [],
  )
})

test('a missing model arrives with its kind, its models and their sizes, and has the words of the page', () => {
  const failures = [
    cloningRefusal('svc-engine'),
    downloadRefusal('kokoro', HERE, []),
    new Failure('BAD_REQUEST', 'x', { cause: cloningRefusal('svc-engine') }),
  ]
  for (const failure of failures) {
    const { body } = replyFor(failure)
    const needs = needIn(body)
    assert.ok(needs && needs.models.length > 0 && needs.models.every(({ size_bytes: size }) => size > 1e7), failure.message)
    const { message, hint } = explained(body, failure.message, failure.hint)
    assert.deepEqual([ENGINE_ROOM.test(message), hint], [false, ''])
  }
  assert.deepEqual(
    failures.map(({ needs }) => needs?.for),
    ['cloning', 'speech', 'cloning'],
  )
  for (const kind of NEED_KINDS) assert.ok(needFor(kind).models.length > 0, kind)
  assert.equal(needIn({ needs: { for: 'constructor', models: [] } }), null)
  assert.equal(messageOf('x'), 'x')
})
