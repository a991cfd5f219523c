// Archetypes through HTTP, with a generated OmniVoice model: lists, previews that are rendered once, profiles, and a studio without a model.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bundleForm } from '#test/support/archive/bundle.ts'
import { placeOmnivoice } from '#test/support/models/placed.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld, type World } from '#test/support/world/world.ts'

const WHISPERED = 'feat_03_quiet_confidant'

const open = sharedWorld()
const openWithModel = sharedWorld({ prepare: placeOmnivoice })

test('archetypes without a model', async (t) => {
  const world = await open()
  const ids = async (query: string) => {
    const reply = await world.get(`/archetypes?${query}`)
    assert.equal(reply.status, 200, reply.body.toString())
    return reply.json()
  }

  await t.test('the list has pages and filters', async () => {
    const first = await ids('')
    assert.deepEqual([first.total, first.limit, first.offset, first.items.length], [1126, 60, 0, 60])
    assert.equal(first.items[0].id, 'feat_01_fireside_narrator')
    assert.equal((await ids('limit=500&offset=1000')).items.length, 126)
    assert.equal((await ids('featured=true')).total, 51)
    assert.equal((await ids('whisper=true&lang=English')).total, 133)
    assert.equal((await ids('accent=british accent&gender=male&age=elderly&pitch=low pitch&whisper=false')).total, 1)
    assert.equal((await ids('accent=四川话&lang=Chinese')).total, 42)
    for (const none of ['accent=auto', 'accent=british', 'lang=en', 'use_case=opera', 'gender=robot', 'offset=1126', 'q=%25'])
      assert.deepEqual((await ids(none)).items, [], none)
    for (const wrong of ['limit=0', 'limit=501', 'offset=-1', 'limit=x', 'whisper=perhaps', `q=${'x'.repeat(201)}`])
      assert.equal((await world.get(`/archetypes?${wrong}`)).status, 422, wrong)
  })

  await t.test('one archetype, the use cases, and an unknown id', async () => {
    const one = (await world.get(`/archetypes/${WHISPERED}`)).json()
    assert.deepEqual(
      [one.instruct, one.use_case, one.icon, one.preview_url, one.facets.whisper],
      ['female, young adult, high pitch, whisper', 'narration', 'BookOpen', null, true],
    )
    const categories = (await world.get('/archetypes/categories')).json()
    assert.deepEqual([categories.length, categories[0]], [7, { id: 'narration', name: 'Narration & Story', icon: 'BookOpen' }])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/preview'],
      ['GET', '/preview/state'],
      ['POST', '/use'],
    ] as const) {
      const reply = await world.send(method, `/archetypes/a_0000000000${path}`)
      assert.deepEqual([reply.status, reply.json().detail], [404, 'Archetype not found'])
    }
  })

  await t.test('a description gives choices', async () => {
    const reply = await world.post('/design/describe', { description: 'An old man, not deep. Sichuan dialect, cheerful' })
    assert.deepEqual(reply.json(), {
      attrs: { Gender: 'male', Age: 'elderly', Pitch: 'Auto', Style: 'Auto', EnglishAccent: 'Auto', ChineseDialect: '四川话' },
      instruct: 'male, elderly, 四川话',
      matched: [
        { category: 'Gender', token: 'male', phrase: 'man' },
        { category: 'Age', token: 'elderly', phrase: 'old' },
        { category: 'ChineseDialect', token: '四川话', phrase: 'sichuan dialect' },
      ],
      unmatched: ['not deep', 'cheerful'],
    })
    assert.equal((await world.post('/design/describe', {})).json().instruct, '')
    assert.equal((await world.post('/design/describe', { description: 'x'.repeat(2001) })).status, 422)
  })

  await t.test('nothing stands in for a model that follows descriptions', async () => {
    const state = (await world.get(`/archetypes/${WHISPERED}/preview/state`)).json()
    assert.equal(state.source, 'no_model')
    for (const [method, path] of [
      ['GET', 'preview'],
      ['GET', 'preview?local=true'],
      ['POST', 'use'],
    ] as const) {
      const reply = await world.send(method, `/archetypes/${WHISPERED}/${path}`)
      assert.equal(reply.status, 503, path)
      assert.match(reply.body.toString(), /OmniVoice/)
      assert.doesNotMatch(reply.json().hint, /starting|in a moment/, 'waiting does not help')
      assert.equal(reply.headers.get('x-svc-retryable'), null)
    }
  })

  await t.test('without a publisher, downloads can be turned on and nothing is available', async () => {
    const off = (await world.get('/archetypes/previews/status')).json()
    assert.deepEqual(off, {
      enabled: false,
      available: false,
      featured_total: 51,
      featured_cached: 0,
      cached: 0,
      last_checked: null,
      last_error: null,
      engine: null,
      engine_version: null,
      generated_at: null,
      checked_seconds_ago: null,
    })
    assert.deepEqual((await world.put('/archetypes/previews', { enabled: true })).json(), { ...off, enabled: true })
    assert.deepEqual((await world.post('/archetypes/previews/check')).json(), { ...off, enabled: true })
    assert.deepEqual((await world.put('/archetypes/previews', { enabled: false })).json(), off)
    assert.equal((await world.put('/archetypes/previews', {})).status, 422)
  })
})

