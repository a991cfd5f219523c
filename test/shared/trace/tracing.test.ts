import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type Log, silentLog } from '#shared/runtime/log.ts'
import { createFileExporter } from '#shared/trace/file-exporter.ts'
import { openTracing } from '#shared/trace/tracing.ts'
import { readSpans } from '#test/support/world/spans.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

function open(t: TestContext, settings: { traceEndpoint?: string; traceFile?: string }) {
  const said: string[] = []
  const log: Log = { ...silentLog, warn: (_fields, message) => void said.push(message) }
  const path = join(temporaryFolder(t), 'spans.jsonl')
  const opened = openTracing({ traceEndpoint: null, traceFile: path, ...settings }, { program: 'test', version: '1', clock, log })
  return { path, said, opened }
}

test('without an exporter a context is passed on unchanged and no span is created', async () => {
  const tracing = await openTracing({ traceEndpoint: null, traceFile: null }, { program: 'test', version: '1', clock, log: silentLog })
  assert.equal(tracing.isOn, false)
  assert.equal(tracing.begin('a', CALLER).traceparent, CALLER)
  assert.equal(tracing.begin('a', '').traceparent, '')
  assert.equal(tracing.begin('a', 'nonsense\r\nx: y').traceparent, '')
})

test('spans are linked by traceparent texts and written one per line to a private file', async (t) => {
  const { path, opened } = open(t, {})
  const tracing = await opened
  const outer = tracing.begin('outer', CALLER, { kind: 'server', attributes: { count: 3 } })
  const inner = tracing.begin('inner', outer.traceparent, { at: clock.now() - 1000 })
  inner.end('ENGINE_CRASHED')
  inner.end()
  outer.end()
  tracing.begin('alone', 'nonsense').end()
  await tracing.stop()
  const spans = readSpans(path)
  assert.deepEqual(
    spans.map(({ name, failure }) => [name, failure]),
    [
      ['inner', 'ENGINE_CRASHED'],
      ['outer', null],
      ['alone', null],
    ],
  )
  const [first, second, third] = spans as [(typeof spans)[0], (typeof spans)[0], (typeof spans)[0]]
  assert.equal(second.parent, 'b7ad6b7169203331')
  assert.equal(first.parent, second.spanId)
  assert.equal(first.traceId, '0af7651916cd43dd8448eb211c80319c')
  assert.notEqual(third.traceId, first.traceId)
  assert.equal(third.parent, '')
  assert.equal(second.service, 'voice-studio-test')
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('an unsampled caller is not traced', async (t) => {
  const { path, opened } = open(t, {})
  const tracing = await opened
  const span = tracing.begin('quiet', CALLER.replace(/01$/, '00'))
  assert.match(span.traceparent, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/)
  tracing.begin('child', span.traceparent).end()
  span.end()
  await tracing.stop()
  assert.deepEqual(readSpans(path), [])
})

test('spans are sent to a collector as JSON', async (t) => {
  const arrived = Promise.withResolvers<unknown>()
  const server = createServer(async (request, response) => {
    arrived.resolve({ url: request.url, body: await json(request) })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { opened } = open(t, { traceEndpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces` })
  const tracing = await opened
  tracing.begin('sent', '').end()
  await tracing.stop()
  const { url, body } = (await arrived.promise) as {
    url: string
    body: { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] }
  }
  assert.equal(url, '/v1/traces')
  assert.equal(body.resourceSpans[0]!.scopeSpans[0]!.spans[0]!.name, 'sent')
})

test('failed exports are logged once and do not stop the program', async (t) => {
  const { opened, said } = open(t, { traceFile: join(temporaryFolder(t), 'no', 'such', 'folder.jsonl') })
  const tracing = await opened
  tracing.begin('lost', '').end()
  await tracing.stop()
  assert.deepEqual(said, ['spans could not be exported and are lost'])
})

test('a readable file is made private, and a large one is rotated', async (t) => {
  const path = join(temporaryFolder(t), 'spans.jsonl')
  writeFileSync(path, '')
  chmodSync(path, 0o644)
  const { opened } = open(t, { traceFile: path })
  const tracing = await opened
  tracing.begin('first', '').end()
  await tracing.stop()
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const exporter = createFileExporter(path, 10)
  await new Promise((resolve) => exporter.export([], resolve))
  assert.equal(existsSync(`${path}.1`), true)
  assert.equal(readSpans(`${path}.1`).length, 1)
  assert.deepEqual(readSpans(path), [])
  assert.equal(statSync(path).mode & 0o777, 0o600)
})
