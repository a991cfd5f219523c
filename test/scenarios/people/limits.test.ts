// The limits of people in a real studio: parallel requests, limits that change while work runs, the machines of a person, and a kill.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually, openWorld, type Reply, type World } from '#test/support/world/world.ts'

/** Its upper bound is 20 seconds: 2 s, and 0.15 s for each of 120 letters. */
const TEXT = 'la '.repeat(40)
type Limits = Record<string, unknown>

async function personOf(world: World, limits: Limits, more: Record<string, unknown> = {}) {
  const added = await world.post('/people', { name: `Person ${crypto.randomUUID().slice(0, 8)}`, limits, ...more })
  assert.equal(added.status, 201, added.body.toString())
  const { person, key } = added.json()
  const headers = { authorization: `Bearer ${key}` }
  return {
    id: person.id as string,
    headers,
    send: (method: string, path: string, body?: unknown, signal?: AbortSignal, more: Record<string, string> = {}) =>
      world.send(method, path, body, { ...headers, ...more }, signal),
    say: (input: string, signal?: AbortSignal, fields: Limits = {}) =>
      world.send('POST', '/v1/audio/speech', { input, response_format: 'wav', seed: 1, ...fields }, headers, signal),
    async limit(changed: Limits) {
      assert.equal((await world.patch(`/people/${person.id}`, { limits: changed })).status, 200)
    },
  }
}
type Person = Awaited<ReturnType<typeof personOf>>

const usageOf = async (world: World, { id }: Person) => {
  const rows: { person_id: string; tasks: number; failed: number; sound_ms: number }[] = (await world.get('/people/usage')).json().usage
  const own = rows.filter(({ person_id }) => person_id === id)
  return { tasks: sum(own.map(({ tasks }) => tasks)), soundMs: sum(own.map(({ sound_ms: ms }) => ms)) }
}
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
/** Milliseconds of sound of a WAV file of 16 bits. */
const lengthOf = ({ body }: Reply): number => ((body.length - body.indexOf('data') - 8) / 2 / body.readUInt32LE(24)) * 1000

test('forty parallel requests with room for three: three are admitted, and 37 are told when it is free again', async (t) => {
  // No machine comes, so what is admitted waits.
  const world = await openWorld(t, { withoutAgent: true })
  const person = await personOf(world, { sound_minutes_a_day: 1 })
  const over = new AbortController()
  const refused: Reply[] = []
  const enough = Promise.withResolvers<void>()
  const sent = Array.from({ length: 40 }, async () => {
    const reply = await person.say(TEXT, over.signal)
    refused.push(reply)
    if (refused.length === 37) enough.resolve()
  })
  const all = Promise.allSettled(sent)
  await enough.promise
  const me = (await person.send('GET', '/people/me')).json()
  assert.equal(me.usage.tasks_now, 3)
  for (const reply of refused) {
    assert.equal(reply.status, 429, reply.body.toString())
    assert.equal(reply.headers.get('retry-after'), '5', 'running work holds the rest')
  }
  assert.match(refused[0]!.body.toString(), /The limit is 1 minute of sound a day/)
  assert.deepEqual(refused[0]!.json().values, { limit: 'sound_minutes_a_day', amount: 1, free: 'running', seconds: 5 })
  over.abort()
  await all
  assert.equal(refused.length, 37, 'no further answer')
  await person.limit({ sound_minutes_a_day: 0.1 })
  const never = await person.say(TEXT)
  assert.equal(never.status, 429)
  assert.match(never.body.toString(), /this may need 0\.3 minutes\. Send less at once\./)
  assert.deepEqual(never.json().values, { limit: 'sound_minutes_a_day', amount: 0.1, free: 'never' })
})

test('a limit stops new work only, counts what was spoken, and a kill loses nothing of it', async (t: TestContext) => {
  const world = await openWorld(t)
  const person = await personOf(world, { tasks_at_once: 2, sound_minutes_a_day: 10 })
  const replies = await Promise.all(Array.from({ length: 8 }, () => person.say(TEXT)))
  const spoken = replies.filter(({ status }) => status === 200)
  assert.ok(spoken.length >= 2)
  for (const reply of replies) assert.ok(reply.status === 200 || (reply.status === 429 && reply.headers.get('retry-after') === '5'))

  // Lowered while a task runs.
  const [running] = await Promise.all([person.say('la '.repeat(400)), person.limit({ sound_minutes_a_day: 0.01 })])
  assert.equal((await person.say('More.')).status, 429)
  if (running!.status === 200) spoken.push(running!)

  const before = await usageOf(world, person)
  assert.equal(before.tasks, spoken.length)
  const heard = sum(spoken.map(lengthOf))
  assert.ok(Math.abs(before.soundMs - heard) < 1_000 * spoken.length, `${before.soundMs} of ${heard} ms`)
  await world.restart('SIGKILL')
  assert.deepEqual(await usageOf(world, person), before)
  const csv = await world.get('/people/usage?format=csv')
  assert.match(csv.body.toString(), new RegExp(person.id))
  assert.equal((await person.say('More.')).status, 429, 'also after a restart')

  // Two people may choose the same idempotency key.
  const [first, second] = [await personOf(world, {}), await personOf(world, {})]
  const named = (one: Person, input: string) => one.send('POST', '/v1/audio/speech', { input }, undefined, { 'idempotency-key': 'mine' })
  const [theirs, other] = [await named(first, 'What the first one says.'), await named(second, 'Another text.')]
  assert.deepEqual([theirs.status, other.status], [200, 200], other.body.toString().slice(0, 200))
  assert.equal((await named(second, 'A third text.')).status, 409)

  // Sound that was heard counts, also when the caller leaves before its end.
  const leaving = await fetch(`${world.url}/v1/audio/speech`, {
    method: 'POST',
    headers: { ...second.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'la '.repeat(800), response_format: 'pcm' }),
  })
  const reader = leaving.body!.getReader()
  let heardBytes = 0
  while (heardBytes < 1_000_000) heardBytes += (await reader.read()).value!.length
  await reader.cancel()
  const minutesOf = async (one: Person) => (await one.send('GET', '/people/me')).json().usage.sound_minutes_today
  await eventually(async () => (await minutesOf(second)) * 60 > heardBytes / 48_000 - 1)

  // The machines of a person.
  const bound = await personOf(world, {}, { machines: ['another'] })
  const nowhere = await bound.say('Hello.')
  assert.ok(nowhere.status >= 400, `${nowhere.status}`)
  assert.match(nowhere.body.toString(), /may use|not installed/)
  await world.patch(`/people/${bound.id}`, { machines: ['local'] })
  assert.equal((await bound.say('Hello.')).status, 200)

  // The disk of a person.
  const full = await personOf(world, { disk_bytes: 10_000 })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(50_000)]), 'a.wav')
  const upload = await full.send('POST', '/v1/audio/transcriptions', form)
  assert.equal(upload.status, 429, upload.body.toString())
  assert.match(upload.body.toString(), /on the disk of the studio/)
})
