// The self-check, the diagnostic bundle and the freeing of memory, from one studio with planted private data.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { diagnoseContracts } from '#control-plane/features/operate/system/diagnose/diagnose.contract.ts'
import { unzip } from '#test/support/archive/unzip.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'

const KEY = 'canary-studio-key-000001'
const IDS = ['device', 'ffmpeg', 'hf_token', 'disk', 'data_dir', 'ram', 'engines', 'gpu_routing']

/** Resident memory in KiB of the process and its descendants, by process id. */
function memoryOf(pid: number): Map<number, number> {
  const status = (id: number) => readFileSync(`/proc/${id}/status`, 'utf8')
  const found = new Map<number, number>()
  const visit = (id: number) => {
    try {
      found.set(id, Number(/VmRSS:\s+(\d+)/.exec(status(id))?.[1] ?? 0))
      for (const child of readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ').filter(Boolean)) visit(Number(child))
    } catch {} // The process has ended.
  }
  visit(pid)
  return found
}

test('the self-check, the bundle and the memory of one studio', async (t) => {
  const hub = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  await once(hub, 'listening')
  t.after(() => hub.close())
  const hubUrl = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`
  const person = join('/home', 'canary-person')
  const world = await openWorld(t, {
    remote: true,
    env: {
      STUDIO_API_KEY: KEY,
      HOME: person,
      STUDIO_MODELS_URL: hubUrl,
      STUDIO_MODELS_TOKEN: 'hf_canaryToken0123456789',
      STUDIO_MODELS_CACHE: '',
    },
  })
  const diagnose = async (query: string) => diagnoseContracts.diagnose.reply.parse((await world.get(`/system/diagnose${query}`)).json())

  await t.test('all checks are reported in their order, and the summary counts them', async () => {
    const { checks, summary, app_version } = await diagnose('')
    assert.deepEqual(
      checks.map(({ id }) => id),
      [...IDS, 'network'],
    )
    assert.match(app_version, /^\d+\.\d+\.\d+/)
    const count = (status: string) => checks.filter((one) => one.status === status).length
    assert.deepEqual(summary, { ok: count('fail') === 0, passed: count('ok'), warnings: count('warn'), failures: count('fail') })
    const by = new Map(checks.map((one) => [one.id, one]))
    assert.equal(by.get('network')!.detail, `${hubUrl} answers with status 404.`)
    for (const id of ['device', 'hf_token', 'data_dir', 'engines', 'network'])
      assert.equal(by.get(id)!.status, 'ok', JSON.stringify(by.get(id)))
    assert.ok(checks.every(({ status, hint }) => (status === 'ok') === (hint === null)))
    assert.deepEqual(
      (await diagnose('?network=false')).checks.map(({ id }) => id),
      IDS,
    )
    assert.equal((await world.get('/system/diagnose?deep=perhaps')).status, 422)
    for (const [method, path] of [
      ['GET', '/system/diagnose'],
      ['POST', '/system/diagnostic-bundle'],
    ] as const)
      assert.equal((await world.send(method, path, undefined, { 'x-forwarded-for': '198.51.100.7' })).status, 403)
  })

  await t.test('a deep check synthesises a sentence with the selected engine, one at a time', async () => {
    const [first, second] = await Promise.all([diagnose('?network=false&deep=true'), diagnose('?network=0&deep=1')])
    const deep = [first, second].map(({ checks }) => checks.at(-1)!)
    assert.ok(deep.every(({ id, label }) => id === 'deep_synth' && label === 'Deep synthesis'))
    assert.deepEqual(deep.map(({ status }) => status).sort(), ['ok', 'warn'], JSON.stringify(deep))
    assert.match(deep.find(({ status }) => status === 'ok')!.detail, /returned \d+\.\d s of audio/)
    const { tasks } = (await world.get('/workers/tasks')).json()
    assert.deepEqual(
      tasks.map(({ operation, state }: Record<string, string>) => [operation, state]),
      [['tts', 'completed']],
    )
  })

  await t.test('a bundle contains the reports and no private data', async (t) => {
    await world.machine('attic-canary')
    const logs = join(world.dataDir, 'logs')
    const planted = [
      'password=canary-password-1',
      '"authorization":"Bearer canary-bearer-2"',
      `${person}/voices/me.wav`,
      'https://me:canary-url-3@nas-canary.lan:8080/x',
      'hf_canaryLogToken0123456789',
      'attic-canary said no',
      `${hostname()} is this machine`,
      '203.0.113.77',
    ]
    const text = planted.map((line) => `${line}\n`).join('')
    for (const name of ['studio.log', 'crash.log', 'shell.log']) appendFileSync(join(logs, name), `${text}visible line of ${name}\n`)
    await world.post('/system/set-env', { key: 'DEEPL_API_KEY', value: 'canarydeeplkey' })
    appendFileSync(join(logs, 'shell.log'), 'the key canarydeeplkey was refused\n')

    const reply = await world.post('/system/diagnostic-bundle')
    assert.equal(reply.status, 200, reply.body.toString())
    const { path, filename } = reply.json()
    assert.deepEqual([basename(path), statSync(path).mode & 0o077], [filename, 0])
    assert.ok(path.startsWith(join(world.dataDir, 'outputs')))
    assert.equal((await world.get(`/audio/${filename}`)).status, 404, 'the bundle is not served to clients')
    const texts = await unzip(readFileSync(path))
    assert.deepEqual([...texts.keys()].sort(), [
      'errors.json',
      'logs/agent.txt',
      'logs/crash.txt',
      'logs/shell.txt',
      'logs/studio.txt',
      'meta.json',
      'self_check.json',
      'self_check.txt',
    ])
    for (const name of ['studio', 'crash', 'shell']) assert.match(texts.get(`logs/${name}.txt`)!, /visible line of/)
    assert.ok(texts.get('logs/agent.txt')!.length > 0)
    assert.deepEqual(
      JSON.parse(texts.get('self_check.json')!).checks.map(({ id }: { id: string }) => id),
      IDS,
    )
    assert.ok(Array.isArray(JSON.parse(texts.get('errors.json')!)))
    const shown = [...texts.values()].join('\n')
    for (const secret of [
      'canary-password',
      'canary-bearer',
      'canary-person',
      'canary-url',
      'nas-canary',
      'canaryLog',
      'attic-canary',
      'canarydeepl',
      '203.0.113',
      KEY,
      'canaryToken',
    ])
      assert.ok(!shown.includes(secret), `${secret}: ${shown.slice(Math.max(0, shown.indexOf(secret) - 100)).slice(0, 200)}`)
    if (hostname().length >= 4 && hostname() !== 'localhost') assert.ok(!shown.includes(hostname()))
    t.diagnostic(`bundle of ${statSync(path).size} bytes`)
    for (let more = 0; more < 6; more++) assert.equal((await world.post('/system/diagnostic-bundle')).status, 200)
    assert.equal(readdirSync(join(world.dataDir, 'outputs/diagnostics')).length, 5)
  })

  await t.test('HF_TOKEN is stored as the token of the hub, masked, and cleared', async () => {
    const token = 'hf_canaryFromSetEnv0123456789'
    assert.deepEqual((await world.post('/system/set-env', { key: 'HF_TOKEN', value: token })).json(), { key: 'HF_TOKEN', set: true })
    const state = await world.get('/system/hf-token/state')
    assert.equal(state.json().active, 'app')
    assert.deepEqual(
      state.json().sources.map(({ source, set }: { source: string; set: boolean }) => [source, set]),
      [
        ['app', true],
        ['env', true],
        ['hf-cli', false],
      ],
    )
    assert.ok(!state.body.toString().includes('canaryFromSetEnv'))
    assert.equal((await world.get('/system/info')).json().has_hf_token, true)
    assert.deepEqual((await world.post('/system/set-env', { key: 'HF_TOKEN', value: '' })).json(), { key: 'HF_TOKEN', set: false })
    assert.equal((await world.get('/system/hf-token/state')).json().active, 'env')
  })

  await t.test('without the model server and a writable outputs folder, the checks say so and the studio works', async () => {
    hub.close()
    hub.closeAllConnections()
    const { checks } = await diagnose('')
    assert.deepEqual([checks.at(-1)!.id, checks.at(-1)!.status], ['network', 'warn'])
    assert.match(checks.at(-1)!.detail, /does not answer \(ECONNREFUSED\)/)
    const folder = join(world.dataDir, 'outputs/diagnostics')
    rmSync(folder, { recursive: true })
    writeFileSync(folder, '')
    const refused = await world.post('/system/diagnostic-bundle')
    assert.deepEqual([refused.status, refused.json().detail], [507, 'The bundle could not be written (EEXIST).'])
    rmSync(folder)
  })

  await t.test('flushing the memory with unload_model ends the processes of the engines', async (t) => {
    for (const model of ['svc-engine', 'tone'])
      assert.equal((await world.post('/v1/audio/speech', { input: 'Hello.', model, response_format: 'wav' })).status, 200)
    const sum = (memory: Map<number, number>) => [...memory.values()].reduce((all, one) => all + one, 0)
    const before = memoryOf(world.studio.pid)
    const reply = (await world.post('/system/flush-memory?unload_model=true')).json()
    assert.deepEqual(Object.keys(reply), ['flushed', 'unloaded_model', 'ram_after', 'vram_after', 'vram_reserved'])
    assert.deepEqual([reply.flushed, reply.unloaded_model], [true, true])
    const after = await eventually(() => {
      const now = memoryOf(world.studio.pid)
      return now.size < before.size && now
    })
    t.diagnostic(`${before.size} processes with ${sum(before)} KiB before, ${after.size} with ${sum(after)} KiB after`)
    assert.ok(sum(before) - sum(after) > 20_000, `${sum(before)} KiB before, ${sum(after)} KiB after`)
    assert.equal((await world.get('/model/loaded')).json().count, 0)
    assert.equal((await world.post('/system/flush-memory')).json().unloaded_model, false)
    assert.equal((await world.post('/v1/audio/speech', { input: 'Hello.', response_format: 'wav' })).status, 200)
  })
})
