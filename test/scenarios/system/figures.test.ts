// GET /metrics and the logs of machines, from a complete studio.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { REPOSITORY, runToEnd } from '#test/support/world/cli.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { programPath } from '#tools/setup/programs.ts'

const promtool = findProgram('promtool', programPath(process.env['PATH']))
const NO_PROMTOOL = 'no promtool on this machine; ./studio setup --tests installs it'

const MONITORING = join(REPOSITORY, 'deploy/monitoring')

const open = sharedWorld({ remote: true })

test('figures of one studio', async (t) => {
  const world = await open()

  await t.test('the metrics count the work that was done and contain no path and no task id', async (t) => {
    const read = async () => {
      const { status, headers, body } = await world.get('/metrics')
      assert.equal(status, 200)
      assert.match(headers.get('content-type')!, /^text\/plain; version=0\.0\.4/)
      return body.toString()
    }
    const countIn = (figures: string, name: string): number =>
      Number(
        figures
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.slice(name.length) ?? 0,
      )
    const lost = 'studio_http_request_duration_seconds_count{route="none",method="GET",status="4xx"}'
    const before = await read() // of earlier files
    await world.post('/v1/audio/speech', { input: 'Good morning.', response_format: 'wav' })
    await world.task({ engine: 'tone', params: { segments: [{ text: 'x' }], fault: { kind: 'throw' } } })
    await world.get('/no/such/path')
    const text = await eventually(async () => {
      const figures = await read()
      return countIn(figures, lost) > countIn(before, lost) && figures
    })
    for (const counted of [
      'studio_tasks_ended_total{operation="tts",end="succeeded"}',
      'studio_attempts_ended_total{worker="local",code="OK"}',
      'studio_http_request_duration_seconds_count{route="speech.speak",method="POST",status="2xx"}',
      lost,
      'studio_http_first_byte_seconds_count{route="speech.speak"}',
    ])
      assert.equal(countIn(text, counted) - countIn(before, counted), 1, counted)
    for (const expected of [
      /^studio_workers\{state="ready"\} 1$/m,
      /^studio_links_opened_total\{worker="local"\} 1$/m,
      /^studio_wal_sync_seconds_count [1-9]/m,
      /^studio_commit_turn_seconds_count [1-9]/m,
      /^studio_event_loop_lag_seconds\{percentile="99"\} \d/m,
      /^process_resident_memory_bytes \d/m,
      /^process_start_time_seconds 1\d{9}/m,
      /^studio_disk_free_bytes\{folder="models"\} [1-9]/m,
      /^studio_certificate_expiry_timestamp_seconds\{certificate="authority"\} [1-9]/m,
      /^studio_worker_up\{worker="local"\} 1$/m,
      /^studio_worker_info\{worker="local",version="\d[^"]*",os="[^"]+",arch="[^"]+"\} 1$/m,
      /^studio_jobs\{status="running"\} \d/m,
      /^studio_notices\{level="error"\} \d/m,
    ])
      assert.match(text, expected)
    await t.test('promtool check metrics finds nothing', { skip: promtool ? false : NO_PROMTOOL }, async () => {
      const { code, output, errors } = await runToEnd(promtool!, ['check', 'metrics'], { input: text })
      assert.deepEqual([code, output, errors], [0, '', ''])
    })
    await t.test('every figure of the alerts and of the dashboard exists', async () => {
      // One that is absent while nothing waits or no machine has a GPU.
      const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!))
      const used = ['alerts.yaml', 'dashboard.json'].flatMap((file) =>
        [...readFileSync(join(MONITORING, file), 'utf8').matchAll(/\b(studio|process)_[a-z_]+/g)].map(([name]) => name),
      )
      assert.ok(used.length > 30)
      const missing = used.filter((name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')) && !known.has(name))
      assert.deepEqual([...new Set(missing)], [])
      const sizes = await eventually(async () => {
        const figures = await read()
        return /^studio_stored_bytes\{kind="database"\} [1-9]/m.test(figures) && figures
      })
      assert.match(sizes, /^studio_stored_bytes\{kind="takes"\} \d/m)
    })
    await t.test('promtool accepts the alerts, their tests and the configuration', { skip: promtool ? false : NO_PROMTOOL }, async () => {
      for (const args of [
        ['check', 'config', join(MONITORING, 'prometheus.yaml')],
        ['test', 'rules', join(MONITORING, 'alerts.test.yaml')],
      ]) {
        const { code, output, errors } = await runToEnd(promtool!, args)
        assert.equal(code, 0, output + errors)
      }
    })
    assert.equal(text.includes('/no/such'), false)
    const { tasks } = (await world.get('/workers/tasks')).json()
    for (const { task_id } of tasks) assert.equal(text.includes(task_id), false)
    for (const line of text.split('\n'))
      assert.match(line, /^$|^# (HELP|TYPE) |^[a-z_]+(\{[^{}]*\})? [\d.e+-]+$|^[a-z_]+(\{[^{}]*\})? \+?Inf$/)
  })

  await t.test('the log of a machine is read over its link: only its own lines, no task text, no consent needed', async () => {
    const machine = await world.machine('attic')
    const read = async (query = '') => world.get(`/workers/${machine.workerId}/logs${query}`)
    const lines = (await read()).json() as { at: number; level: string; message: string; fields: Record<string, unknown> }[]
    assert.ok(lines.some(({ message }) => message === 'studio connected'))
    assert.ok(lines.every(({ at, level }) => at > 1e9 && level !== ''))
    assert.equal((await read('?last=1')).json().length, 1)
    for (const last of ['0', '1001', 'x', '1.5']) assert.equal((await read(`?last=${last}`)).status, 422, last)
    assert.equal((await world.get('/workers/unknown/logs')).status, 404)

    await world.approve(machine)
    await world.post('/workers/target', { target: machine.workerId })
    const secret = 'rosebud is the word'
    assert.equal((await world.post('/v1/audio/speech', { input: secret, response_format: 'wav' })).status, 200)
    const after = (await read()).body.toString()
    assert.match(after, /attempt started/)
    assert.equal(after.includes('rosebud'), false)

    await machine.program.end()
    await eventually(async () => (await read()).status === 503)
    assert.match((await read()).json().detail, /attic is not connected/)
    const restarted = await machine.restart()
    assert.equal((await world.get(`/workers/${restarted.workerId}/logs`)).status, 200)
  })

  await t.test('a followed log delivers new lines and does not keep the studio from stopping', async () => {
    await world.post('/workers/target', { target: 'local' })
    const response = await fetch(`${world.url}/workers/local/logs/stream?last=0`)
    assert.equal(response.headers.get('content-type'), 'application/x-ndjson')
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const reading = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) text += next.value
    })().catch(() => {})
    await world.post('/v1/audio/speech', { input: 'Good morning.', response_format: 'wav' })
    await eventually(() => /"message":"attempt started"/.test(text))
    assert.equal(await world.studio.end(), 0)
    assert.doesNotMatch(world.studio.output(), /requests that are still open/, 'the grace period for open responses was not needed')
    await reading
  })
})
