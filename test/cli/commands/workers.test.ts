import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { run as workers } from '#cli/commands/workers.ts'
import { requestJson } from '#cli/lib/studio-api.ts'
import { type Answers, openFakeStudio, refusal } from '#test/support/doubles/fake-studio.ts'
import { studio } from '#test/support/world/cli.ts'

const target = (overrides: Record<string, unknown>) => ({
  id: 'a0a0a0a0a0a0',
  label: 'attic',
  endpoint: '',
  connected: true,
  available: true,
  detail: '',
  is_local: false,
  status: 'ready',
  latency_ms: 12.3,
  active_tasks: 1,
  max_tasks: 4,
  can: ['svc-engine tts', 'tone tts'],
  ...overrides,
})
const LOCAL = target({ id: 'local', label: 'Local', is_local: true, latency_ms: 0, active_tasks: 0 })
const worker = (overrides: Record<string, unknown>) => ({
  id: 'a0a0a0a0a0a0',
  name: 'attic',
  priority: 50,
  last_seen_at: Date.now() / 1000 - 7300,
  breakers: [],
  ...overrides,
})
const offline = { connected: false, available: false, status: 'offline', latency_ms: 0, active_tasks: 0, max_tasks: 0, can: [] }

const play = (t: TestContext, targets: object[], workers: object[], more: Answers = {}) =>
  openFakeStudio(t, {
    'GET /workers/target': { target: 'local', targets: [LOCAL, ...targets] },
    'GET /workers': { running: true, endpoint: 'h:7443', queue_depth: 3, workers },
    ...more,
  })

test('a table of 80 columns lists the engines of each machine, or why it is unavailable', async (t) => {
  const { run } = await play(
    t,
    [
      target({}),
      target({ id: 'b1', label: 'The box under the stairs at home', available: false, detail: 'not approved' }),
      target({ id: 'c2', label: 'cellar', ...offline, detail: 'offline' }),
      target({ id: 'd3', label: 'shed', available: false, detail: 'paused after repeated failures' }),
    ],
    [
      worker({}),
      worker({ id: 'c2', name: 'cellar' }),
      worker({ id: 'd3', name: 'shed', breakers: [{ model_key: 'svc-engine:', summary: 'paused after 3 failures, retrying in 40s' }] }),
    ],
  )
  const { code, output, errors } = await run('workers')
  assert.deepEqual([code, errors], [0, ''])
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, /^\* {2}Local +ready +0\/4 +- +tts: svc-engine, tone$/m)
  assert.match(output, /^ {3}attic +ready +1\/4 +12\.3 ms +tts: svc-engine, tone$/m)
  assert.match(output, /The box under the stair… +unapproved/)
  assert.match(output, /To send it tasks, run \.\/studio workers approve b1\.$/m)
  assert.match(output, /^ {3}cellar +offline +- +- +-\n {4}Last connected 2 h ago\. On that machine, run \.\/studio agent\.$/m)
  assert.match(output, /shed +paused[\s\S]+retrying in 40s\. Resume now:[\s\S]+workers resume shed/)
  assert.match(output, /^Runs on: Local\nWaiting tasks: 3\nRemote machines: on$/m)
})

test('machines with the same name are shown and addressed by id', async (t) => {
  const { run, requests } = await play(t, [target({}), target({ id: 'b1' })], [])
  assert.match((await run('workers')).output, /attic b1 +ready/)
  const { code, errors } = await run('workers', 'approve', 'ATTIC')
  assert.equal(code, 1)
  assert.match(errors, /2 machines are named ATTIC\. Use one of these ids instead: a0a0a0a0a0a0, b1/)
  assert.equal(
    requests.some((each) => each.startsWith('POST')),
    false,
  )
})

