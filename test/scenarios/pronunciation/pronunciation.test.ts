// The pronunciation dictionary over HTTP, and what the engine receives.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld()

test('an entry is added, listed, changed, applied and removed', async () => {
  const world = await open()
  assert.deepEqual((await world.get('/pronunciation')).json(), [])
  const added = await world.post('/pronunciation', { term: ' Nguyen ', replacement: 'win', language: 'en-US', unknown: 1 })
  assert.equal(added.status, 200)
  assert.match(added.headers.get('x-svc-ignored-fields') ?? '', /unknown/)
  const { id, created_at, ...row } = added.json()
  assert.match(id, /^[0-9a-f]{12}$/)
  assert.ok(created_at > 1e9 && created_at < 1e10)
  assert.deepEqual(row, { term: 'Nguyen', replacement: 'win', type: 'respelling', language: 'en', enabled: true, scope: 'en' })

  const tried = async (text: string, language: string | null = 'en') => (await world.post('/pronunciation/test', { text, language })).json()
  assert.deepEqual(await tried('Ms NGUYEN and [[read|red]]'), {
    input: 'Ms NGUYEN and [[read|red]]',
    substituted: 'Ms win and red',
    changed: true,
    applied_terms: ['Nguyen'],
  })
  assert.equal((await tried('Nguyen', 'fr')).changed, false)

  const changed = await world.put(`/pronunciation/${id}`, { language: 'auto', replacement: null })
  assert.deepEqual([changed.json().language, changed.json().replacement], ['*', 'win'])
  assert.equal((await tried('Nguyen', 'fr')).substituted, 'win')
  await world.put(`/pronunciation/${id}`, { enabled: false })
  assert.equal((await tried('Nguyen', null)).changed, false)

  assert.deepEqual((await world.delete(`/pronunciation/${id}`)).json(), { deleted: true })
  assert.deepEqual((await world.delete(`/pronunciation/${id}`)).json(), { deleted: false })
})

test('invalid entries are refused with the reason', async () => {
  const world = await open()
  const refused = async (body: object, status = 400) => {
    const reply = await world.post('/pronunciation', body)
    assert.equal(reply.status, status, reply.body.toString())
    return reply.body.toString()
  }
  assert.match(await refused({ term: '  ' }), /blank/)
  assert.match(await refused({ term: 'a', type: 'xsampa' }), /respelling, ipa or cmu/)
  assert.match(await refused({ term: 'a', type: 'ipa' }), /needs a replacement/)
  assert.match(await refused({ term: 'a', type: 'cmu', replacement: 'QQ' }), /ARPABET/)
  await refused({ term: 'a'.repeat(201) }, 422)
  await refused({ term: 'a\u0000' }, 422)
  await refused({}, 422)
  assert.equal((await world.put('/pronunciation/000000000000', { term: 'b' })).status, 404)
  const { id } = (await world.post('/pronunciation', { term: 'kept' })).json()
  assert.equal((await world.put(`/pronunciation/${id}`, {})).status, 400)
  assert.equal((await world.put(`/pronunciation/${id}`, { term: ' ' })).status, 400)
  assert.equal((await world.put(`/pronunciation/${id}`, { type: 'cmu' })).status, 400)
  await world.delete(`/pronunciation/${id}`)
})

