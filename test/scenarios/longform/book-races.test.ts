// Books that want the same things at the same time, and requests that were never meant well.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { eventually, sharedWorld, type World } from '#test/support/world/world.ts'
import { type BookEvent, eventOf, openBook, render, script } from './book-client.ts'

const open = sharedWorld()
const finished = (events: readonly BookEvent[]) => {
  const last = events.at(-1)!
  assert.equal(last.type, 'done', JSON.stringify(last))
  return last['output'] as string
}
const sound = async (world: World, name: string) => (await world.get(`/audio/${name}`)).body
const folderOf = (world: World, name: string) => readdirSync(join(world.dataDir, name))

const BOOKS = isLongRun ? 50 : 20

test('equal books at once have equal bytes, make no segment twice, and leave no unfinished file', async () => {
  const world = await open()
  const request = { text: script(1, 3).replaceAll('travellers', 'riders'), format: 'mp3', loudness: 'acx' }
  const taskIds = async (): Promise<string[]> =>
    (await world.get('/workers/tasks?limit=200&always=true')).json().tasks.map(({ task_id }: { task_id: string }) => task_id)
  const before = new Set(await taskIds())
  const books = await Promise.all(Array.from({ length: 3 }, () => render(world, '/audiobook', request)))
  const [first, ...others] = await Promise.all(books.map((events) => sound(world, finished(events))))
  for (const other of others) assert.ok(other.equals(first!))
  const tasks = (await taskIds()).filter((id) => !before.has(id))
  assert.ok(tasks.length > 0 && tasks.length <= 3, `${tasks.length} tasks for three segments`)
  for (const folder of ['outputs', 'longform_cache/chapters'])
    assert.deepEqual(
      folderOf(world, folder).filter((name) => name.includes('.new')),
      [],
    )
})

test('equal previews at once all succeed', async () => {
  const world = await open()
  const text = '# One\nTwo clients listen to this chapter at the same moment, before its book is made.'
  const replies = await Promise.all([1, 2, 3].map(() => world.post('/audiobook/preview', { text })))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
    replies[0]!.body.toString(),
  )
  assert.equal(new Set(replies.map((reply) => reply.json().output)).size, 1)
})

test('of two resumes at once one continues the book', async (t) => {
  const world = await open()
  const release = slowHosts(t, world.studio)
  const { events, leave } = await openBook(world, '/audiobook', { text: script(3, 4), format: 'mp3' })
  const { job_id: id } = await eventOf(events, 'started')
  release.hold()
  leave()
  await eventually(async () => (await world.get(`/jobs/${id}`)).json().status === 'cancelled')
  release()
  const statuses: number[] = []
  const done: string[] = []
  const resume = async () => {
    const book = await openBook(world, `/audiobook/resume/${id}`)
    statuses.push(book.status)
    if (book.status !== 200) return book.leave()
    for await (const event of book.events) if (event.type === 'done') done.push(event['output'])
  }
  await Promise.all([resume(), resume(), resume()])
  assert.deepEqual(statuses.toSorted(), [200, 404, 404])
  assert.equal(done.length, 1)
})

test('many books at once are rendered or refused, and their clients learn which', async () => {
  const world = await open()
  const text = '# Short\nA book of one short sentence, which many people want at once.'
  const books = await Promise.all(Array.from({ length: BOOKS }, () => render(world, '/audiobook', { text, format: 'mp3' })))
  const outputs = books.map(finished)
  assert.equal(new Set(outputs).size, BOOKS)
})

test('hostile requests are refused before they cost anything', async () => {
  const world = await open()
  const refused = async (path: string, body: unknown, pattern: RegExp) => {
    const reply = await world.post(path, typeof body === 'string' ? body : JSON.stringify(body))
    assert.equal(reply.status, 422, `${path} ${reply.body.toString().slice(0, 200)}`)
    assert.match(reply.body.toString(), pattern)
  }
  const tags = { text: 'a[pause]'.repeat(100_001) }
  for (const path of ['/audiobook', '/audiobook/plan', '/audiobook/preview']) await refused(path, tags, /more than 100000 times/)
  const span = { text: 'a' }
  const chapters = [{ spans: Array(60_000).fill(span) }, { spans: Array(60_000).fill(span) }]
  await refused('/longform/render', { chapters }, /more than 100000 times/)
  await refused('/longform/render', { chapters: [{ spans: Array(100_001).fill(span) }] }, /<=100000 items/)
  const long = { text: 'a'.repeat(5_000_000) }
  await refused('/longform/render', { chapters: [{ spans: [long, long] }] }, /10000000 characters/)
  const lexicon = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`term ${at}`, 'x']))
  for (const field of ['lexicon', 'voice_map', 'metadata']) await refused('/audiobook', { text: 'a', [field]: lexicon }, /10000 entries/)
  for (const pause of [-1, 1e9, 'long'])
    await refused('/longform/render', { chapters: [{ spans: [{ ...span, pause_ms_after: pause }] }] }, /pause_ms_after/)
  await refused('/longform/render', '{"chapters":[{"spans":[{"text":"a","pause_ms_after":1e999}]}]}', /pause_ms_after/)
  await refused('/audiobook', { text: 'a\0b' }, /NUL/)
  await refused('/audiobook', '{"text":"\\ud800"}', /surrogate/)
  await refused('/audiobook/preview', { text: '# a\nb', chapter_index: 1.5 }, /chapter_index/)
  assert.equal((await world.post('/audiobook/preview', { text: '# a\nb', chapter_index: -1 })).status, 400)
  assert.equal((await world.post('/audiobook/preview', { text: '# a\nb', chapter_index: 1e9 })).status, 400)
})

test('a book that would never end, or that names voices without end, is one error', async () => {
  const world = await open()
  const spans = Array.from({ length: 7_000 }, (_, at) => ({ text: `Line ${at}.`, pause_ms_after: 600_000 }))
  const [endless] = await render(world, '/longform/render', { chapters: [{ spans }] })
  assert.equal(endless!.type, 'error')
  assert.match(endless!['error'], /hours. Split it/)
  const crowd = Array.from({ length: 501 }, (_, at) => `[voice:person ${at}]Hello.`).join('')
  const [crowded] = await render(world, '/audiobook', { text: crowd })
  assert.match(crowded!['error'], /more than 500 voices/)
  const events = await render(world, '/audiobook', { text: crowd.split('[').slice(0, 100).join('['), format: 'mp3' })
  finished(events)
  assert.ok(events.filter(({ type }) => type === 'routing_notice').length <= 50)
})

test('hostile titles and tags stay texts', async () => {
  const world = await open()
  const hostile = `../../etc/passwd;=#\\\n\u202Edrac\u0007 ${'x'.repeat(5_000)}`
  const metadata = {
    title: hostile,
    author: hostile,
    description: hostile,
    __proto__: 'x',
    constructor: 'y',
    narrator: { a: 1 },
    year: 12,
  }
  const chapters = [{ title: hostile.slice(0, 900), spans: [{ text: 'A chapter whose title is not a title at all.' }] }]
  for (const format of ['mp3', 'm4b', '../x']) {
    const events = await render(world, '/longform/render', { chapters, format, metadata, cover_path: '../../../etc/passwd' })
    const output = finished(events)
    assert.match(output, /^story_[0-9a-f]{16}\.(mp3|m4b)$/)
    assert.equal((await world.get(`/audio/${output}`)).status, 200)
  }
  assert.equal((await world.get('/longform/jobs')).status, 200)
})
