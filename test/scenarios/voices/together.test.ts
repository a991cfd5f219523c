// Voices under requests that overlap, hostile texts in media, and the list of profiles beside its rows.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { form } from '#test/support/world/http.ts'
import { type Reply, sharedWorld } from '#test/support/world/world.ts'

const opened = sharedWorld({ withoutAgent: true, env: { PATH: '/nowhere' } })
type World = Awaited<ReturnType<typeof opened>>
const upload = (name: string, audio: Buffer<ArrayBuffer> = spokenWav({ seconds: 1 })) =>
  form({ name, ref_text: 'Hello.', ref_audio: audio })
const left = ({ dataDir }: World) => readdirSync(join(dataDir, 'uploads'))

/** Every row of the list, read alone, is the same, and has its recording. Statements are checked after their requests, so rows change meanwhile. */
async function assertListed(world: World): Promise<string[]> {
  const read = async (): Promise<{ id: string; ref_audio_path: string | null }[]> => (await world.get('/profiles')).json()
  for (let list = await read(); ; ) {
    const rows = []
    for (const { id } of list) rows.push((await world.get(`/profiles/${id}`)).json())
    const after = await read()
    if (isDeepStrictEqual(list, after)) {
      assert.deepEqual(rows, list)
      for (const { id, ref_audio_path } of list)
        if (ref_audio_path !== null) assert.equal((await world.get(`/profiles/${id}/audio`)).status, 200)
      return list.map(({ id }) => id)
    }
    list = after
  }
}

test('after each change through HTTP the list shows the row that the change made', async () => {
  const world = await opened()
  const id: string = (await world.post('/profiles', upload('Ada'))).json().id
  const path = `/profiles/${id}`
  const statement = () => form({ consent_text: 'I agree.', consent_audio: spokenWav({ seconds: 2 }) })
  await assertListed(world)
  const changes: (() => Promise<Reply>)[] = [
    () => world.put(path, { name: 'Eve', stays_here: true, personality: 'A "quoted"\nline' }),
    () => world.post(`${path}/consent`, statement()),
    () => world.delete(`${path}/consent`),
    () => world.put(`${path}/audio`, form({ ref_audio: spokenWav({ hz: 330 }), ref_text: 'New.' })),
    () => world.post(`${path}/unlock`),
    () => world.post('/profiles', upload('Second')),
    () => world.delete(path),
  ]
  for (const change of changes) {
    const reply = await change()
    assert.equal(reply.status, 200, reply.body.toString())
    await assertListed(world)
  }
  assert.equal((await assertListed(world)).includes(id), false)
})

test('twenty imports of one bundle at once are whole voices or refusals that say when to try again', async () => {
  const world = await opened()
  const { id } = (await world.post('/profiles', upload('Imported', spokenWav({ seconds: 3 })))).json()
  const { body, status } = await world.post(`/marketplace/export/${id}`)
  assert.equal(status, 200)
  const bundle = () => {
    const data = new FormData()
    data.set('file', new Blob([new Uint8Array(body)]), 'voice.svcbundle')
    return data
  }
  const before = (await assertListed(world)).length
  const replies = await Promise.all(Array.from({ length: 20 }, () => world.post('/marketplace/import', bundle())))
  const made = replies.filter((reply) => reply.status === 200).map((reply) => reply.json().profile_id)
  for (const reply of replies) if (reply.status !== 200) assert.ok([429, 503].includes(reply.status), reply.body.toString())
  assert.ok(made.length > 0)
  assert.equal(new Set(made).size, made.length)
  assert.equal((await assertListed(world)).length, before + made.length)
  assert.deepEqual(left(world), [])
})

test('a clip that is deleted while it becomes a profile gives a whole voice or none', async () => {
  const world = await opened()
  for (let round = 0; round < 5; round++) {
    const { id } = (
      await world.post('/gallery/upload', form({ name: `Clip ${round}`, audio: spokenWav({ seconds: 1, hz: 200 + round }) }))
    ).json()
    const [first, second, removed] = await Promise.all([
      world.post(`/gallery/voices/${id}/to-profile`),
      world.post(`/gallery/voices/${id}/to-profile`),
      world.delete(`/gallery/voices/${id}`),
    ])
    assert.equal(removed.status, 200)
    for (const reply of [first, second]) {
      assert.ok([200, 404].includes(reply.status), reply.body.toString())
      if (reply.status === 200) assert.equal((await world.get(`/profiles/${reply.json().profile_id}/audio`)).status, 200)
    }
    assert.equal((await world.get(`/gallery/voices/${id}`)).status, 404)
  }
  await assertListed(world)
})

test('texts in the head of a recording and its file name change nothing', async () => {
  const world = await opened()
  const hostile = `\u001b[31m../../etc/passwd\r\n\0<script>${'x'.repeat(1_000_000)}`
  const wav = spokenWav({ seconds: 1 })
  const chunk = (name: string, text: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32LE(text.length, 4)
    return Buffer.concat([head, text, Buffer.alloc(text.length % 2)])
  }
  const text = Buffer.from(hostile)
  const list = chunk('LIST', Buffer.concat([Buffer.from('INFO'), chunk('INAM', text)]))
  const whole = Buffer.concat([wav.subarray(0, 36), list, chunk('id3 ', Buffer.concat([Buffer.from('ID3'), text])), wav.subarray(36)])
  whole.writeUInt32LE(whole.length - 8, 4)
  const data = new FormData()
  data.set('name', 'With texts')
  data.set('ref_text', 'Hello.')
  data.set('ref_audio', new Blob([whole]), '../../\u001b[31mvoice"\n.wav')
  const reply = await world.post('/profiles', data)
  assert.equal(reply.status, 200, reply.body.toString())
  const row = reply.json()
  assert.deepEqual([row.name, row.ref_text, row.ref_audio_path], ['With texts', 'Hello.', `${row.id}.wav`])
  assert.ok(!JSON.stringify(row).includes('passwd'))
  assert.equal((await world.get(`/profiles/${row.id}/audio`)).status, 200)
  const exported = await world.post(`/marketplace/export/${row.id}`)
  assert.deepEqual([exported.status, /[\x00-\x1f]/.test(exported.headers.get('content-disposition') ?? '')], [200, false])
})
