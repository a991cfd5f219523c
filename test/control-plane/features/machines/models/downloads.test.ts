// Download events: the limit of clients, complete delivery, and slow clients that do not affect others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DownloadEvent } from '#control-plane/features/machines/models/download-events.schema.ts'
import { CONNECTIONS_PER_CLIENT, createDownloads, downloadEvent } from '#control-plane/features/machines/models/downloads.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { EMPTY_INSTALL_EVENT } from '#shared/protocol/messages.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const event = (pct: number, target = 'local') =>
  ({ phase: 'progress', repo_id: 'a/b', filename: 'a', downloaded: 1, total: 2, pct, target }) as const
type InstallError = Extract<DownloadEvent, { phase: 'install_error' }>
const dataOf = (line: string) => JSON.parse(line.slice('data: '.length)) as { pct: number; target: string }

test('200 connections of a client receive every event; another is refused until one ends', async () => {
  const downloads = createDownloads({ clock: createFakeClock() })
  const aborts = Array.from({ length: CONNECTIONS_PER_CLIENT }, () => new AbortController())
  const streams = aborts.map(({ signal }) => downloads.listen(null, signal))
  assert.equal(streams.length, 200)
  const late = new AbortController()
  const refused = (error: unknown) => error instanceof Failure && error.code === 'QUEUE_FULL' && /at most 200 places/.test(error.message)
  assert.throws(() => downloads.listen(null, late.signal), refused)
  downloads.publish(event(0.5))
  for (const stream of streams) {
    assert.equal((await stream.next()).value, ': connected\n\n')
    assert.equal(dataOf((await stream.next()).value!).pct, 0.5)
  }
  aborts[7]!.abort()
  const next = downloads.listen(null, late.signal)
  assert.throws(() => downloads.listen(null, new AbortController().signal), refused)
  downloads.publish(event(0.75))
  await next.next()
  assert.equal(dataOf((await next.next()).value!).pct, 0.75)
  assert.equal((await streams[7]!.next()).done, true)
  assert.equal(dataOf((await streams[8]!.next()).value!).pct, 0.75)
})

test('a client that does not read loses the oldest events at a fixed limit; others lose none', async () => {
  const downloads = createDownloads({ clock: createFakeClock() })
  const { signal } = new AbortController()
  const slow = downloads.listen(null, signal)
  const quick = downloads.listen(null, signal)
  await quick.next()
  for (let step = 1; step <= 1_000; step++) {
    downloads.publish(event(step))
    assert.equal(dataOf((await quick.next()).value!).pct, step)
  }
  assert.equal(dataOf((await slow.next()).value!).pct, 489, 'the last 512')
})

test('a client receives the events of its machine and keepalives, until the studio stops', async () => {
  const clock = createFakeClock()
  const downloads = createDownloads({ clock })
  const stream = downloads.listen('attic', new AbortController().signal)
  downloads.publish(event(0.1))
  downloads.publish(event(0.2, 'attic'))
  await stream.next()
  assert.equal(dataOf((await stream.next()).value!).pct, 0.2)
  const waiting = stream.next()
  clock.advance(30_000)
  assert.equal((await waiting).value, ': keepalive\n\n')
  const last = stream.next()
  downloads.end()
  assert.equal((await last).done, true)
})

test('a failed download names the topic of the documentation, and resolving counts its steps', () => {
  const topicOf = (code: string) =>
    (downloadEvent('a/b', 'local', { ...EMPTY_INSTALL_EVENT, phase: 'install_error', code, message: 'No.' }) as InstallError).docs_topic
  assert.deepEqual(['INPUT_FETCH_FAILED', 'STORAGE_FULL', 'MODEL_REF_REJECTED'].map(topicOf), [
    'HF_MIRROR_UNREACHABLE',
    'disk-space',
    undefined,
  ])
  const resolving = downloadEvent('a/b', 'local', { ...EMPTY_INSTALL_EVENT, phase: 'resolving', message: 'listing' }, 3)
  assert.partialDeepStrictEqual(resolving, { step: 3, detail: 'listing' })
})
