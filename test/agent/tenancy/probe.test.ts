import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runProbe } from '#agent/tenancy/probe.ts'
import { OUTPUT_CHUNK_BYTES, RESULT_LIMIT_BYTES } from '#agent/tenancy/spool.ts'
import { Failure } from '#shared/protocol/failure.ts'

const never = new AbortController().signal
async function run(params: unknown, signal = never) {
  let paced = 0
  const events = []
  for await (const event of runProbe(params, async () => void paced++, signal)) events.push(event)
  const bytes = Buffer.concat(events.map((event) => (event.kind === 'audio' ? event.bytes : Buffer.alloc(0))))
  return { kinds: events.map(({ kind }) => kind), bytes, last: events.at(-1), paced }
}

test('a probe echoes its text', async () => {
  const { kinds, bytes, last } = await run({ echo: 'héllo' })
  assert.deepEqual([kinds, bytes.toString()], [['running', 'audio', 'result'], 'héllo'])
  assert.deepEqual(last, { kind: 'result', result: { echoed: 5, bytes: 0 } })
  assert.deepEqual((await run({})).kinds, ['running', 'result'])
})

test('a probe sends the requested number of deterministic bytes and yields between chunks', async () => {
  const first = await run({ bytes: 2 * OUTPUT_CHUNK_BYTES + 5 })
  assert.deepEqual([first.bytes.length, first.paced], [2 * OUTPUT_CHUNK_BYTES + 5, 3])
  assert.deepEqual((await run({ bytes: 2 * OUTPUT_CHUNK_BYTES + 5 })).bytes, first.bytes)
})

test('a probe refuses unknown and excessive parameters by name', async () => {
  for (const params of [
    { bytes: -1 },
    { bytes: 1.5 },
    { bytes: RESULT_LIMIT_BYTES + 1 },
    { echo: 'x'.repeat(65_537) },
    { path: '/' },
    null,
    'x',
  ])
    await assert.rejects(
      run(params),
      (error) => error instanceof Failure && error.code === 'INVALID_TASK_PARAMS',
      JSON.stringify(params)?.slice(0, 40),
    )
})

test('a probe stops when its signal aborts', async () => {
  const stop = new AbortController()
  stop.abort(new Failure('CANCELLED', 'enough'))
  await assert.rejects(run({ bytes: 10 ** 9 }, stop.signal), /enough/)
})
