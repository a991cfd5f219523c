// Intended differences of the studio from its specification: rows of docs/conformance.md that no other test holds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { PATH: '/nowhere' } })

test('no form of a stranger is named for submissions, and pages are read from listed sites only', async () => {
  const world = await open()
  const submit = await world.get('/community/submit-url')
  assert.deepEqual([submit.status, /Name one in gallery_sources\.json/.test(submit.json().detail)], [404, true])
  const query = new URLSearchParams({ video_url: 'https://example.com/watch', character_name: 'A' })
  const download = await world.post(`/gallery/download?${query}`)
  assert.equal(download.status, 400)
  const [, sites] = /from these sites only: (.*?)\. Upload/.exec(download.json().detail)!
  assert.equal(sites!.split(', ').length, 10)
})

test('speech has the pronunciations of the owner, and a length only where it is known before the first sound', async (t) => {
  const world = await open()
  const say = (input: string, format: string) => world.post('/v1/audio/speech', { model: 'tone', input, response_format: format })
  const before = await say('A zyx.', 'pcm')
  const entry = await world.post('/pronunciation', { term: 'zyx', replacement: 'very long replacement of a word' })
  assert.ok(entry.status < 300, entry.body.toString())
  t.after(() => world.delete(`/pronunciation/${entry.json().id}`))
  const after = await say('A zyx.', 'pcm')
  assert.ok(after.body.length > 2 * before.body.length, `${before.body.length} ${after.body.length}`)
  for (const format of ['mp3', 'pcm']) assert.equal((await say('Hello.', format)).headers.get('content-length'), null, format)
})

test('what clients of the original service do not find is named or 404', async () => {
  const world = await open()
  for (const path of ['/v1/voices', '/v1/voices/all', '/audio/models']) assert.equal((await world.get(path)).status, 404, path)
  assert.equal((await world.post('/audio/speech', {})).status, 405)
  assert.equal((await world.get('/v1/audio/voices')).status, 200)
  const file = Buffer.from(spokenWav({ seconds: 1, rate: 16_000, channels: 1 }))
  const reply = await world.post('/v1/audio/transcriptions', form({ file, model: 'tone', 'include[]': 'logprobs' }))
  assert.equal(reply.status, 200, reply.body.toString())
  assert.match(reply.headers.get('x-svc-ignored-fields') ?? '', /include/)
  assert.ok(!('logprobs' in reply.json()))
})

test('a numeric id of a line is accepted, and a term that is not there is deleted', async () => {
  const world = await open()
  const body = { segments: [{ id: 0, text: 'The house.' }], source_lang: 'en', target_lang: 'es', provider: 'local' }
  const translated = await world.post('/dub/translate', body)
  assert.notEqual(translated.status, 422, translated.body.toString())
  assert.equal((await world.delete('/glossary/one/0123456789ab')).status, 200)
})
