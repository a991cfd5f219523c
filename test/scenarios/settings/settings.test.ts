// The settings of the owner through HTTP: shapes, limits, refusals, and what survives a restart.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { openWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const KEY = 'sk-canary-of-the-settings'
const API = '/api/settings'

test('settings', async (t) => {
  const connections = join(temporaryFolder(t), 'connections')
  const preload = new URL('./record-connections.ts', import.meta.url)
  const env = { PATH: '/nowhere', NODE_OPTIONS: `--import ${preload}`, TEST_CONNECTIONS: connections }
  const world = await openWorld(t, { env, withoutAgent: true })
  const get = async (path: string) => (await world.get(API + path)).json()
  const put = (path: string, body: unknown) => world.put(API + path, body)

  await t.test('every route refuses requests that were forwarded and pages of other sites', async () => {
    for (const [method, path] of routes()) {
      const body = method === 'GET' ? undefined : {}
      const forwarded = await world.send(method, path, body, { 'x-forwarded-for': '192.0.2.1' })
      assert.equal(forwarded.status, 403, `${method} ${path}`)
      assert.equal(forwarded.json().detail, 'loopback origin required')
      const foreign = await world.send(method, path, body, { origin: 'https://evil.example' })
      assert.equal(foreign.status, 403, `${method} ${path}`)
    }
  })

  await t.test('the torch-compile toggle', async () => {
    const path = '/perf/torch-compile-disabled'
    assert.deepEqual(await get(path), { enabled: false, platform: process.platform })
    assert.deepEqual((await put(path, { enabled: true })).json(), { enabled: true, platform: process.platform })
    for (const wrong of [{}, { enabled: 'maybe' }, { enabled: null }]) assert.equal((await put(path, wrong)).status, 422)
  })

  await t.test('the compute device', async () => {
    const path = '/compute-device'
    assert.deepEqual(await get(path), {
      value: 'auto',
      applied: 'auto',
      restart_required: false,
      override_ignored: false,
      effective_family: 'cpu',
      auto_family: 'cpu',
      available_families: ['cpu'],
      env_pinned: false,
      choices: ['auto', 'cuda', 'rocm', 'xpu', 'mps', 'cpu'],
    })
    const { value, restart_required, applied } = (await put(path, { value: 'cpu' })).json()
    assert.deepEqual({ value, restart_required, applied }, { value: 'cpu', restart_required: true, applied: 'auto' })
    for (const wrong of ['cuda', 'CPU', '', 'quantum']) assert.equal((await put(path, { value: wrong })).status, 400, wrong)
    assert.equal((await put(path, {})).status, 422)
  })

  await t.test('the retention of takes', async () => {
    const path = '/history-retention'
    assert.deepEqual(await get(path), { cap: 200, default: 200 })
    for (const cap of [0, 100_000]) assert.deepEqual((await put(path, { cap })).json(), { cap, default: 200 })
    for (const cap of [-1, 100_001, 1.5, null, 'many']) assert.equal((await put(path, { cap })).status, 422, String(cap))
  })

  await t.test('the refinement of dictated text', async () => {
    const path = '/dictation-refinement'
    const flags = { auto: true, smart_cleanup: true, self_correction: true, preserve_technical: true }
    assert.deepEqual(await get(path), { ...flags, llm_ready: false, last_refine_status: null })
    const changed = (await put(path, { auto: false, smart_cleanup: null })).json()
    assert.deepEqual(changed, { ...flags, auto: false, llm_ready: false, last_refine_status: null })
    assert.equal((await put(path, { auto: 'loud' })).status, 422)
  })

  await t.test('the choice about analytics', async () => {
    assert.deepEqual(await get('/analytics'), { enabled: false, opted_in: false, available: false, prompted: false })
    const chosen = (await put('/analytics', { enabled: true })).json()
    assert.deepEqual(chosen, { enabled: false, opted_in: true, available: false, prompted: true })
  })

  await t.test('providers, endpoint and skills of language models', (inner) => languageModels(inner, world))

  await t.test('choices survive a kill, and secrets are neither in the database nor in the log', async () => {
    await world.restart('SIGKILL')
    assert.deepEqual(await get('/history-retention'), { cap: 100_000, default: 200 })
    assert.equal((await get('/compute-device')).applied, 'cpu')
    assert.equal((await get('/llm-providers')).active, 'custom')
    assert.equal((await get('/llm-endpoint')).api_key_masked, '…ings')
    for (const name of readdirSync(world.dataDir).filter((each) => each.startsWith('studio.db')))
      assert.ok(!readFileSync(join(world.dataDir, name)).includes('canary'), name)
    assert.ok(!world.studio.output().includes('canary'))
  })

  await t.test('the engine list has the endpoint for language models', async () => {
    const { active, backends } = (await world.get('/engines/llm')).json()
    assert.deepEqual([active, backends[0].id, backends[0].available], ['openai-compat', 'openai-compat', true])
  })

  await t.test('rows that cannot be read count as absent, and the studio starts', async () => {
    await world.studio.end('SIGTERM')
    const db = new Sqlite(join(world.dataDir, 'studio.db'))
    const garbage = ['', '{', '\u0000', '5', 'null', '"x"', '[[]]', 'x'.repeat(1_000_000)]
    const keys = db.prepare('select key from setting').pluck().all() as string[]
    for (const [index, key] of keys.entries())
      db.prepare('update setting set value = ? where key = ?').run(garbage[index % garbage.length], key)
    db.close()
    await world.restart()
    assert.deepEqual(await get('/analytics'), { enabled: false, opted_in: false, available: false, prompted: false })
    for (const [method, path] of routes().filter(([each, where]) => each === 'GET' && !where.includes('/x')))
      assert.equal((await world.send(method, path)).status, 200, path)
    assert.equal((await put('/history-retention', { cap: 9 })).json().cap, 9)
  })

  await t.test('with analytics agreed to, nothing left this machine in all of this', () => {
    const targets = readFileSync(connections, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [host: string | null, port: unknown, path: string | null])
    assert.ok(
      targets.some(([host]) => host === '127.0.0.1'),
      'the calls of the test provider are recorded',
    )
    for (const [host, , path] of targets) assert.ok(path !== null || host === '127.0.0.1', String(host))
  })
})