test('an export can be imported, and one invalid entry refuses the whole import', async () => {
  const world = await open()
  const rows = [
    { term: 'GIF', replacement: 'jif', type: 'respelling', language: '*', enabled: true },
    { term: 'tomato', replacement: 'T AH0 M AA1 T OW0', type: 'cmu', language: 'en', enabled: false },
  ]
  const put = (entries: unknown[], replace: boolean) => world.post('/pronunciation/import', { entries, replace })
  assert.deepEqual((await put([...rows, { term: ' ' }, { term: 'extra', note: 'dropped' }], true)).json(), { imported: 3, replaced: true })
  const exported = (await world.get('/pronunciation/export')).json()
  assert.deepEqual(exported.entries.slice(0, 2), rows)
  const bad = await put([{ term: 'fine' }, { term: 'a', type: 'ipa', replacement: '[x]' }], true)
  assert.equal(bad.status, 400)
  assert.match(bad.body.toString(), /Entry 2/)
  for (const entry of [null, 7, 'text', [], { term: 5 }]) assert.equal((await put([entry], false)).status, 400)
  assert.deepEqual((await world.get('/pronunciation/export')).json(), exported)
  assert.deepEqual((await put(exported.entries, true)).json(), { imported: 3, replaced: true })
  assert.equal((await put(Array(10_001).fill({ term: 'a' }), false)).status, 422)
  assert.equal((await put([], true)).json().imported, 0)
})

test('ipa and cmu entries reach an engine that takes them, in speech and takes; others say which words they speak as written', {
  skip: !findProgram('espeak-ng', process.env['PATH']) && 'espeak-ng is not installed',
}, async () => {
  const world = await open()
  const seconds = async (text: string, model = 'espeak-ng') => {
    const reply = await world.post('/v1/audio/speech', { model, input: text, response_format: 'pcm', speed: 1 })
    assert.equal(reply.status, 200, reply.body.toString())
    return { length: reply.body.length, notice: decodeURIComponent(reply.headers.get('x-svc-notice') ?? '') }
  }
  const plain = await seconds('Say qux.')
  const { id } = (await world.post('/pronunciation', { term: 'qux', type: 'ipa', replacement: 'ˌɪntəˈnæʃənəl' })).json()
  const respelled = await seconds('Say [[qux|international]].')
  const spoken = await seconds('Say qux.')
  assert.ok(Math.abs(spoken.length - respelled.length) < 0.05 * respelled.length, `${spoken.length}, respelled ${respelled.length}`)
  assert.ok(spoken.length > 1.2 * plain.length, `${spoken.length}, as written ${plain.length}`)
  assert.doesNotMatch(spoken.notice, /phonetic/)
  const embedded = await seconds('Say qux.', 'flite')
  assert.match(embedded.notice, /does not take these pronunciations in a phonetic alphabet: qux\./)
  await world.put(`/pronunciation/${id}`, { type: 'cmu', replacement: 'IH2 N T ER0 N AE1 SH AH0 N AH0 L' })
  const form = new FormData()
  for (const [name, value] of Object.entries({ text: 'Say qux.', engine: 'espeak-ng', effect_preset: 'raw' })) form.append(name, value)
  const take = await world.post('/generate', form)
  assert.equal(take.status, 200, take.body.toString())
  assert.ok(Number(take.headers.get('x-audio-duration')) > (1.2 * plain.length) / 2 / 24_000)
  await world.delete(`/pronunciation/${id}`)
})

test('the engine speaks the respelling, also for speech; pronounce=false and the setting turn the dictionary off', async () => {
  const world = await open()
  await world.post('/pronunciation', { term: 'word', replacement: 'a rather longer replacement of one short word' })
  const samples = async (body: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ effect_preset: 'raw', ...body })) form.append(name, value)
    return Number((await world.post('/generate', form)).headers.get('x-audio-duration'))
  }
  const off = await samples({ text: 'One word.', pronounce: 'false' })
  const on = await samples({ text: 'One word.' })
  assert.ok(on > off * 1.5, `${on} s with the dictionary, ${off} s without`)
  assert.equal(await samples({ text: 'One [[word|word]].' }), off)
  const speech = async () => (await world.post('/v1/audio/speech', { input: 'One word.', response_format: 'wav' })).body.length
  const long = await speech()
  assert.equal((await world.put('/api/settings/values/pronunciation_enabled', { value: false })).status, 200)
  assert.ok((await speech()) < long)
  assert.equal(await samples({ text: 'One word.' }), off)
})
