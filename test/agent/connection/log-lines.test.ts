import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogLines, type LogSource } from '#agent/connection/log-lines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { LogLineMessage } from '#shared/protocol/messages.ts'
import { createLineRing } from '#shared/runtime/log/line-ring.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'

const never = new AbortController().signal
const written = (message: string, fields: object = { controller: 'studio' }, level = 30) =>
  `${JSON.stringify({ level, time: '2027-01-01T00:00:00.000Z', program: 'agent', ...fields, msg: message })}\n`

async function all(source: LogSource, last: number): Promise<Wire<'LogLine'>[]> {
  const lines: Wire<'LogLine'>[] = []
  for await (const line of source({ last, follow: false }, never)) lines.push(line)
  return lines
}

test('the newest lines arrive oldest first, with their fields', async () => {
  const ring = createLineRing()
  const source = createLogLines(ring).of('studio')
  for (const number of [1, 2, 3]) ring.append(written(`line ${number}`, { controller: 'studio', number }, 40))
  const lines = await all(source, 2)
  assert.deepEqual(
    lines.map(({ message }) => message),
    ['line 2', 'line 3'],
  )
  assert.deepEqual(lines[1], { at: Date.UTC(2027, 0, 1), level: 'warn', message: 'line 3', fields_json: '{"number":3}' })
})

test('each controller reads its own lines and those about engines, never the address of another controller', async () => {
  const ring = createLineRing()
  const lines = createLogLines(ring)
  ring.append(written('of one', { controller: 'one', taskId: 't' }) + written('of the other', { controller: 'other' }))
  ring.append(written('engine host ended', { group: 'flite', pid: 7, reason: 'it crashed' }))
  ring.append(written('studio connected', { address: '192.0.2.7', pin: 'abc' }))
  const seen = async (name: string) => (await all(lines.of(name), 10)).map(({ message }) => message)
  assert.deepEqual(await seen('one'), ['of one', 'engine host ended'])
  assert.deepEqual(await seen('other'), ['of the other', 'engine host ended'])
  assert.equal((await all(lines.of('one'), 10))[0]!.fields_json, '{"taskId":"t"}')
})

test('engine output stays on the machine, and no line exceeds the limit of the link', async () => {
  const ring = createLineRing()
  const source = createLogLines(ring).of('studio')
  ring.append(written('engine host: standard error', { line: 'a private sentence' }))
  ring.append(written('x'.repeat(5000)))
  ring.append('no json\n')
  const lines = await all(source, 10)
  assert.equal(lines.length, 2)
  assert.equal(JSON.stringify(lines).includes('private'), false)
  for (const line of lines) LogLineMessage.parse(line)
})

test('a follower receives every new line, and the number of lines it missed', async () => {
  const ring = createLineRing(2)
  const source = createLogLines(ring).of('studio')
  ring.append(written('before'))
  const stop = new AbortController()
  const lines = source({ last: 0, follow: true }, stop.signal)[Symbol.asyncIterator]()
  const next = lines.next()
  await turn()
  ring.append(written('first'))
  assert.equal((await next).value.message, 'first')
  for (const number of [2, 3, 4, 5]) ring.append(written(`line ${number}`))
  assert.equal((await lines.next()).value.message, '2 lines came too fast and are not shown')
  assert.equal((await lines.next()).value.message, 'line 4')
  assert.equal((await lines.next()).value.message, 'line 5')
  const end = lines.next()
  stop.abort()
  assert.equal((await end).done, true)
})

test('the number of followers is limited, and a follower that leaves frees its place', async () => {
  const ring = createLineRing()
  const source = createLogLines(ring).of('studio')
  const stop = new AbortController()
  const open = () => {
    const lines = source({ last: 0, follow: true }, stop.signal)[Symbol.asyncIterator]()
    return lines.next()
  }
  const open8 = Array.from({ length: 8 }, open)
  await turn()
  await assert.rejects(open(), (error) => error instanceof Failure && error.code === 'WORKER_AT_CAPACITY')
  const others = createLogLines(ring).of('other')({ last: 0, follow: true }, stop.signal)[Symbol.asyncIterator]().next()
  stop.abort()
  assert.equal((await others).done, true, 'another controller has its own limit')
  await Promise.all(open8)
  ring.append(written('later'))
  assert.equal((await all(source, 1)).length, 1)
})

test('an excessive request is refused', async () => {
  const source = createLogLines(createLineRing()).of('studio')
  await assert.rejects(all(source, 1001), (error) => error instanceof Failure && error.code === 'INVALID_TASK_PARAMS')
})