async function languageModels(t: TestContext, world: World): Promise<void> {
  const requests: { url: string; key: string | undefined }[] = []
  let answer = (response: ServerResponse) => void response.writeHead(500).end()
  const json = (response: ServerResponse, body: unknown) =>
    void response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    requests.push({ url: request.url!, key: request.headers.authorization })
    answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const providers = `${API}/llm-providers`
  const row = async (id: string) => (await world.get(providers)).json().providers.find((one: { id: string }) => one.id === id)

  const { active, providers: rows } = (await world.get(providers)).json()
  assert.equal(active, null)
  assert.deepEqual(
    rows.map(({ id }: { id: string }) => id),
    [
      'openai',
      'openrouter',
      'orcarouter',
      'groq',
      'cerebras',
      'google-ai',
      'mistral',
      'cohere',
      'nvidia',
      'github-models',
      'cloudflare',
      'huggingface',
      'sambanova',
      'siliconflow',
      'ollama',
      'lmstudio',
      'custom',
    ],
  )
  for (const one of rows) {
    assert.equal(one.configured, one.local, one.id)
    assert.equal(one.needs_account, one.id === 'cloudflare')
    assert.equal('account_id' in one, one.needs_account)
  }

  // Nothing is called before it is configured.
  assert.deepEqual((await world.post(`${providers}/groq/test`)).json(), {
    ok: false,
    kind: 'config',
    detail: 'The provider is not configured. Enter its address, its model and, if it needs one, its key.',
  })
  assert.deepEqual((await world.get(`${providers}/custom/models`)).json(), { ok: false, kind: 'config', models: [] })
  assert.deepEqual((await world.get(`${API}/llm-endpoint`)).json(), {
    base_url: '',
    model: '',
    api_key_masked: null,
    available: false,
    reason: 'The provider is not configured. Enter its address, its model and, if it needs one, its key.',
  })
  for (const [method, path] of [
    ['PUT', '/none'],
    ['POST', '/none/test'],
    ['GET', '/none/models'],
  ] as const)
    assert.equal((await world.send(method, providers + path, method === 'PUT' ? {} : undefined)).status, 404, path)
  assert.equal((await world.post(`${providers}/active`, { provider: 'none' })).status, 404)
  assert.equal((await world.post(`${providers}/active`, {})).status, 422)

  // The account of Cloudflare is part of the address, and the row keeps the template.
  const cloudflare = { api_key: KEY, account_id: 'abc_1' }
  assert.equal((await world.put(`${providers}/cloudflare`, { ...cloudflare, account_id: '../x' })).status, 400)
  assert.equal((await world.put(`${providers}/cloudflare`, cloudflare)).json().active, 'cloudflare', 'the first configured one is active')
  assert.deepEqual([(await row('cloudflare')).configured, (await row('cloudflare')).account_id], [true, 'abc_1'])
  assert.match((await row('cloudflare')).base_url, /\{account_id\}/)
  await world.put(`${providers}/cloudflare`, { api_key: '', account_id: '' })
  assert.equal((await row('cloudflare')).configured, false)
  assert.equal((await world.get(providers)).json().active, null, 'a provider that was cleared leaves its place to the next one')

  // The custom server, through the route of older clients and through its own.
  for (const wrong of [{ base_url: 'ftp://h' }, { base_url: 'http://me:canary@h' }, { base_url, api_key: 'two canaries' }]) {
    const refused = await world.put(`${API}/llm-endpoint`, wrong)
    assert.equal(refused.status, 400)
    assert.ok(!refused.body.toString().includes('canar'))
  }
  assert.equal((await world.put(`${API}/llm-endpoint`, { base_url: 'x'.repeat(2_001) })).status, 422)
  const named = (await world.put(`${API}/llm-endpoint`, { base_url: `${base_url}/`, model: 'm', api_key: KEY })).json()
  assert.deepEqual([named.base_url, named.model, named.api_key_masked], [base_url, 'm', '…ings'])
  assert.equal((await world.get(providers)).json().active, 'custom')
  assert.equal((await world.post(`${providers}/active`, { provider: 'custom' })).json().active, 'custom')
  assert.equal((await world.get(`${API}/llm-endpoint`)).json().available, true)
  assert.equal((await world.put(`${API}/llm-endpoint`, { model: null })).json().model, 'm', 'null keeps a field')

  answer = (response) => json(response, { model: 'm-2026', choices: [{ message: { content: `OK ${'x'.repeat(200)}` } }] })
  const { latency_ms, ...tested } = (await world.post(`${providers}/custom/test`)).json()
  assert.ok(latency_ms >= 0)
  assert.deepEqual(tested, { ok: true, model: 'm-2026', reply: `OK ${'x'.repeat(77)}` })
  assert.deepEqual(requests, [{ url: '/v1/chat/completions', key: `Bearer ${KEY}` }])
  answer = (response) => json(response, { data: [{ id: 'm' }] })
  assert.deepEqual((await world.get(`${providers}/custom/models`)).json(), { ok: true, models: ['m'], truncated: false })
  answer = (response) => void response.writeHead(401).end(`{"error":{"message":"${KEY}"}}`)
  const { latency_ms: _, ...refused } = (await world.post(`${providers}/custom/test`)).json()
  assert.deepEqual(refused, { ok: false, kind: 'auth', detail: 'The provider rejected the key. Check the key and what it may use.' })
  assert.equal((await world.get(`${providers}/custom/models`)).json().kind, 'auth')

  // A new origin removes the key; the same origin keeps it.
  assert.equal((await world.put(`${providers}/custom`, { base_url: `${base_url}/v2` })).json().key_removed, undefined)
  assert.equal((await world.put(`${providers}/custom`, { base_url: 'http://127.0.0.1:9/v1' })).json().key_removed, true)
  assert.equal((await row('custom')).has_key, false)
  assert.equal((await world.post(`${providers}/custom/test`)).json().kind, 'network')
  await world.put(`${providers}/custom`, { base_url, api_key: KEY })

  // Skills.
  const skills = async () =>
    Object.fromEntries((await world.get(`${API}/llm-skills`)).json().skills.map((one: { id: string }) => [one.id, one]))
  assert.deepEqual(Object.keys(await skills()), [
    'dub_translation',
    'cinematic_translation',
    'slot_fitting',
    'glossary_extract',
    'direction_parse',
    'dictation_refinement',
  ])
  assert.deepEqual((await skills())['slot_fitting'], {
    id: 'slot_fitting',
    name_key: 'settings.llmskills_slot_fitting_name',
    description_key: 'settings.llmskills_slot_fitting_desc',
    enabled: true,
    provider_override: null,
    provider: 'custom',
    provider_display_name: 'Custom server',
    provider_local: false,
    provider_source: 'active',
    ready: true,
    reason: null,
  })
  const change = (id: string, body: unknown) => world.put(`${API}/llm-skills/${id}`, body)
  await change('slot_fitting', { provider_override: 'groq' })
  const overridden = (await skills())['slot_fitting']
  assert.deepEqual(
    [overridden.provider, overridden.provider_source, overridden.ready, overridden.reason],
    ['groq', 'override', false, 'unconfigured'],
  )
  await change('slot_fitting', { enabled: false })
  assert.deepEqual([(await skills())['slot_fitting'].reason, (await skills())['slot_fitting'].provider_override], ['disabled', 'groq'])
  await change('slot_fitting', { enabled: true, provider_override: '' })
  assert.equal((await skills())['slot_fitting'].ready, true)
  assert.equal((await change('none', {})).status, 404)
  assert.equal((await change('slot_fitting', { provider_override: 'none' })).status, 404)
  assert.equal((await world.get(`${API}/dictation-refinement`)).json().llm_ready, true)
}

/** The routes of this area, from the description that the studio serves. */
function routes(): [string, string][] {
  const { paths } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(`${API}/`))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, 'x')] as [string, string]),
    )
}
