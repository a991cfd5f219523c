import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Answers, playStudio, refused } from '#test/support/doubles/played-studio.ts'
import { studio } from '#test/support/world/cli.ts'

const target = (wish: Record<string, unknown>) => ({
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
  ...wish,
})
const LOCAL = target({ id: 'local', label: 'Local', is_local: true, latency_ms: 0, active_tasks: 0 })
const worker = (wish: Record<string, unknown>) => ({
  id: 'a0a0a0a0a0a0',
  name: 'attic',
  priority: 50,
  last_seen_at: Date.now() / 1000 - 7300,
  breakers: [],
  ...wish,
})
const away = { connected: false, available: false, status: 'offline', latency_ms: 0, active_tasks: 0, max_tasks: 0, can: [] }

const play = (t: TestContext, targets: object[], workers: object[], more: Answers = {}) =>
  playStudio(t, {
    'GET /workers/target': { target: 'local', targets: [LOCAL, ...targets] },
    'GET /workers': { running: true, endpoint: 'h:7443', queue_depth: 3, workers },
    ...more,
  })

test('a table for a terminal of 80 columns says of each machine what it can do, or why it cannot', async (t) => {
  const { run } = await play(
    t,
    [
      target({}),
      target({ id: 'b1', label: 'The box under the stairs at home', available: false, detail: 'not approved' }),
      target({ id: 'c2', label: 'cellar', ...away, detail: 'offline' }),
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
  assert.match(output, /until you say: \.\/studio workers approve b1$/m)
  assert.match(output, /^ {3}cellar +offline +- +- +-\n {4}last seen 2 h ago; its owner starts it with \.\/studio agent$/m)
  assert.match(output, /shed +paused[\s\S]+retrying in 40s; sooner with[\s\S]+workers resume shed/)
  assert.match(output, /^Work goes to: Local\. Waiting: 3\.$/m)
})

test('machines of one name are told apart by their ids', async (t) => {
  const { run, asked } = await play(t, [target({}), target({ id: 'b1' })], [])
  assert.match((await run('workers')).output, /attic b1 +ready/)
  const { code, errors } = await run('workers', 'approve', 'ATTIC')
  assert.equal(code, 1)
  assert.match(errors, /2 machines are called ATTIC; say which by id: a0a0a0a0a0a0, b1/)
  assert.equal(
    asked.some((each) => each.startsWith('POST')),
    false,
  )
})

test('what other machines call themselves cannot command the terminal', async (t) => {
  const { run } = await play(t, [target({ label: 'x\u001b]0;owned\u0007\u009b2Jy' })], [])
  const { output } = await run('workers')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there
  assert.doesNotMatch(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test('with --json scripts get everything', async (t) => {
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

for (const [verb, call, said] of [
  ['approve', 'POST /workers/a0a0a0a0a0a0/consent', /may be sent to attic/],
  ['withdraw', 'DELETE /workers/a0a0a0a0a0a0/consent', /Nothing is sent to attic/],
  ['remove', 'DELETE /workers/a0a0a0a0a0a0', /removed for good/],
  ['drain', 'POST /workers/a0a0a0a0a0a0/drain', /takes nothing new/],
  ['resume', 'POST /workers/a0a0a0a0a0a0/resume', /takes work again/],
] as const) {
  test(`workers ${verb} by name`, async (t) => {
    const { run, asked } = await play(t, [target({})], [], { [call]: { ok: true } })
    const { code, output } = await run('workers', verb, 'Attic')
    assert.equal(code, 0)
    assert.match(output, said)
    assert.equal(asked.at(-1), verb === 'drain' ? `${call} {"drain":true}` : call)
  })
}

test('the log of a machine, the newest lines and then each new one', async (t) => {
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
  assert.match(followed.errors, /attic is gone; its log ends here/)
  assert.equal(followed.code, 1)
})

test('a refusal is told in the words of the studio, with what to do', async (t) => {
  const { run } = await play(t, [target({})], [], {
    'GET /workers/a0a0a0a0a0a0/logs?last=50': refused(503, { detail: 'attic is not connected.', hint: 'Check that the machine is on.' }),
  })
  const { code, errors } = await run('workers', 'logs', 'attic')
  assert.deepEqual([code, errors], [1, 'studio: attic is not connected.\n        Check that the machine is on.\n'])
  const unknown = await run('workers', 'approve', 'nobody')
  assert.deepEqual([unknown.code, unknown.errors], [1, 'studio: no machine is called nobody; there are Local, attic\n'])
})

test('says how to start a studio where none answers', async () => {
  const { code, errors } = await studio(['workers'], { env: { STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1' } })
  assert.equal(code, 1)
  assert.match(errors, /no studio answers at 127\.0\.0\.1:1; start one with \.\/studio/)
})

for (const [args, message] of [
  [['aprove', 'x'], /'aprove' is none of them/],
  [['approve'], /workers approve NAME/],
  [['approve', 'a', 'b'], /in quotes/],
  [['--last', '3'], /belong to workers logs/],
] as const) {
  test(`misuse: workers ${args.join(' ')}`, async () => {
    const { code, errors } = await studio(['workers', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  })
}
