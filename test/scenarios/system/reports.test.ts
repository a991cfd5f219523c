// Reports of the studio about itself, from the real programs: the calls of a client at its start, notifications with their real causes,
// logs, and the record of a run that was killed.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { release, type } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { noticesContracts } from '#control-plane/features/operate/system/notices/notices.contract.ts'
import { overviewContracts } from '#control-plane/features/operate/system/overview/overview.contract.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { jsonIn, REPOSITORY, studio } from '#test/support/world/cli.ts'
import { form } from '#test/support/world/http.ts'
import { programFolder } from '#test/support/world/programs.ts'
import { eventually, openWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const ROUTES = [
  ['GET', '/system/info'],
  ['GET', '/sysinfo'],
  ['GET', '/system/notifications'],
  ['GET', '/system/logs'],
  ['GET', '/system/logs/tauri'],
  ['GET', '/system/logs/stream'],
  ['POST', '/system/logs/clear'],
  ['POST', '/system/logs/tauri/clear'],
  ['GET', '/system/last-run-crash'],
  ['POST', '/system/last-run-crash/ack'],
  ['POST', '/system/crash/ack'],
  ['GET', '/system/errors/recent'],
  ['GET', '/system/quarantine-status'],
  ['GET', '/system/asr-backends'],
  ['GET', '/system/hf-token/state'],
  ['POST', '/system/set-env'],
] as const
const idsOf = async (world: World): Promise<string[]> =>
  (await world.get('/system/notifications')).json().notifications.map(({ id }: { id: string }) => id)

test('reports of one studio', async (t) => {
  const disk = mayMount ? smallDisk(t, 'size=64m') : temporaryFolder(t)
  const withoutFfmpeg = programFolder(join(temporaryFolder(t), 'bin'), {}, ['sh'])
  const world = await openWorld(t, { fixedPort: true, env: { STUDIO_DATA_DIR: disk, PATH: withoutFfmpeg, HF_TOKEN: undefined } })

  await t.test('the start-up calls of a client have the fields and types of the specification', async (t) => {
    const info = (await world.get('/system/info')).json()
    assert.deepEqual(Object.keys(info).sort(), Object.keys(overviewContracts.readInfo.reply.omit({ error: true }).shape).sort())
    assert.equal(info.data_dir, disk)
    assert.deepEqual([info.ffmpeg_ok, info.ffmpeg_path, info.has_hf_token, info.share_enabled], [false, null, false, false])
    assert.deepEqual([info.platform, info.os_version.startsWith(`${type()} ${release()}`)], [process.platform, true])
    assert.equal(info.ui_port, info.backend_port)
    const page = await fetch(`http://127.0.0.1:${info.ui_port}/`)
    assert.deepEqual([page.status, page.headers.get('content-type')?.split(';')[0]], [200, 'text/html'])
    assert.ok(info.cpu_count > 0 && info.ram_total_gb > 0 && info.disk_free_gb > 0)
    const load = (await world.get('/sysinfo')).json()
    assert.deepEqual(Object.keys(load), ['cpu', 'ram', 'total_ram', 'vram', 'gpu_active'])
    assert.ok(load.cpu >= 0 && load.cpu <= 100 && load.ram > 0 && load.ram <= load.total_ram)
    assert.deepEqual((await world.get('/system/last-run-crash')).json(), { record: null, acknowledged: true })
    assert.deepEqual((await world.get('/system/quarantine-status')).json(), { quarantined: false, error_class: null, bundle_path: null })
    const { active, backends } = (await world.get('/system/asr-backends')).json()
    assert.deepEqual({ active, backends }, (({ env_override: _, ...rest }) => rest)((await world.get('/engines/asr')).json()))
    const startup = (await world.get('/startup/progress')).json()
    assert.deepEqual([startup.status, startup.error, startup.steps.length], ['ready', null, 6])
    assert.deepEqual((await world.get('/system/errors/recent')).json(), { errors: [], count: 0 })
    const none = { set: false, masked: null, whoami_user: null, whoami_ok: false }
    assert.deepEqual((await world.get('/system/hf-token/state')).json(), {
      active: null,
      sources: ['app', 'env', 'hf-cli'].map((source) => ({ source, ...none })),
    })

    // Compared with the cheapest route at the same moment, because the tests share the processors of the machine.
    const timesOf = { '/health': [] as number[], '/system/info': [] as number[] }
    for (let call = 0; call < 60; call++)
      for (const path of ['/health', '/system/info'] as const) {
        const from = performance.now()
        await world.get(path)
        timesOf[path].push(performance.now() - from)
      }
    const [health, overview] = Object.values(timesOf).map((times) => times.sort((a, b) => a - b))
    t.diagnostic(
      `GET /system/info: median ${overview![30]!.toFixed(1)} ms, p99 ${overview![59]!.toFixed(1)} ms; /health: ${health![30]!.toFixed(1)} ms`,
    )
    assert.ok(overview![30]! - health![30]! < 50, `median ${overview![30]} ms, /health ${health![30]} ms`)
  })

  await t.test('the load of the machine is read without a child process', async () => {
    const before = execFileSync('sh', ['-c', 'ls -d /proc/[0-9]* | wc -l']).toString()
    const children = () => readFileSync(`/proc/${world.studio.pid}/task/${world.studio.pid}/children`, 'utf8')
    const own = children()
    for (let call = 0; call < 50; call++) await world.get('/sysinfo')
    assert.equal(children(), own, before)
  })

  await t.test('each route is for administrators of this machine, and refuses pages of other sites', async () => {
    for (const [method, path] of ROUTES) {
      const forwarded = await world.send(method, path, undefined, { 'x-forwarded-for': '198.51.100.7' })
      assert.deepEqual([forwarded.status, forwarded.json().detail], [403, 'loopback origin required'], path)
      assert.equal((await world.send(method, path, undefined, { origin: 'https://elsewhere.example' })).status, 403, path)
    }
    assert.equal((await world.send('PUT', '/system/info')).status, 405)
  })

  await t.test('notifications name the causes that are present', async () => {
    const reply = await world.get('/system/notifications')
    const { notifications, count } = noticesContracts.listNotices.reply.parse(reply.json())
    assert.equal(count, notifications.length)
    const ids = notifications.map(({ id }) => id)
    for (const id of ['ffmpeg-missing', 'hf-token-missing', ...(mayMount ? ['disk-low'] : [])]) assert.ok(ids.includes(id), `${id}: ${ids}`)
    assert.ok(!ids.some((id) => id.includes('crash')), ids.join())
  })

  await t.test('the log is read, followed and cleared', async () => {
    const { lines, path, exists, total_lines } = (await world.get('/system/logs')).json()
    assert.deepEqual([path, exists], [join(disk, 'logs/studio.log'), true])
    assert.ok(lines.every((line: string) => line.endsWith('\n')))
    assert.ok(lines.some((line: string) => /^\d{4}-\d\d-\d\dT.*Z INFO {2}studio a machine is connected .*workerId=local/.test(line)))
    assert.equal(total_lines, readFileSync(path, 'utf8').split('\n').length - 1)
    appendFileSync(path, 'line\n'.repeat(2_100))
    for (const [tail, count] of [
      ['3', 10],
      ['-1', 10],
      ['20', 20],
      ['9999', 2_000],
      ['many', 200],
      ['', 200],
      ['1e3', 200],
    ] as const)
      assert.equal((await world.get(`/system/logs?tail=${tail}`)).json().lines.length, count, tail)

    const abort = new AbortController()
    const stream = await fetch(`${world.url}/system/logs/stream?interval=0.3&source=nothing`, { signal: abort.signal })
    assert.equal(stream.headers.get('content-type'), 'text/event-stream')
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const receive = async (part: string) => {
      while (!text.includes(part)) text += (await reader.read()).value ?? assert.fail(`the stream ended: ${text}`)
    }
    await receive(': open')
    appendFileSync(path, 'first "line"\nsecond line\nhalf of ')
    await receive('second line')
    assert.match(text, /data: \["first \\"line\\"\\n","second line\\n"\]\n\n/)
    appendFileSync(path, 'the third\n')
    await receive('half of the third')

    mkdirSync(join(disk, 'logs'), { recursive: true })
    const shell = (await world.get('/system/logs/tauri')).json()
    assert.deepEqual(shell, { lines: [], path: null, exists: false, total_lines: 0, candidates: shell.candidates })
    assert.equal(shell.candidates[0], join(disk, 'logs/shell.log'))
    assert.equal((await world.get('/system/logs/stream?source=tauri')).status, 404)
    writeFileSync(shell.candidates[0], 'shell started\n')
    assert.deepEqual((await world.get('/system/logs/tauri')).json().lines, ['shell started\n'])
    assert.deepEqual((await world.post('/system/logs/tauri/clear')).json(), { cleared: [shell.candidates[0]], failed: 0 })
    assert.equal((await world.get('/system/logs/tauri')).json().total_lines, 0)

    assert.deepEqual((await world.post('/system/logs/clear')).json(), { cleared: true })
    appendFileSync(path, 'after the clearing\n')
    await receive('after the clearing')
    abort.abort()
    const env = { STUDIO_PORT: new URL(world.url).port, STUDIO_DATA_DIR: disk }
    const following = spawn(process.execPath, [join(REPOSITORY, 'cli/main.ts'), 'logs', '--last', '1', '--follow'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let followed = ''
    following.stdout.on('data', (piece) => {
      followed += piece
    })
    await eventually(() => followed.includes('after the clearing'))
    await eventually(() => {
      appendFileSync(path, 'an \u001b[31mescape\n')
      return followed.includes('an  [31mescape\n')
    })
    following.kill('SIGINT')
    assert.deepEqual(await once(following, 'exit'), [130, null])
    const json = jsonIn((await studio(['logs', '--last', '2', '--json'], { env })).output)
    assert.deepEqual([json.path, json.exists, json.lines.length], [path, true, 2])
    const alone = await studio(['logs', '--last', '1'], { env: { ...env, STUDIO_PORT: '1' } })
    assert.deepEqual([alone.code, alone.output], [0, 'an  [31mescape\n'])
    assert.match(alone.errors, /No studio is running at .* These are the last lines of .*studio\.log\./)
    for (const wrong of [['--last', '2001'], ['--last', 'x'], ['more']]) assert.equal((await studio(['logs', ...wrong], { env })).code, 2)
    assert.ok((await world.get('/system/logs')).json().total_lines < 1_000, 'the 2,100 lines were removed')
  })

  await t.test('the crash log has a mark of its own', async () => {
    const path = join(disk, 'logs/crash.log')
    assert.deepEqual((await world.post('/system/crash/ack')).json(), { acked_size: 0 })
    writeFileSync(path, 'Error: unexpected\n')
    assert.ok((await idsOf(world)).includes('crash-last-session'))
    assert.deepEqual((await world.post('/system/crash/ack')).json(), { acked_size: 18 })
    assert.ok(!(await idsOf(world)).includes('crash-last-session'))
    appendFileSync(path, 'Error: again\n')
    assert.ok((await idsOf(world)).includes('crash-last-session'))
    rmSync(join(disk, 'logs/studio.log'))
    const fallback = (await world.get('/system/logs?tail=10')).json()
    assert.ok(fallback.path === path || fallback.path === join(disk, 'logs/studio.log'))
    assert.equal((await world.post('/system/logs/clear')).status, 200)
    assert.ok(!(await idsOf(world)).includes('crash-last-session'))
    assert.equal(readFileSync(path, 'utf8'), '')
  })

  await t.test('an unreadable log is a clear error, and nothing else fails', async () => {
    const path = join(disk, 'logs/studio.log')
    rmSync(path, { force: true })
    mkdirSync(path)
    const unreadable = await world.get('/system/logs')
    assert.equal(unreadable.status, 500)
    assert.match(unreadable.json().detail, /^The log cannot be read \(EISDIR\)\.$/)
    assert.equal((await world.post('/system/logs/clear')).status, 500)
    // A failed request writes a line, which has nowhere to go.
    await eventually(async () => {
      await world.get('/system/logs')
      return (await idsOf(world)).includes('log-not-written')
    })
    assert.equal((await world.get('/system/info')).status, 200)
    assert.equal((await world.post('/v1/audio/speech', { input: 'Hello.', response_format: 'wav' })).status, 200)
    rmSync(path, { recursive: true })
    await eventually(async () => !(await idsOf(world)).includes('log-not-written'))
    assert.match(readFileSync(path, 'utf8'), /WARN {2}\d+ lines could not be written: EISDIR/)
  })

  await t.test('variables are stored, checked and never shown', async () => {
    const set = (key: unknown, value: unknown) => world.post('/system/set-env', { key, value })
    const unknown = await set('PATH', '/tmp')
    assert.equal(unknown.status, 400)
    assert.match(unknown.json().detail, /HTTP_PROXY, http_proxy, HTTPS_PROXY.*VOICESTUDIO_PORT.*HF_TOKEN/)
    for (const [key, value] of [
      ['VOICESTUDIO_PORT', '80'],
      ['VOICESTUDIO_UI_PORT', '65536'],
      ['HTTPS_PROXY', 'socks5://x'],
      ['DEEPL_API_KEY', 'a\nb'],
    ])
      assert.equal((await set(key, value)).status, 400, key)
    for (const body of [{}, { key: 'HTTP_PROXY' }, { key: 'HTTP_PROXY', value: 'x'.repeat(3_000) }, { key: 1, value: 2 }])
      assert.equal((await world.post('/system/set-env', body)).status, 422)
    const setAll = (body: object) => world.post('/system/set-env', body)
    assert.deepEqual((await setAll({ TRANSLATE_MODEL: 'm1' })).json(), { key: 'TRANSLATE_MODEL', set: true })
    const several = (await setAll({ DEEPL_API_KEY: 'canary-DEEPL_KEY', DEEPL_BASE_URL: 'https://one.example', TRANSLATE_MODEL: '' })).json()
    assert.deepEqual(
      several.variables.map(({ key, set }: { key: string; set: boolean }) => [key, set]),
      [
        ['DEEPL_BASE_URL', true],
        ['DEEPL_API_KEY', true],
        ['TRANSLATE_MODEL', false],
      ],
    )
    const moved = (await setAll({ DEEPL_API_KEY: 'canary-DEEPL_NEW', DEEPL_BASE_URL: 'https://two.example' })).json()
    assert.deepEqual([moved.variables[0].removed, moved.variables[1].set], [['DEEPL_API_KEY'], true], 'the key is that of the new address')
    assert.equal((await setAll({ TRANSLATE_MODEL: 'm2', PATH: '/tmp' })).status, 400)
    assert.deepEqual((await setAll({ TRANSLATE_MODEL: '' })).json(), { key: 'TRANSLATE_MODEL', set: false })
    for (const body of [
      { TRANSLATE_MODEL: 5 },
      { TRANSLATE_MODEL: ['m'] },
      [],
      { ['x'.repeat(65)]: 'y' },
      { TRANSLATE_MODEL: 'm'.repeat(2_049) },
    ])
      assert.equal((await setAll(body)).status, 422, JSON.stringify(body).slice(0, 40))
    const keys = ['TRANSLATE_API_KEY', 'DEEPL_API_KEY', 'MICROSOFT_API_KEY', 'TRANSLATE_MODEL']
    const addresses = ['TRANSLATE_BASE_URL', 'DEEPL_BASE_URL', 'MICROSOFT_BASE_URL']
    for (const key of keys) assert.deepEqual((await set(key, `canary-${key}`)).json(), { key, set: true })
    for (const key of addresses) assert.equal((await set(key, `https://user:canary-${key}@server.example`)).status, 200)
    const shown = [
      '/api/settings/values',
      '/api/settings/llm-endpoint',
      '/api/settings/llm-providers',
      '/system/info',
      '/engines',
      '/system/logs',
    ]
    for (const path of shown) {
      const reply = await world.get(path)
      assert.deepEqual([reply.status, reply.body.toString().match(/canary-(TRANSLATE|DEEPL|MICROSOFT)[A-Z_]*/g)], [200, null], path)
    }
    const { settings } = (await world.get('/api/settings/values')).json()
    for (const key of [...keys, ...addresses]) {
      const { value, secret, is_set } = settings.find((row: { key: string }) => row.key === `env.${key}`)
      assert.deepEqual([value, secret, is_set], [null, true, true], key)
      assert.deepEqual((await set(key, '')).json(), { key, set: false })
    }
    assert.match(unknown.json().detail, /STUDIO_PORT, STUDIO_SHARE_PORT, STUDIO_UI_PORT\.$/)
    assert.equal((await set('STUDIO_PORT', '80')).status, 400)
    assert.deepEqual((await set('VOICESTUDIO_SHARE_PORT', '4900')).json(), { key: 'VOICESTUDIO_SHARE_PORT', set: true })
    // The name that README.md has for the same variable.
    assert.deepEqual((await set('STUDIO_SHARE_PORT', '4901')).json(), { key: 'STUDIO_SHARE_PORT', set: true })
    assert.deepEqual((await set('HTTPS_PROXY', 'http://user:canary-password@127.0.0.1:9')).json(), { key: 'HTTPS_PROXY', set: true })
    const info = (await world.get('/system/info')).json()
    assert.deepEqual([info.share_port_base, info.proxy_url], [4901, 'http://127.0.0.1:9/'])
    assert.deepEqual((await set('STUDIO_UI_PORT', '4902')).json(), { key: 'STUDIO_UI_PORT', set: true })

    // A row that this version cannot read: the default applies, a notification says so, and nothing else stops working.
    await world.studio.end()
    const db = openDatabase(join(disk, 'studio.db'))
    assert.equal(db.prepare("update setting set value = 'garbage' where key = 'env.VOICESTUDIO_UI_PORT'").run().changes, 1)
    db.prepare("insert into setting (key, value) values ('history.retention', '{') on conflict (key) do update set value = '{'").run()
    db.close()
    await world.restart()
    const again = (await world.get('/system/info')).json()
    assert.deepEqual([again.share_port_base, again.proxy_url], [4901, 'http://127.0.0.1:9/'])
    assert.ok(!readFileSync(join(disk, 'studio.db')).includes('canary-password'))
    assert.deepEqual((await set('HTTPS_PROXY', '')).json(), { key: 'HTTPS_PROXY', set: false })
    assert.equal((await world.get('/system/info')).json().proxy_url, '')
    const { notifications } = (await world.get('/system/notifications')).json()
    const invalid = notifications.find(({ id }: { id: string }) => id === 'settings-invalid')
    assert.match(invalid.message, /env\.VOICESTUDIO_UI_PORT, history\.retention|history\.retention, env\.VOICESTUDIO_UI_PORT/)
    for (const [method, path] of ROUTES.filter(([method, path]) => method === 'GET' && !path.endsWith('stream')))
      assert.equal((await world.send(method, path)).status, 200, path)
    for (const key of ['VOICESTUDIO_SHARE_PORT', 'VOICESTUDIO_UI_PORT']) await set(key, '')
    assert.equal((await world.put('/api/settings/history-retention', { cap: 100 })).status, 200)
    assert.ok(!(await idsOf(world)).includes('settings-invalid'))
  })

  await t.test('a full disk: every report answers, and the failed request is in the journal', { skip: !mayMount }, async () => {
    const ballast = join(disk, 'ballast')
    for (const size of [2 ** 20, 2 ** 12]) {
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' })
      } catch {} // The disk is full.
    }
    await eventually(async () => (await world.send('POST', '/generate', form({ text: 'A take.', engine: 'tone' }))).status === 507)
    for (const [method, path] of ROUTES.filter(([method, path]) => method === 'GET' && !path.endsWith('stream')))
      assert.equal((await world.send(method, path)).status, 200, path)
    const { errors, count } = (await world.get('/system/errors/recent?limit=5')).json()
    assert.equal(count, errors.length)
    assert.deepEqual([errors[0].error_class, errors[0].type, errors[0].route], ['DISK_FULL', 'STORAGE_FULL', 'POST /generate'])
    assert.match(errors[0].last_seen, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    assert.equal((await world.get('/system/errors/recent?limit=51')).status, 422)
    assert.equal((await world.post('/system/crash/ack')).status, 507)
    rmSync(ballast)
    await eventually(async () => (await world.send('POST', '/generate', form({ text: 'A take.', engine: 'tone' }))).status === 200)
  })

  await t.test('a run that was killed is reported at the next start until it is acknowledged, and causes that ended are gone', async () => {
    const counted = (await world.get('/system/errors/recent')).json().errors
    // What could not be written while the disk was full is written now.
    const journal = () => readFileSync(join(disk, 'diagnostics/errors.jsonl'), 'utf8')
    if (mayMount) await eventually(() => journal().includes(counted[0].fingerprint))
    await world.post('/v1/audio/speech', { input: 'The last words.', response_format: 'wav' })
    if (mayMount) execFileSync('mount', ['-o', 'remount,size=6g', disk])
    const ffmpeg = programFolder(join(temporaryFolder(t), 'bin'), findProgram('ffmpeg', process.env['PATH']) ? {} : { ffmpeg: 'exit 1' }, [
      'sh',
    ])
    if (!existsSync(join(ffmpeg, 'ffmpeg'))) writeFileSync(join(ffmpeg, 'ffmpeg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    await world.restart('SIGKILL', { PATH: ffmpeg, STUDIO_MODELS_TOKEN: 'hf_canary0123456789' })

    const { record, acknowledged } = (await world.get('/system/last-run-crash')).json()
    assert.equal(acknowledged, false)
    assert.deepEqual([record.last_activity.kind, record.last_activity.detail], ['speech.speak', 'POST /v1/audio/speech'])
    const [from, to] = record.ended_between
    assert.ok(record.started_at <= from && from <= to && to === record.detected_at && Math.abs(Date.now() / 1000 - to) < 120)
    assert.ok(record.uptime_hint_s >= 0 && record.log_tail.length > 0)
    const notice = `last-run-crash-${Math.round(record.detected_at * 1000)}`
    const ids = await idsOf(world)
    assert.deepEqual(
      ids.filter((id) => id !== 'gpu-unavailable'),
      [notice],
    )

    if (mayMount) {
      const kept: { fingerprint: string }[] = (await world.get('/system/errors/recent')).json().errors
      assert.ok(kept.some(({ fingerprint }) => fingerprint === counted[0].fingerprint))
    }
    assert.deepEqual((await world.post('/system/last-run-crash/ack')).json(), { ok: true })
    assert.equal((await world.get('/system/last-run-crash')).json().acknowledged, true)
    assert.ok(!(await idsOf(world)).includes(notice))

    await world.restart('SIGTERM')
    assert.deepEqual((await world.get('/system/last-run-crash')).json(), { record, acknowledged: true })
  })
})
