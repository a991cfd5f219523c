// A studio with 1,000 people of 20 keys each, the most that one has, beside a studio with one person: its start, its memory, and what a request
// with a key, a sign-in and the list of people take.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { MOST_KEYS, MOST_PEOPLE } from '#control-plane/people/people.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { startStudio } from './support/peers.ts'
import { flood, median, row, title } from './support/rounds.ts'

type Size = { readonly people: number; readonly keys: number }
export const MOST: Size = { people: MOST_PEOPLE, keys: MOST_KEYS }
const ONE: Size = { people: 1, keys: 1 }
const STARTS = 3

const keyOf = (person: number, at: number): string => `svk_${createHash('sha256').update(`${person} ${at}`).digest('base64url')}`
const named = (person: number): string => `person-${String(person).padStart(4, '0')}`

/** Before the start of the studio. */
function fillPeople(dataDir: string, { people, keys }: Size): void {
  const db = openDatabase(join(dataDir, 'studio.db'))
  try {
    const person = db.prepare(`insert into person (id, name, folded, kind, role, sound_minutes_a_day, created_at)
      values (@id, @id, @id, 'person', 'create', 600, 1)`)
    const key = db.prepare(`insert into person_key (id, person_id, label, digest, begins, created_at)
      values (@id, @person, 'the laptop at work', @digest, 'svk_test', 1)`)
    db.transaction(() => {
      for (let one = 0; one < people; one++) {
        person.run({ id: named(one) })
        for (let at = 0; at < keys; at++) {
          const digest = createHash('sha256').update(keyOf(one, at)).digest('hex')
          key.run({ id: `key-${one}-${at}`, person: named(one), digest })
        }
      }
    })()
  } finally {
    db.close()
  }
}

type Studio = Awaited<ReturnType<typeof startStudio>>
type Columns = { readonly full: number[]; readonly one: number[] }
const columns = (): Columns => ({ full: [], one: [] })

async function send({ port }: Studio, method: string, path: string, key: string | null, status: number): Promise<ArrayBuffer> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { body: '{"transport":"bearer"}' }),
  })
  const bytes = await reply.arrayBuffer()
  if (reply.status !== status) throw new Error(`${method} ${path} answered with ${reply.status}.`)
  return bytes
}

/** Milliseconds and megabytes, for the largest studio and for one with a single person. */
export async function measurePeople(size: Size, rounds: number, calls: number) {
  const figures = {
    startMs: columns(),
    heapMb: columns(),
    firstMs: columns(),
    openHeapMb: columns(),
    requestMs: columns(),
    signInMs: columns(),
  }
  const studios: { full: Studio | null; one: Studio | null } = { full: null, one: null }
  const of = { full: size, one: ONE } as const
  const heapOf = async (studio: Studio) => (await studio.ask<{ heapBytes: number }>({ memory: true })).heapBytes / 1e6
  try {
    for (let start = 0; start < STARTS; start++)
      for (const name of ['full', 'one'] as const) {
        await studios[name]?.end()
        let from = 0
        const studio = await startStudio(async (dataDir) => {
          fillPeople(dataDir, of[name])
          from = performance.now()
        })
        studios[name] = studio
        figures.startMs[name].push(performance.now() - from)
        figures.heapMb[name].push(await heapOf(studio))
        const first = performance.now()
        await send(studio, 'GET', '/people/me', keyOf(0, 0), 200)
        figures.firstMs[name].push(performance.now() - first)
        figures.openHeapMb[name].push(await heapOf(studio))
      }
    for (let round = -1; round < rounds; round++)
      for (const name of ['full', 'one'] as const) {
        const studio = studios[name]!
        let turn = 0
        const next = () => keyOf((turn * 37) % of[name].people, turn++ % of[name].keys)
        const { each: requests } = await flood(calls, 1, () => send(studio, 'GET', '/people/me', next(), 200))
        const { each: signIns } = await flood(Math.ceil(calls / 10), 1, () => send(studio, 'POST', '/api/auth/session', next(), 201))
        if (round < 0) continue
        figures.requestMs[name].push(median(requests))
        figures.signInMs[name].push(median(signIns))
      }
    const listMs: number[] = []
    let listBytes = 0
    for (let round = 0; round < rounds; round++) {
      const from = performance.now()
      listBytes = (await send(studios.full!, 'GET', '/people', null, 200)).byteLength
      listMs.push(performance.now() - from)
    }
    return { ...figures, listMs, listBytes }
  } finally {
    await Promise.all(Object.values(studios).map((studio) => studio?.end()))
  }
}

export async function run(): Promise<void> {
  restrictNewFiles()
  title(`${MOST.people} people with ${MOST.keys} keys each; limit: a studio with one person and one key`)
  const { startMs, heapMb, firstMs, openHeapMb, requestMs, signInMs, listMs, listBytes } = await measurePeople(MOST, 7, 300)
  row('start', startMs.full, startMs.one, 'ms ', 'at most 1.20')
  row('heap after the start', heapMb.full, heapMb.one, 'MB ', 'at most 1.10')
  row('first request with a key', firstMs.full, firstMs.one, 'ms ', '')
  row('heap after it', openHeapMb.full, openHeapMb.one, 'MB ', '')
  row('request with a key', requestMs.full, requestMs.one, 'ms ', 'at most 1.20')
  row('sign-in with a key', signInMs.full, signInMs.one, 'ms ', 'at most 1.20')
  process.stdout.write(`GET /people: ${median(listMs).toFixed(0)} ms, ${(listBytes / 1e6).toFixed(1)} MB\n`)
}