test('control characters in machine names do not reach the terminal', async (t) => {
  const { run } = await play(t, [target({ label: 'x\u001b]0;owned\u0007\u009b2Jy' })], [])
  const { output } = await run('workers')
  assert.doesNotMatch(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('--json prints all machines', async (t) => {
  const { run } = await play(t, [target({})], [worker({})])
  const answer = JSON.parse((await run('workers', '--json')).output)
  assert.equal(answer.target, 'local')
  assert.deepEqual(
    answer.workers.map(({ id, state, active_tasks }: Record<string, unknown>) => [id, state, active_tasks]),
    [
      ['local', 'ready', 0],
      ['a0a0a0a0a0a0', 'ready', 1],
    ],
  )
})

for (const [verb, call, message] of [
  ['approve', 'POST /workers/a0a0a0a0a0a0/consent', /Approved attic/],
  ['withdraw', 'DELETE /workers/a0a0a0a0a0a0/consent', /Withdrew the approval of attic/],
  ['remove', 'DELETE /workers/a0a0a0a0a0a0', /Removed attic/],
  ['drain', 'POST /workers/a0a0a0a0a0a0/drain', /gets no new ones/],
  ['resume', 'POST /workers/a0a0a0a0a0a0/resume', /Resumed attic/],
] as const) {
  test(`workers ${verb} by name`, async (t) => {
    const { run, requests } = await play(t, [target({})], [], { [call]: { ok: true } })
    const { code, output } = await run('workers', verb, 'Attic')
    assert.equal(code, 0)
    assert.match(output, message)
    assert.equal(requests.at(-1), verb === 'drain' ? `${call} {"drain":true}` : call)
  })
}

const { signal } = new AbortController()

test('workers on, off, use and connect', async (t) => {
  const unapproved = target({ id: 'b1', label: 'the barn', available: false, detail: 'not approved' })
  const fleet = { running: true, endpoint: '10.0.0.1:7443', queue_depth: 0, workers: [] }
  const { env, requests } = await play(t, [target({}), unapproved], [], {
    'POST /workers/enabled': fleet,
    'POST /workers/target': { target: 'auto', targets: [] },
    'POST /workers/inbound/connections': { endpoint: 'h:1', connections: [] },
  })
  const done = async (...args: string[]) => {
    const output = new PassThrough()
    assert.equal(await workers(args, { env, output, cwd: '/', input: Readable.from([]), errors: output, interrupted: () => signal }), 0)
    return String(output.read())
  }
  assert.equal(await done('on'), 'Remote machines are on, reachable at 10.0.0.1:7443. To invite one: ./studio invite\n')
  assert.equal(await done('off'), 'Remote machines are off. Connected machines were disconnected.\n')
  assert.equal(await done('use', 'Attic'), 'Tasks now run on attic.\n')
  assert.equal(await done('use', 'auto'), 'Tasks now run on the fastest machine that is ready.\n')
  assert.match(await done('use', 'the barn'), /It gets none before you approve it: \.\/studio workers approve 'the barn'\n$/)
  assert.match(await done('connect', 'svcnode://x'), /then needs your approval\.\n$/)
  assert.deepEqual(JSON.parse(await done('on', '--json')), fleet)
  const posts = requests.filter((each) => each.startsWith('POST'))
  assert.deepEqual(posts, [
    'POST /workers/enabled {"enabled":true}',
    'POST /workers/enabled {"enabled":false}',
    'POST /workers/target {"target":"a0a0a0a0a0a0"}',
    'POST /workers/target {"target":"auto"}',
    'POST /workers/target {"target":"b1"}',
    'POST /workers/inbound/connections {"connection_string":"svcnode://x"}',
    'POST /workers/enabled {"enabled":true}',
  ])
  // `local` is the target already.
  assert.equal(await done('use', 'local'), 'Tasks now run on this machine.\n')
})

test('each failure is a sentence with the next step', async (t) => {
  const issue = { type: 'value_error', loc: ['body', 'target'], msg: 'must be a name', input: 'x' }
  for (const [answer, message] of [
    [refusal(422, { detail: [issue] }), 'target must be a name.'],
    [refusal(409, { detail: 'It is busy.' }), 'It is busy.'],
    [refusal(409, { detail: { error: 'x', message: 'Install it first.' } }), 'Install it first.'],
    [
      refusal(401, { detail: 'API key required' }),
      'The studio requires an API key. Set STUDIO_API_KEY to the value that the studio was started with.',
    ],
    [
      refusal(403, { detail: 'loopback origin required' }),
      /^loopback origin required\. Run the command on the machine of the studio, as the user/,
    ],
    [refusal(500, {}), 'The studio answered with status 500. Its log says why.'],
    ['<html>', /^The program at 127\.0\.0\.1:\d+ is not a studio\. Check STUDIO_PORT\.$/],
  ] as const) {
    const { env } = await openFakeStudio(t, { 'GET /x': answer })
    const error = await requestJson(env, 'GET', '/x').catch((failure: Error) => failure)
    if (typeof message === 'string') assert.equal((error as Error).message, message)
    else assert.match((error as Error).message, message)
  }
})

test('an address that cannot be reached is explained', async () => {
  const refused = (env: Record<string, string>) => requestJson(env, 'GET', '/x').then(String, (error: Error) => error.message)
  assert.equal(await refused({ STUDIO_PORT: '1' }), 'No studio is running at 127.0.0.1:1. Start one with ./studio.')
  for (const port of ['abc', '0', '70000'])
    assert.equal(await refused({ STUDIO_PORT: port }), 'STUDIO_PORT must be a port number from 1 to 65535.')
})

test('workers logs prints the newest lines, and new ones with --follow', async (t) => {
  const line = (message: string) => ({ at: 1795274618.671, level: 'warn', message, fields: { code: 'X', more: { a: 1 } } })
  const { run } = await play(t, [target({})], [], {
    'GET /workers/a0a0a0a0a0a0/logs?last=2': [line('one'), line('two\u001b[2J')],
    'GET /workers/a0a0a0a0a0a0/logs/stream?last=50': `${JSON.stringify(line('three'))}\n`,
  })
  const { code, output } = await run('workers', 'logs', 'attic', '--last', '2')
  assert.equal(code, 0)
  assert.equal(output, '2026-11-21 15:23:38 warn  one code=X more={"a":1}\n2026-11-21 15:23:38 warn  two [2J code=X more={"a":1}\n')
  const followed = await run('workers', 'logs', 'attic', '--follow')
  assert.match(followed.output, /warn {2}three/)
  assert.match(followed.errors, /attic has disconnected\. Its log ends here\./)
  assert.equal(followed.code, 1)
})

test('a refusal shows the message and the hint of the studio', async (t) => {
  const { run } = await play(t, [target({})], [], {
    'GET /workers/a0a0a0a0a0a0/logs?last=50': refusal(503, { detail: 'attic is not connected.', hint: 'Check that the machine is on.' }),
  })
  const { code, errors } = await run('workers', 'logs', 'attic')
  assert.deepEqual([code, errors], [1, 'studio: attic is not connected.\n        Check that the machine is on.\n'])
  const unknown = await run('workers', 'approve', 'unknown')
  assert.deepEqual([unknown.code, unknown.errors], [1, 'studio: There is no machine named unknown. The machines are: Local, attic\n'])
})

test('without a running studio the message says how to start one', async () => {
  const { code, errors } = await studio(['workers'], { env: { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' } })
  assert.equal(code, 1)
  assert.match(errors, /No studio is running at 127\.0\.0\.1:1\. Start one with \.\/studio\./)
})

for (const [args, message] of [
  [['aprove', 'x'], /Unknown workers command 'aprove'/],
  [['approve'], /workers approve NAME/],
  [['approve', 'a', 'b'], /in quotes/],
  [['use'], /workers use NAME/],
  [['on', 'x'], /workers on takes none/],
  [['connect'], /one connection string, or -/],
  [['--last', '3'], /options of workers logs/],
] as const) {
  test(`invalid arguments: workers ${args.join(' ')}`, async () => {
    const { code, errors } = await studio(['workers', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  })
}