test('archetypes with a model', async (t) => {
  const world = await openWithModel()
  const earlier = await speechTasks(world)
  const stateOf = async (id: string) => (await world.get(`/archetypes/${id}/preview/state`)).json().source

  await t.test('a hundred listeners cause one task, and a listener who leaves does not end it', async () => {
    assert.equal(await stateOf(WHISPERED), 'rendering')
    const leaving = new AbortController()
    const left = world.send('GET', `/archetypes/${WHISPERED}/preview`, undefined, {}, leaving.signal).catch(() => null)
    const replies = Promise.all(Array.from({ length: 100 }, () => world.get(`/archetypes/${WHISPERED}/preview`)))
    leaving.abort()
    const sounds = await replies
    await left
    for (const { status, headers, body } of sounds) {
      assert.equal(status, 200, body.toString('latin1', 0, 300))
      assert.deepEqual(
        ['content-type', 'x-svc-preview-source', 'cache-control'].map((name) => headers.get(name)),
        ['audio/wav', 'local', 'no-cache'],
      )
      assert.ok(body.equals(sounds[0]!.body))
    }
    assert.equal(sounds[0]!.body.toString('latin1', 0, 4), 'RIFF')
    assert.equal(await stateOf(WHISPERED), 'cached')
    assert.equal(await speechTasks(world), earlier + 1)
    const again = await world.get(`/archetypes/${WHISPERED}/preview?local=true`)
    assert.ok(again.body.equals(sounds[0]!.body))
    assert.equal(await speechTasks(world), earlier + 1)
    const digest = createHash('sha256').update(again.body).digest('hex')
    assert.ok(readdirSync(join(world.dataDir, 'artifacts')).includes(digest))
  })

  await t.test('one profile for each archetype, with a sample that was rendered here', async () => {
    const use = async (query = '') => (await world.post(`/archetypes/${WHISPERED}/use${query}`)).json()
    const [first, second] = await Promise.all([use('?name=Aunt%20Vera'), use('?name=Aunt%20Vera')])
    assert.equal(first.name, 'Aunt Vera')
    assert.match(first.profile_id, /^[0-9a-f]{8,}$/)
    assert.deepEqual([second, await use('?name=Other'), await use()], [first, first, first])
    assert.equal((await world.post(`/archetypes/${WHISPERED}/use?name=${'x'.repeat(201)}`)).status, 422)
  })

  await t.test('a design has one sample, the same for the same description, and a lock and a bundle keep what it is', async () => {
    const vd_states = JSON.stringify({ Gender: 'male', Style: 'whisper' })
    const created = (await world.post('/profiles', form({ name: 'Mia', kind: 'design', vd_states }))).json()
    const { id } = created
    const { engine, model_digest, ...run } = created.made_with
    assert.deepEqual([engine, run, created.ref_audio_path], ['svc-engine', { seed: 42, steps: 32 }, `${id}.wav`])
    assert.match(model_digest, /^[0-9a-f]{64}$/)
    const soundOf = async (voice: string) => (await world.get(`/profiles/${voice}/audio`)).body
    const first = await soundOf(id)
    assert.ok(first.equals(await soundOf(id)), 'nothing is rendered twice')
    const { is_watermarked } = (await world.post('/watermark/detect', form({ file: first as Buffer<ArrayBuffer> }))).json()
    assert.equal(is_watermarked, true)

    const changed = (await world.put(`/profiles/${id}`, { instruct: 'female' })).json()
    assert.deepEqual([changed.ref_audio_path, changed.made_with, JSON.parse(changed.vd_states).Gender], [null, null, 'female'])
    await world.put(`/profiles/${id}`, { instruct: created.instruct })
    assert.ok(first.equals(await soundOf(id)), 'the same description gives the same bytes')

    const take = await world.post('/generate', form({ text: 'This is the first sentence of the take.', engine: 'tone', seed: 5 }))
    const locked = await world.post(`/profiles/${id}/lock`, { history_id: take.headers.get('x-audio-id') })
    assert.equal(locked.status, 200, locked.body.toString())
    const bundle = await world.post(`/personas/export/${id}`)
    assert.equal(bundle.status, 200, bundle.body.toString('latin1', 0, 300))
    const copy = (await world.post('/personas/import', bundleForm(new Uint8Array(bundle.body)))).json()
    const [before, after] = await Promise.all([id, copy.profile_id].map(async (each) => (await world.get(`/profiles/${each}`)).json()))
    for (const field of ['kind', 'instruct', 'vd_states', 'is_locked', 'ref_text', 'language', 'made_with'])
      assert.deepEqual(after[field], before[field], field)
    assert.deepEqual([after.kind, after.is_locked], ['design', 1])
  })

  await t.test('a restart keeps rendered previews', async () => {
    await world.restart()
    assert.equal(await stateOf(WHISPERED), 'cached')
    const { status, headers } = await world.get(`/archetypes/${WHISPERED}/preview`)
    assert.deepEqual([status, headers.get('x-svc-preview-source')], [200, 'local'])
  })
})

async function speechTasks(world: World): Promise<number> {
  const { tasks } = (await world.get('/workers/tasks?always=true&limit=50')).json()
  return (tasks as { operation: string }[]).filter(({ operation }) => operation === 'tts').length
}
