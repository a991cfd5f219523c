// A book with the embedded voice while studio, agent and engine process are killed at random: the file is that of an undisturbed run, no finished
// segment is made again, and events ascend. VOICE_STUDIO_LONG_BOOK sets the characters, VOICE_STUDIO_LONG_KILLS the kills.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCopy } from '#control-plane/store/database.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { type BookEvent, openBook, render } from '../scenarios/longform/book-client.ts'
import { chosenSeed, seeded } from '../support/doubles/seeded.ts'
import { hostsOf, isAlive } from '../support/world/tasks.ts'
import { eventually, openWorld, type World } from '../support/world/world.ts'

const CHARACTERS = Number(process.env['VOICE_STUDIO_LONG_BOOK'] ?? 300_000)
const KILLS = Number(process.env['VOICE_STUDIO_LONG_KILLS'] ?? 10)
const PARAGRAPHS = 40
const WORDS = 'the river bends slowly around an old mill where no one has ground corn since her father left for the coast'.split(' ')
const VICTIMS = ['studio', 'agent', 'host'] as const

function manuscript(characters: number, seed: number): string {
  const { pick, below } = seeded(seed)
  const sentence = () => `${Array.from({ length: 8 + below(12) }, () => pick(WORDS)).join(' ')}.`
  const paragraph = () => Array.from({ length: 2 + below(4) }, sentence).join(' ')
  let text = ''
  for (let chapter = 1; text.length < characters; chapter++) {
    text += `# Chapter ${chapter}\n\n`
    for (let at = 0; at < PARAGRAPHS && text.length < characters; at++) text += `${paragraph()}\n\n`
  }
  return text
}

const cacheOf = (world: World) => join(world.dataDir, 'longform_cache')
/** The inode of each finished segment: one that is made again has another. A file is finished when it has its row. */
const segments = (world: World): Map<string, number> => {
  const keys = readCopy(join(world.dataDir, 'studio.db'), (db) => db.prepare<[], string>('select key from longform_segment').pluck().all())
  const found = keys.map((key) => [key, statSync(join(cacheOf(world), key.slice(0, 2), key), { throwIfNoEntry: false })?.ino] as const)
  return new Map(found.flatMap(([key, inode]) => (inode === undefined ? [] : [[key, inode] as const])))
}

const filesOf = (world: World): number =>
  readdirSync(cacheOf(world)).reduce((sum, shelf) => sum + (shelf.length === 2 ? readdirSync(join(cacheOf(world), shelf)).length : 0), 0)

const localAgent = (world: World) =>
  world.studio.lines().findLast(({ msg }) => msg === 'the local agent was started')?.['pid'] as number | undefined

test(`${CHARACTERS} characters and ${KILLS} kills`, { timeout: 4 * 3600_000 }, async (t) => {
  const seed = chosenSeed()
  t.diagnostic(`seed ${seed}`)
  const chance = seeded(seed)
  const offset = chance.below(VICTIMS.length)
  const world = await openWorld(t)
  const request = { text: manuscript(CHARACTERS, seed), format: 'mp3' }
  const soundOf = async (done: BookEvent) => (await world.get(`/audio/${done['output']}`)).body

  const from = clock.mono()
  const undisturbed = (await render(world, '/audiobook', request)).at(-1)!
  assert.equal(undisturbed.type, 'done', JSON.stringify(undisturbed))
  const undisturbedMs = clock.mono() - from
  const wanted = await soundOf(undisturbed)
  const all = segments(world).size
  for (const name of readdirSync(cacheOf(world))) if (name !== 'chapters') rmSync(join(cacheOf(world), name), { recursive: true })
  for (const name of readdirSync(join(cacheOf(world), 'chapters'))) rmSync(join(cacheOf(world), 'chapters', name))
  await world.restart()

  const begunAt = clock.mono()
  const finished = new Map<string, number>()
  const note = () => {
    for (const [key, inode] of segments(world)) {
      const before = finished.get(key)
      if (before === undefined) finished.set(key, inode)
      else assert.equal(inode, before, `segment ${key} was made twice`)
    }
  }
  const victims = { studio: 0, agent: 0, host: 0 }
  let path = '/audiobook'
  let kills = 0
  let done: BookEvent | null = null
  while (!done) {
    const book = await openBook(world, path, path === '/audiobook' ? request : undefined)
    assert.equal(book.status, 200)
    const seen: BookEvent[] = []
    const following = (async () => {
      for await (const event of book.events) seen.push(event)
    })().catch(() => {}) // the studio was killed
    await eventually(() => seen[0])
    const id = seen[0]!['job_id'] as string
    let isStudioDead = false
    while (!isStudioDead && kills < KILLS) {
      // Spread over the book, by what is finished, so that the moments do not depend on the speed of the machine.
      const due = ((kills + chance.unit()) / KILLS) * all
      await eventually(() => filesOf(world) >= due || ['done', 'error'].includes(seen.at(-1)!.type), 3_600_000)
      note()
      const victim = VICTIMS[(kills + offset) % VICTIMS.length]!
      kills++
      victims[victim]++
      if (victim === 'studio') {
        await world.restart('SIGKILL')
        isStudioDead = true
      } else {
        const pid = victim === 'agent' ? localAgent(world) : hostsOf(world.studio).filter(isAlive).at(-1)
        if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL')
      }
      note()
    }
    await following
    const { events } = (await world.get(`/jobs/${id}/events`)).json() as { events: { seq: number; payload: string }[] }
    const indices = events.flatMap(({ payload }) => {
      const event = JSON.parse(payload) as BookEvent
      return event.type === 'chapter' ? [event['index'] as number] : []
    })
    assert.deepEqual(
      indices,
      indices.map((_, at) => at),
      'chapters are reported once, in order',
    )
    assert.ok(events.every(({ seq }, at) => at === 0 || seq > events[at - 1]!.seq))
    const last = seen.at(-1)!
    if (last.type === 'done') done = last
    else if (last.type === 'error') assert.fail(JSON.stringify(last))
    path = `/audiobook/resume/${id}`
    if (last.type === 'done' && isStudioDead) break
  }
  note()
  assert.deepEqual(done!['failed_chapters'], [])
  assert.equal(finished.size, all)
  assert.ok((await soundOf(done!)).equals(wanted), 'the bytes of an undisturbed run')
  const seconds = (ms: number) => (ms / 1000).toFixed(0)
  t.diagnostic(
    `${all} segments: ${seconds(undisturbedMs)} s undisturbed, ${seconds(clock.mono() - begunAt)} s with kills of ${JSON.stringify(victims)}`,
  )
})
