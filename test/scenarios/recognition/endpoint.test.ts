// A recognition server of the owner: nothing is sent there before it is configured and selected, its key is never disclosed, and it can be tested.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { wavHeader } from '#shared/audio/wav.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const KEY = 'sk-canary-of-the-endpoint'
const PATH = '/api/settings/asr-openai-compat'
const DEAD = 'The recognition endpoint cannot be reached. Check its URL in the settings.'
const samples = 32_000
const wav = Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), Buffer.alloc(samples * 2)])
function form(model: string): FormData {
  const made = new FormData()
  made.set('file', new Blob([new Uint8Array(wav)]), 'speech.wav')
  made.set('model', model)
  return made
}

function audioForm(): FormData {
  const made = new FormData()
  made.set('audio', new Blob([new Uint8Array(wav)]), 'speech.wav')
  return made
}

// Without programs on this machine, so that only the endpoint is available.
const open = sharedWorld({ env: { PATH: '/nowhere' } })

test('it is configured, tested, selected, used, and removed', async (t) => {
  const requests: { url: string; key: string | undefined }[] = []
  let status = 200
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    requests.push({ url: request.url!, key: request.headers.authorization })
    const body =
      request.url === '/v1/models' ? { data: [{ id: 'whisper-large' }, { id: 'other' }] } : { text: 'from the endpoint', segments: [] }
    response.writeHead(status, { 'content-type': 'application/json' })
    if (status === 401)
      response.write('{"error":') // without an end
    else response.end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const world = await open()
  const row = async () => (await world.get('/engines/asr')).json().backends.find(({ id }: { id: string }) => id === 'openai-compat-asr')
  const tried = async () => (await world.post(`${PATH}/test`)).json()

  assert.deepEqual((await world.get(PATH)).json(), { base_url: '', model: 'whisper-1', has_key: false })
  assert.equal((await tried()).status, 'not_configured')
  assert.equal((await row()).available, false)
  for (const wrong of [{ base_url: 'ftp://h/v1' }, { base_url: 'http://me:pass@h' }, { base_url, api_key: 'two words' }]) {
    const refused = await world.put(PATH, wrong)
    assert.equal(refused.status, 400, refused.body.toString())
    assert.ok(!refused.body.toString().includes('two words'))
  }

  const named = await world.put(PATH, { base_url, model: 'whisper-large', api_key: KEY })
  assert.deepEqual(named.json(), { base_url, model: 'whisper-large', has_key: true })
  assert.deepEqual((await world.put(PATH, { model: null })).json(), named.json(), 'null changes nothing')
  const { latency_ms, ...good } = await tried()
  assert.ok(latency_ms >= 0)
  assert.deepEqual(good, { ok: true, status: 'ok', http_status: 200, models_count: 2, model_found: true, detail: null })
  status = 401
  assert.equal((await tried()).status, 'auth_failed')
  status = 404
  const { latency_ms: _, ...absent } = await tried()
  assert.deepEqual(absent, {
    ok: false,
    status: 'http_error',
    http_status: 404,
    models_count: null,
    model_found: null,
    detail: 'The server answered with status 404. Check that base_url is complete; it often ends with /v1.',
  })
  status = 200
  await eventually(async () => (await row()).available)
  assert.deepEqual([(await row()).effective_device, (await row()).routing_status], ['network', 'n/a'])

  requests.length = 0
  const answer = await world.post('/v1/audio/transcriptions', form('openai-compat-asr'))
  assert.equal(answer.status, 200, answer.body.toString())
  assert.equal(answer.json().text, 'from the endpoint')
  assert.deepEqual(requests, [{ url: '/v1/audio/transcriptions', key: `Bearer ${KEY}` }])
  assert.equal((await world.post('/engines/select', { family: 'asr', backend_id: 'openai-compat-asr' })).status, 200)
  assert.equal((await world.post('/v1/audio/transcriptions', form('whisper-1'))).json().text, 'from the endpoint')

  const dead = { base_url: 'http://127.0.0.1:9/v1' }
  await world.put(PATH, dead)
  assert.deepEqual([(await tried()).ok, (await tried()).status], [false, 'unreachable'])
  const from = world.studio.output().length
  // More often than a machine may fail before it is paused.
  for (let time = 0; time < 4; time++) {
    const [path, body] = time === 0 ? (['/transcribe', audioForm()] as const) : (['/v1/audio/transcriptions', form('whisper-1')] as const)
    const failed = await world.post(path, body)
    assert.deepEqual([failed.status, failed.json().detail], [500, DEAD], `request ${time}`)
  }
  assert.doesNotMatch(world.studio.output().slice(from), /a machine is paused/)
  await world.put(PATH, { base_url, api_key: KEY })

  const kept = join(world.dataDir, 'sidecars/.recognition.json')
  assert.equal(statSync(kept).mode & 0o777, 0o600)
  for (const text of [world.studio.output(), ...['studio.db', 'studio.db-wal'].map((name) => read(join(world.dataDir, name)))])
    assert.ok(!text.includes(KEY), 'the key is only in its own file')

  const keys: unknown[] = []
  const other = createServer((request, response) => {
    keys.push(request.headers.authorization)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data": [{"id": "whisper-large"}]}')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => {
    other.closeAllConnections()
    other.close()
  })
  const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1`
  requests.length = 0
  assert.equal((await world.put(PATH, { base_url: `${base_url}/` })).json().has_key, true, 'another path of the same origin')
  const moved = (await world.put(PATH, { base_url: elsewhere })).json()
  assert.deepEqual(moved, { base_url: elsewhere, model: 'whisper-large', has_key: false, key_removed: true })
  assert.equal((await tried()).status, 'ok')
  await world.post('/v1/audio/transcriptions', form('openai-compat-asr'))
  assert.equal((await world.put(PATH, { base_url })).json().has_key, false, 'the key is gone for good')
  await tried()
  assert.ok(keys.length >= 2 && requests.length >= 1)
  for (const key of [...keys, ...requests.map((each) => each.key)])
    assert.equal(key, undefined, 'no server receives the key of another one')
  assert.equal((await world.put(PATH, { base_url: elsewhere, api_key: KEY })).json().key_removed, undefined)
  assert.equal((await world.put(PATH, { base_url, api_key: KEY })).json().has_key, true)

  assert.equal((await world.put(PATH, { base_url: '' })).json().has_key, false)
  assert.throws(() => statSync(kept))
  requests.length = 0
  assert.equal((await world.post('/v1/audio/transcriptions', form('openai-compat-asr'))).status, 409)
  assert.deepEqual(requests, [])
})

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
