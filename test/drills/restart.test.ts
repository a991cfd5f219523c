// The drill: a studio is stopped and started twice under twenty tasks a second from clients that repeat, with a stream, sockets and a book that
// runs. Nothing that was accepted is lost, nothing is made twice, and every client ends without a failure.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { eventOf, openBook, script } from '#test/scenarios/longform/book-client.ts'
import { createRepeatingClient } from '#test/support/clients/repeating.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, openWorld, type World } from '#test/support/world/world.ts'

const EVERY_MS = 50
/** Requests at once: a slow machine gets fewer a second. */
const MOST = isLongRun ? 40 : 24
const ASYNC = { prefer: 'respond-async' }
/** Milliseconds of load before, between and after the restarts. */
const LOAD_MS = isLongRun ? 20_000 : 600
const RESTART = 1012

/** Follows the events of a job over every restart: comes back with the number of its last event. */
async function followed(
  url: string,
  id: string,
  isOver: () => boolean,
): Promise<{ readonly seqs: number[]; readonly types: string[]; readonly ends: number }> {
  const seqs: number[] = []
  const types: string[] = []
  let ends = 0
  while (!isOver()) {
    try {
      const response = await fetch(`${url}/tasks/stream/${id}?ids=true&after_seq=${seqs.at(-1) ?? 0}`)
      const text = await response.text()
      for (const frame of text.split('\n\n')) {
        const [, seq = '', data = ''] = /^id: (\d+)\ndata: (.*)$/s.exec(frame) ?? []
        if (data === '') continue
        seqs.push(Number(seq))
        types.push(JSON.parse(data).type)
      }
      if (['done', 'error', 'cancelled'].includes(types.at(-1) ?? '')) return { seqs, types, ends }
      ends++
      assert.match(text, /retry: 1000\n: The studio is stopping\. The job goes on at its next start\.\n\n$/)
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      await pause(100) // refused
    }
  }
  throw new Error(`the job did not end: ${types.join(' ')}`)
}

type Closed = { readonly code: number; readonly reason: string }
async function openSocket(
  url: string,
  path: string,
): Promise<{ readonly socket: WebSocket; readonly frames: string[]; readonly closed: Promise<Closed> }> {
  const socket = new WebSocket(url.replace('http', 'ws') + path)
  const frames: string[] = []
  socket.onmessage = ({ data }) => void (typeof data === 'string' && frames.push(data))
  const closed = new Promise<Closed>((resolve) => {
    socket.onclose = ({ code, reason }) => resolve({ code, reason })
  })
  await once(socket, 'open')
  return { socket, frames, closed }
}

/** Opens a stream and sockets before a stop. The function that it returns checks that each ends whole, or says how it goes on. */
async function openAtStop({ url }: World, round: number) {
  const events = await openSocket(url, '/ws/events')
  const speaking = await openSocket(url, '/ws/tts')
  speaking.socket.send(JSON.stringify({ text: `Socket ${round}. `.repeat(40), engine: 'tone' }))
  const stream = await fetch(`${url}/v1/audio/speech`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tone', input: `Stream ${round}. `.repeat(40), response_format: 'pcm', stream_format: 'sse' }),
  })
  assert.equal(stream.status, 200)
  await eventually(async () => speaking.frames.length > 0)
  return async () => {
    assert.match(await stream.text(), /speech\.audio\.done/, 'a stream that runs ends whole')
    for (const { closed } of [events, speaking]) {
      const { code, reason } = await closed
      assert.deepEqual([code, reason], [RESTART, 'The studio is stopping. If it starts again, connect again in a few seconds.'])
    }
    assert.equal(JSON.parse(speaking.frames.at(-1)!).type, 'done', speaking.frames.at(-1))
  }
}

