import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { requestJson } from '#cli/lib/studio/api.ts'
import { type WorkerRow, workerLines } from '#cli/views/worker-views.ts'
import { addressOf, commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { startProgram } from '#test/support/world/process.ts'
import { slowly, startOn } from '#test/support/world/tasks.ts'
import { eventually, freePort, sharedWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true, env: { STUDIO_TTS_BACKEND: 'tone' } })

type Target = { readonly id: string; readonly connected: boolean; readonly detail: string; readonly available: boolean }
const stateOf = async (world: World, id: string): Promise<Target> =>
  ((await world.get('/workers/target')).json().targets as Target[]).find((target) => target.id === id)!

/** The machine that speaks now. */
async function speaker(world: World): Promise<string> {
  const reply = await world.post('/v1/audio/speech', { input: 'A sentence.', response_format: 'wav' })
  assert.equal(reply.status, 200, reply.body.toString())
  const [task] = (await world.get('/workers/tasks?limit=1&always=true')).json().tasks
  return task.attempts.at(-1).worker_id
}

test('what each change of a machine says has happened: work goes where the command said', async (t) => {
  const world = await open()
  const run = commandsOf(world)
  const said = async (...words: string[]) => {
    const { code, output, errors } = await run('workers', ...words)
    assert.deepEqual([code, errors], [0, ''], words.join(' '))
    return output
  }
  let box = await world.machine('the attic')
  t.after(() => world.remove(box))
  const id = box.workerId

  assert.equal(
    await said('use', 'The Attic'),
    "the attic is chosen, but it is not approved, so tasks run on this machine until that changes. To send it tasks, run ./studio workers approve 'the attic'.\n",
  )
  assert.equal(await speaker(world), 'local')
  assert.match(await said('approve', 'the attic'), /^Approved the attic\. .* \.\/studio workers use 'the attic'\n$/)
  assert.equal(
    await said('use', 'the attic'),
    'Speech, dubs, audiobooks and dictation now run on the attic. Other work runs on this machine.\n',
  )
  assert.equal(await speaker(world), id)

  const long = await startOn(world, id, { params: slowly(60_000) })
  assert.match(
    await said('drain', 'the attic'),
    /it finishes its tasks and gets no new ones\. To end this: \.\/studio workers resume 'the attic'\n$/,
  )
  assert.match(
    await said(),
    /^\* {2}the attic +draining +1\/\d+ .*\n {4}It finishes its tasks and gets no new ones\.\n {4}To send it tasks again, run \.\/studio workers resume [0-9a-f]+\.\n/m,
  )
  assert.equal(await speaker(world), 'local')
  assert.equal((await stateOf(world, id)).detail, 'drained')
  await world.post(`/workers/tasks/${long.id}/cancel`)
  assert.equal(await said('resume', 'the attic'), 'Resumed the attic. It gets tasks again.\n')
  assert.equal(await speaker(world), id)

  await world.patch(`/workers/${id}`, { enabled: false })
  await said('drain', 'the attic')
  assert.equal(
    await said('resume', 'the attic'),
    'Resumed the attic. It still gets none, because it is disabled. Turn it on on the Machines page.\n',
  )
  assert.equal(await speaker(world), 'local')
  await world.patch(`/workers/${id}`, { enabled: true })

  await box.program.end('SIGKILL')
  await eventually(async () => !(await stateOf(world, id)).connected)
  assert.match(
    await said('use', 'the attic'),
    /^the attic is chosen, but it is offline, so tasks run on this machine until that changes\. If no agent runs on/,
  )
  assert.equal(await speaker(world), 'local')
  assert.match(
    await said(),
    /^\* {2}the attic +offline +- +- +\d+\.\d+\.\d+ +-\n {4}Last connected \d+ s ago\.\n {4}If no agent runs on that machine, start it there with \.\/studio agent\.\n/m,
  )
  box = await box.restart()
  assert.equal(await speaker(world), id)

  assert.equal(await said('off'), 'Remote machines are off. Connected machines were disconnected.\n')
  await eventually(async () => !(await stateOf(world, id)).connected)
  assert.equal(await speaker(world), 'local')
  assert.match(
    await said('use', 'the attic'),
    /but remote machines are off, so tasks run on this machine until that changes\. Turn them on with \.\/studio workers on\.\n$/,
  )
  assert.match(await said('on'), /^Remote machines are on\. They connect to 127\.0\.0\.1:\d+\. To invite one: \.\/studio invite\n$/)
  await eventually(async () => (await stateOf(world, id)).available)
  assert.equal(await speaker(world), id)
  assert.equal(jsonIn(await said('on', '--json')).running, true)

  assert.equal(await said('use', 'local'), 'Tasks now run on this machine.\n')
  assert.equal(await speaker(world), 'local')
  assert.match(await said('withdraw', 'the attic'), /The studio sends it nothing\. It deleted its copies\.\n$/)
  await said('use', 'the attic')
  assert.equal(await speaker(world), 'local')
  assert.equal(await said('remove', 'the attic', '--yes'), 'Removed the attic. It needs a new join code to connect again.\n')
  assert.equal((await run('workers', 'approve', 'the attic')).code, 5)
  const reason = async () => (await world.post('/v1/audio/speech', { input: 'A sentence.' })).headers.get('x-svc-routing-reason') ?? ''
  assert.match(await reason(), /The chosen machine no longer exists, so this machine was used\./)
  assert.equal(await said('use', 'local'), 'Tasks now run on this machine.\n')
  assert.doesNotMatch(await reason(), /no longer exists/)
})

