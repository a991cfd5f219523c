// The copy of a voice in a hosted library, with a server of this test as the library: what is sent, and every refusal in its order.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true, env: { PATH: '/nowhere' } })

test('hosted voices and the commands', async (t) => {
  const world = await open()
  const received: { url: string; headers: IncomingHttpHeaders; body: Buffer }[] = []
  let reached = () => {}
  let held: Promise<void> | null = null
  let answer: { status: number; body: string; isOpen?: boolean } = { status: 200, body: '{"voice_id":"hosted-1"}' }
  const library = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    received.push({ url: request.url!, headers: request.headers, body: Buffer.concat(pieces) })
    reached()
    await held
    response.writeHead(answer.status, { 'content-type': 'application/json', location: '/elsewhere' }).write(answer.body)
    if (!answer.isOpen) response.end()
  }).listen(0, '127.0.0.1')
  await once(library, 'listening')
  t.after(() => library.close())
  const url = `http://127.0.0.1:${(library.address() as AddressInfo).port}/v1/`
  const words = Buffer.from(spokenWav({ hz: 555, seconds: 2 }))
  const { id } = (await world.post('/profiles', form({ name: 'Ada', ref_audio: spokenWav(), ref_text: 'Said before.' }))).json()
  const sync = (of = id) => world.post(`/profiles/${of}/hosted-sync`)

  await t.test('refusals come in the order of the interface', async () => {
    assert.equal((await sync('00000000')).status, 409)
    assert.equal((await world.put('/api/settings/hosted-voices', { url: 'http://library.example' })).status, 400)
    assert.deepEqual((await world.put('/api/settings/hosted-voices', { url })).json(), { url, has_key: false })
    assert.equal((await sync('00000000')).status, 503)
    assert.deepEqual((await world.put('/api/settings/hosted-voices', { key: 'secret-of-the-library' })).json(), { url, has_key: true })
    assert.equal((await sync('00000000')).status, 404)
    assert.match((await sync()).json().detail, /Record the statement/)
    assert.equal((await sync()).status, 422)
    assert.equal(received.length, 0)
  })

  await t.test('a voice with a statement is copied once, without the recording of the statement', async () => {
    await world.post(`/profiles/${id}/consent`, form({ consent_text: 'I agree to this copy.', consent_audio: words }))
    for (const broken of [
      { status: 500, body: '{}' },
      { status: 302, body: '{}' },
      { status: 200, body: 'no JSON' },
      { status: 200, body: '{"voice_id":""}' },
    ]) {
      answer = broken
      assert.equal((await sync()).status, 502, JSON.stringify(broken))
    }
    answer = { status: 401, body: '{"error":', isOpen: true }
    assert.match((await sync()).json().detail, /answered with status 401/, 'although the body has no end')
    answer = { status: 200, body: '{"voice_id":"hosted-1"}' }
    received.length = 0
    // Whichever comes late finds it copied.
    const [done] = (await Promise.all([sync(), sync(), sync()])).sort((left, right) => (left.json().state > right.json().state ? -1 : 1))
    assert.equal(received.length, 1)
    assert.deepEqual(done!.json(), { profile_id: id, hosted_voice_id: 'hosted-1', state: 'synced' })
    assert.deepEqual((await sync()).json(), { profile_id: id, hosted_voice_id: 'hosted-1', state: 'already_synced' })
    assert.equal((await world.get(`/profiles/${id}`)).json().hosted_voice_id, 'hosted-1')
    assert.ok(received.every((one) => one.url === '/v1/voices' && one.headers.authorization === 'Bearer secret-of-the-library'))
    const sent = received.at(-1)!.body
    for (const part of ['Ada', 'Said before.', 'oss-spoken-consent-v1']) assert.ok(sent.includes(part), part)
    for (const part of [words.subarray(12_000, 12_200), Buffer.from('I agree to this copy.')]) assert.ok(!sent.includes(part))
  })

  await t.test('a copy ends when its speaker withdraws, and a new recording is copied again', async () => {
    const agree = () => world.post(`/profiles/${id}/consent`, form({ consent_text: 'I agree to this copy.', consent_audio: words }))
    const replaced = await world.put(`/profiles/${id}/audio`, form({ ref_audio: spokenWav({ hz: 300 }) }))
    assert.equal(replaced.status, 200, replaced.body.toString())
    assert.equal((await world.get(`/profiles/${id}`)).json().hosted_voice_id, '')
    await agree()
    const release = Promise.withResolvers<void>()
    held = release.promise
    const arrived = new Promise<void>((resolve) => (reached = resolve))
    const copying = sync()
    await arrived
    assert.equal((await world.delete(`/profiles/${id}/consent`)).status, 200)
    const ended = await copying
    assert.deepEqual([ended.status, ended.json().detail], [422, 'The voice was withdrawn while it was copied.'])
    held = null
    release.resolve()
    assert.equal((await world.get(`/profiles/${id}`)).json().hosted_voice_id, '')
    await world.put(`/profiles/${id}`, { stays_here: 0 }) // a withdrawal keeps the voice here
    await agree()
    const again = await sync()
    assert.equal(again.json().state, 'synced', again.body.toString())
  })

  await t.test('a voice that stays here and a designed voice are not copied', async () => {
    const home = (await world.post('/profiles', form({ name: 'Home', ref_audio: spokenWav(), ref_text: 'x' }))).json().id
    await world.put(`/profiles/${home}`, { stays_here: 1 })
    const designed = { name: 'Mia', kind: 'design', vd_states: '{"Gender":"female"}' }
    const drawn = (await world.post('/profiles', form(designed))).json().id
    const before = received.length
    for (const voice of [home, drawn]) {
      await world.post(`/profiles/${voice}/consent`, form({ consent_text: 'I agree to this copy.', consent_audio: words }))
      const { status, json } = await sync(voice)
      assert.deepEqual([status, /need not stay on this machine/.test(json().detail)], [422, true], JSON.stringify(json()))
    }
    assert.equal(received.length, before)
  })

  await t.test('a new server does not receive the key of the old one', async () => {
    const other = url.replace('127.0.0.1', 'localhost')
    assert.deepEqual((await world.put('/api/settings/hosted-voices', { url: other })).json(), { url: other, has_key: false })
  })

  await t.test('the commands add, list, show, lock and remove voices', async () => {
    const file = `${world.dataDir}/marie.wav`
    writeFileSync(file, spokenWav({ seconds: 2 }))
    const call = (...args: string[]) => studio(['voices', ...args], { env: { STUDIO_PORT: new URL(world.url).port } })
    const added = await call('add', file, '--name', 'Marie', '--text', 'Bonjour.', '--statement', file, '--agrees', 'Oui.', '--json')
    assert.equal(added.code, 0, added.errors)
    const voice = jsonIn(added.output)
    assert.deepEqual([voice.name, voice.ref_text, voice.consent_text], ['Marie', 'Bonjour.', 'Oui.'])
    const listed = await call()
    assert.match(listed.output, new RegExp(`${voice.id} +clone +- +yes +\\S+.* Marie`))
    const shown = await call('show', voice.id)
    assert.match(shown.output, /Words +Bonjour\./)
    assert.match(shown.output, /Note +The recording has 2\.0 seconds/)
    assert.match((await call('lock', voice.id, '00000000')).errors, /There is no take 00000000/)
    assert.match((await call('unlock', voice.id)).output, /follows its recording/)
    assert.match((await call('remove', voice.id, '--yes')).output, /Deleted voice Marie/)
    assert.equal((await call('remove', voice.id, '--yes')).code, 5)
    assert.match((await call('add', `${file}.missing`)).errors, /There is no file/)
    assert.equal((await call('dance')).code, 2)
  })
})