test('two restarts under load lose nothing, make nothing twice, and fail no client', { timeout: 400_000 }, async (t) => {
  const world = await openWorld(t, { fixedPort: true, remote: true })
  const { url } = world
  // More takes are made than are kept by default.
  await world.put('/api/settings/history-retention', { cap: 10_000 })
  let isOver = false
  let hasFailed = false
  const fail = (error: unknown) => {
    if (!hasFailed) t.diagnostic(String(error))
    hasFailed = true
  }
  t.after(() => {
    isOver = true
    hasFailed = true
  })
  const { send, seen } = createRepeatingClient(url, () => hasFailed)
  const json = async (...args: Parameters<typeof send>) => JSON.parse((await send(...args)).toString())
  const takes: string[] = []
  const tasks = new Map<number, string>()
  const task = (index: number) => {
    const params = { segments: [{ text: `Task ${index}.` }] }
    return json('/workers/tasks', { body: { engine: 'tone', idempotency_key: `drill-${index}`, deadline_seconds: 600, params } })
  }
  const KINDS: readonly ((index: number) => Promise<void>)[] = [
    async (index) => {
      const { state, task_id } = await task(index)
      assert.equal(state, 'completed')
      tasks.set(index, task_id)
    },
    async (index) => {
      const wav = await send('/v1/audio/speech', { body: { model: 'tone', input: `Speech ${index}.`, response_format: 'wav' } })
      assert.equal(wav.toString('latin1', 0, 4), 'RIFF')
      assert.ok(wav.length > 1_000, `${wav.length} bytes`)
    },
    async (index) => {
      const text = `Take ${index}.`
      takes.push(text)
      const wasAccepted = async () => {
        const [job] = await json(`/jobs?type=generate&q=${encodeURIComponent(text)}&limit=1`)
        return job ? Buffer.from(JSON.stringify(job)) : null
      }
      const { id } = await json('/generate', { form: { text, engine: 'tone' }, headers: ASYNC, wasAccepted })
      for (;;) {
        const { status, error } = await json(`/jobs/${id}`)
        if (status === 'done') return
        assert.ok(['pending', 'running'].includes(status), `${status}: ${error}`)
        await pause(500)
      }
    },
  ]
  const work: Promise<void>[] = []
  let running = 0
  const clients = (async () => {
    for (let index = 0; !isOver; index++) {
      const piece = KINDS[index % KINDS.length]!(index)
      piece.catch(fail).finally(() => running--)
      running++
      work.push(piece)
      do await pause(EVERY_MS)
      while (running > MOST && !hasFailed)
    }
  })()
  const book = await openBook(world, '/audiobook', { text: script(isLongRun ? 60 : 3, 6), format: 'mp3', keep_running: true })
  const { job_id: bookId } = await eventOf(book.events, 'started')
  book.leave()
  const following = followed(url, bookId, () => hasFailed)
  following.catch(fail)

  for (let round = 1; round <= 2; round++) {
    await pause(LOAD_MS)
    const ended = await openAtStop(world, round)
    const { status } = await json(`/jobs/${bookId}`)
    t.diagnostic(`restart ${round}: the book is ${status}, ${running} requests run`)
    await Promise.all([world.restart(), ended()])
  }
  await pause(LOAD_MS)
  isOver = true
  await clients
  await Promise.all(work)
  const { seqs, types, ends } = await following
  assert.equal(types.at(-1), 'done')
  assert.deepEqual(
    seqs,
    [...new Set(seqs)].sort((one, other) => one - other),
    'no event twice, and in order',
  )
  const events: { seq: number }[] = (await json(`/jobs/${bookId}/events?limit=1000`)).events
  assert.deepEqual(
    seqs,
    events.map(({ seq }) => seq),
    'no event is lost',
  )
  const history: { id: string; text: string }[] = []
  for (let page = null; page === null || page.length > 0; history.push(...page))
    page = await json(`/history?limit=200${history.length > 0 ? `&before=${history.at(-1)!.id}` : ''}`)
  const made = history.map(({ text }) => text).filter((text) => text.startsWith('Take'))
  assert.deepEqual(made.sort(), takes.sort(), 'each take once')
  for (const [index, id] of [...tasks].slice(0, 10)) assert.equal((await task(index)).task_id, id, 'a repeated task is the same')
  t.diagnostic(`${work.length} requests: ${JSON.stringify(seen)}, the stream of the book was continued ${ends} times`)
  assert.ok(seen.refused + seen.closed > 0, 'the restarts met requests')

  await t.test('the database of a newer version names the way back', async (t) => {
    await world.studio.end()
    const program = join(world.dataDir, 'program')
    mkdirSync(program, { recursive: true })
    writeFileSync(join(program, 'state.json'), '{}')
    const db = new Sqlite(join(world.dataDir, 'studio.db'))
    db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true })) + 1}`)
    db.close()
    const refused = startProgram(t, ['control-plane/main.ts'], { STUDIO_DATA_DIR: world.dataDir, STUDIO_PORT: '0' })
    assert.equal(await refused.ended, 1)
    assert.match(
      refused.output(),
      /written by a newer studio\. Update this one\. To return to the version before the update, with the database as it was, run \.\/studio rollback\./,
    )
  })
})