test('machines are listed in 80 columns, by id if two have a name, and without control characters', async (t) => {
  const world = await open()
  const run = commandsOf(world)
  const boxes = [await world.machine('shed\u202eevil'), await world.machine('twin'), await world.machine('TWIN')]
  t.after(async () => {
    for (const box of boxes) await world.remove(box)
  })
  await world.approve(boxes[1]!)
  const { code, output, errors } = await run('workers')
  assert.deepEqual([code, errors], [0, ''])
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.doesNotMatch(output, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  assert.match(output, /^\* {2}Local +ready +\d\/\d+ +- +/m)
  assert.match(output, new RegExp(`^ {3}twin ${boxes[1]!.workerId} +ready +0/\\d+ +[\\d.]+ ms +\\d+\\.\\d+\\.\\d+ +translate: `, 'm'))
  assert.match(
    output,
    new RegExp(`TWIN ${boxes[2]!.workerId} +unapproved .*\\n {4}To send it tasks, run \\./studio workers approve ${boxes[2]!.workerId}\\.`),
  )
  assert.match(output, /^Runs on: Local\nWaiting tasks: 0\nRemote machines: on$/m)
  const listed = jsonIn((await run('workers', '--json')).output)
  assert.deepEqual([listed.target, listed.workers.length], ['local', 4])
  const ambiguous = await run('workers', 'approve', 'twin')
  assert.equal(ambiguous.code, 1)
  assert.match(ambiguous.errors, /2 machines are named twin\. Use one of these ids instead: [0-9a-f]+, [0-9a-f]+/)
  assert.equal((await stateOf(world, boxes[2]!.workerId)).detail, 'not approved')
  const unknown = await run('workers', 'approve', 'unknown')
  assert.match(unknown.errors, /^studio: There is no machine named unknown\. The machines are: Local, /)
  const local = await run('workers', 'drain', 'local')
  assert.deepEqual([local.code, local.errors], [1, 'studio: Local is this machine. workers drain applies to other machines only.\n'])
})

test('connect says whether the machine answered, for one that listens on a fixed port and for one that does not', async (t) => {
  const world = await open()
  const run = commandsOf(world)
  const port = String(await freePort())
  const there = { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_DEVELOPMENT: '1', STUDIO_INBOUND_PORT: port }
  const listener = startProgram(t, ['cli/main.ts', 'agent', 'listen'], there)
  await listener.says(/"listening":true.*agent started/)
  const fixed = await studio(['agent', 'listen', '--port', String(await freePort())], { env: there })
  assert.deepEqual([fixed.code, fixed.output], [1, ''])
  assert.match(
    fixed.errors,
    new RegExp(`^studio: STUDIO_INBOUND_PORT sets ${port}, so \\d+ cannot be chosen\\. Remove that setting to choose here\\.\\n$`),
  )
  assert.match(
    (await studio(['agent', 'listen', '--port', port], { env: there })).output,
    new RegExp(`^Listening: on 127\\.0\\.0\\.1:${port} `),
  )
  const string = (await studio(['agent', 'keys', 'add', 'Ada'], { env: there })).output.split('\n')[0]!
  const connected = await run('workers', 'connect', string)
  assert.deepEqual([connected.code, connected.errors], [0, ''])
  assert.match(connected.output, new RegExp(`^Connected to the machine at 127\\.0\\.0\\.1:${port}\\. It needs your approval: `))
  const { connections } = (await world.get('/workers/inbound')).json() as { connections: { endpoint: string; connected: boolean }[] }
  assert.deepEqual(
    connections.map(({ endpoint, connected }) => [endpoint, connected]),
    [[`127.0.0.1:${port}`, true]],
  )

  const second = (await studio(['agent', 'keys', 'add', 'Bob'], { env: there })).output.split('\n')[0]!
  await listener.end('SIGKILL')
  const absent = await run('workers', 'connect', second)
  assert.equal(absent.code, 0)
  assert.match(absent.output, /has not answered yet\..* The studio keeps trying\. When it answers, it needs your approval/)
  for (const text of ['svcx_bad', 'nonsense']) {
    const refused = await run('workers', 'connect', text)
    assert.equal(refused.code, 1)
    assert.match(refused.errors, /^studio: .+\.\n$/)
  }
})

test('workers logs prints the newest lines, and new ones with --follow until the machine disconnects', async (t) => {
  const world = await open()
  const run = commandsOf(world)
  const box = await world.machine('cellar')
  t.after(() => world.remove(box))
  await world.approve(box)
  const { code, output } = await run('workers', 'logs', 'cellar', '--last', '2')
  assert.deepEqual([code, output.trimEnd().split('\n').length], [0, 2], output)
  for (const line of output.trimEnd().split('\n')) assert.match(line, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (info|warn|debug|error) +\S/)
  const following = startProgram(t, ['cli/main.ts', 'workers', 'logs', 'cellar', '--follow', '--last', '1'], addressOf(world))
  await following.says(/\n/)
  await world.post('/workers/target', { target: box.workerId })
  assert.equal(await speaker(world), box.workerId)
  await following.says(/attempt started/)
  await box.program.end('SIGKILL')
  assert.equal(await following.ended, 1)
  assert.match(following.output(), /cellar has disconnected\. Its log ends here\.\n$/)
  await eventually(async () => !(await stateOf(world, box.workerId)).connected)
  const gone = await run('workers', 'logs', 'cellar')
  assert.deepEqual([gone.code, gone.output], [1, ''])
  assert.match(gone.errors, /^studio: cellar is not connected, so its log cannot be read\.\n/)
})

test('a paused engine has a note with what to do, also where the name of the machine needs quotes', () => {
  const numbers = { latency_ms: 0, active_tasks: 0, max_tasks: 4, last_seen_at: null, version: '0.6.0', can: [], pool: null, lapsed: null }
  const row: WorkerRow = {
    ...numbers,
    id: 'd3',
    label: 'the shed',
    connected: true,
    available: false,
    detail: 'paused after repeated failures',
    is_local: false,
    status: 'ready',
    state: 'paused',
    paused: [{ model_key: 'svc-engine:', summary: 'paused after 3 failures, retrying in 40s' }],
  }
  const lines = workerLines([row], { target: 'local', isOn: true, now: 0 }).join('\n')
  assert.match(lines, /the shed +paused[\s\S]+svc-engine:: paused after 3 failures, retrying in 40s\.[\s\S]+workers resume d3/)
})

test('each failure of a request is a sentence with the next step', async (t) => {
  const world = await open()
  const refusals: readonly (readonly [method: string, path: string, body: unknown, message: RegExp])[] = [
    ['POST', '/workers/target', { target: 5 }, /^target .+\.$/],
    ['DELETE', '/workers/0123456789ab', undefined, /^.+\.$/],
    ['POST', '/v1/audio/speech', { input: 'x', model: 'kokoro' }, /models install/],
  ]
  for (const [method, path, body, message] of refusals)
    await assert.rejects(
      requestJson(addressOf(world), method, path, body),
      (error: Error) => message.test(error.message) || assert.fail(error.message),
    )
  const foreign = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1')
  await once(foreign, 'listening')
  t.after(() => foreign.close())
  await assert.rejects(requestJson({ STUDIO_PORT: String((foreign.address() as AddressInfo).port) }, 'GET', '/x'), {
    message: /^The program at 127\.0\.0\.1:\d+ is not a studio\. Check STUDIO_HOST and STUDIO_PORT\.$/,
  })
})

test('an address that cannot be reached is explained', async () => {
  const refused = (env: Record<string, string>) => requestJson(env, 'GET', '/x').then(String, (error: Error) => error.message)
  assert.equal(await refused({ STUDIO_PORT: '1' }), 'No studio is running at 127.0.0.1:1. Start one with ./studio.')
  for (const port of ['abc', '0', '70000'])
    assert.equal(await refused({ STUDIO_PORT: port }), 'STUDIO_PORT must be a port number from 1 to 65535.')
  for (const host of ['ftp://x', 'https://', 'https://a:b@x', 'http://x/?q'])
    assert.equal(await refused({ STUDIO_HOST: host }), 'STUDIO_HOST must be a name, an address, or a URL such as https://studio.example.')
  assert.equal(
    await refused({ STUDIO_HOST: 'http://127.0.0.1:1/studio/' }),
    'No studio is running at http://127.0.0.1:1/studio. Start one with ./studio.',
  )
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
