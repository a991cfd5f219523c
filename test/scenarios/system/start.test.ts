// Failed starts: a message, an exit status, and no partial start. Also the secrets that a start must never print.
import assert from 'node:assert/strict'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openDatabase } from '#control-plane/store/database.ts'
import { INVALID_SETTINGS } from '#shared/protocol/settings.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { form } from '#test/support/world/http.ts'
import { startProgram } from '#test/support/world/process.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

/**
 * The most modules of a start, of which each costs half a millisecond. Load what only some requests need with `await import()` in the function
 * that needs it; raise a limit only for what every start runs.
 */
const START = { studio: { own: 1150, ofPackages: 430 }, agent: { own: 370, ofPackages: 225 } } as const
const NEVER_AT_START = [
  ...['openai', '@modelcontextprotocol', '@huggingface', 'onnxruntime', 'sherpa-onnx', 'n2words', 'unpdf', 'parse5', 'saxes', 'marked'],
  ...['ajv', '@opentelemetry', 'wasm-media-encoders', '@echogarden', 'swagger-ui', 'uqr', 'openid-client', 'oauth4webapi'],
]
const listModules = (path: string) => ({
  NODE_OPTIONS: `--import="${new URL('../../support/starting/list-modules.ts', import.meta.url)}"`,
  VOICE_STUDIO_TEST_MODULES: path,
})
function loadedBy(path: string) {
  const urls = JSON.parse(readFileSync(path, 'utf8')) as string[]
  const names = urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  return { packages: [...new Set(names)].sort(), ofPackages: names.length, own: urls.length - names.length }
}

async function refusal(t: TestContext, env: Record<string, string>, status = 1): Promise<string> {
  const program = startProgram(t, ['control-plane/main.ts'], { STUDIO_PORT: '0', ...env })
  assert.equal(await program.ended, status, program.output())
  return message(program.output())
}
function message(output: string): string {
  assert.match(output, /^studio: /m)
  assert.doesNotMatch(output, /\bat .*:\d+:\d+|node:internal|listens on/)
  return output
}
/** The same for several starts in one process, which ends by itself: a start that is refused leaves nothing open. */
async function refusals(t: TestContext, environments: readonly Record<string, string>[], status = 1): Promise<string[]> {
  const all = environments.map((env) => ({ STUDIO_PORT: '0', ...env }))
  const program = startProgram(t, ['test/support/starting/refused-starts.ts', JSON.stringify(all)], {})
  assert.equal(await program.ended, 0, program.output())
  const outputs = program.output().split(`\nstatus ${status}\n`)
  assert.equal(outputs.pop(), '', `each start has the exit status ${status}`)
  assert.equal(outputs.length, environments.length)
  return outputs.map(message)
}

test('all configuration problems are reported together, without their values', async (t) => {
  const output = await refusal(
    t,
    {
      STUDIO_DATA_DIR: 'relative/path',
      STUDIO_PORT: '70000',
      STUDIO_WORKER_PORT: 'canary-port',
      STUDIO_HOST: '0.0.0.0',
      STUDIO_LOG_LEVEL: 'canary-level',
      STUDIO_DEVELOPMENT: 'canary-maybe',
      STUDIO_WORKER_ENDPOINT_HOST: 'canary host',
      STUDIO_PROT: 'canary-name',
      STUDIO_REMOTE_WORKERS: '1',
    },
    INVALID_SETTINGS,
  )
  for (const line of [
    'STUDIO_DATA_DIR: must be an absolute path',
    'STUDIO_PORT: must be at most 65535',
    'STUDIO_WORKER_PORT: must be a port number',
    'STUDIO_HOST: other machines can reach this address, so STUDIO_API_KEY must be set',
    'STUDIO_LOG_LEVEL: must be debug, info, warn, error or silent',
    'STUDIO_DEVELOPMENT: must be 1 or 0',
    'STUDIO_WORKER_ENDPOINT_HOST: must be a host name or an address',
    'STUDIO_PROT: there is no such setting',
    'STUDIO_REMOTE_WORKERS: there is no such setting',
  ])
    assert.ok(output.includes(`\n  ${line}\n`), `${line}\n${output}`)
  assert.doesNotMatch(output, /canary/)
})

test('an address that others can reach requires a key, which must be long and is not printed', async (t) => {
  const hosts = ['0.0.0.0', '::', '192.0.2.2', 'studio.example']
  const [short, ...open] = await refusals(
    t,
    [
      { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_API_KEY: 'canary-key' },
      ...hosts.map((STUDIO_HOST) => ({ STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_HOST })),
    ],
    INVALID_SETTINGS,
  )
  assert.match(short!, /STUDIO_API_KEY: must have at least 16 characters/)
  assert.doesNotMatch(short!, /canary/)
  for (const output of open) assert.match(output, /STUDIO_API_KEY must be set/)
})

test('a key that a person made up stops the start in server mode, and the message names the way out', async (t) => {
  const weak = ['voicestudio-2031', 'Wintergarten1987!', 'qwertzuiop09876543']
  const outputs = await refusals(
    t,
    weak.map((STUDIO_API_KEY) => ({ STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_SERVER_MODE: '1', STUDIO_API_KEY })),
    INVALID_SETTINGS,
  )
  for (const [at, output] of outputs.entries()) {
    assert.match(output, /STUDIO_API_KEY: is easy to guess.*\.\/studio key create\./)
    assert.ok(!output.includes(weak[at]!))
  }
  const reserved = `svc_admin_session_${'x1y2z3'.repeat(5)}`
  const [taken] = await refusals(t, [{ STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_API_KEY: reserved }], INVALID_SETTINGS)
  assert.match(taken!, /STUDIO_API_KEY: must not begin with svc_/)
})

test('a data directory that is not writable, is not a database, or belongs to a newer studio', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), '')
  mkdirSync(join(folder, 'with-a-file'))
  writeFileSync(join(folder, 'with-a-file/outputs'), '')
  const unwritable = [join(folder, 'file'), join(folder, 'file/below'), '/proc/studio', join(folder, 'with-a-file')]
  if (mayMount) unwritable.push(smallDisk(t, 'size=1m,ro'))
  else t.diagnostic('no read-only disk: only root may mount one')
  const noDatabase = temporaryFolder(t)
  writeFileSync(join(noDatabase, 'studio.db'), 'This is not a database. '.repeat(400))
  const newer = temporaryFolder(t)
  const db = openDatabase(join(newer, 'studio.db'))
  db.pragma('user_version = 999')
  db.close()
  const outputs = await refusals(
    t,
    [...unwritable, noDatabase, newer].map((STUDIO_DATA_DIR) => ({ STUDIO_DATA_DIR })),
  )
  assert.match(outputs.pop()!, /written by a newer studio/)
  assert.match(outputs.pop()!, /studio\.db is damaged \(file is not a database\)\./)
  for (const [at, output] of outputs.entries()) {
    assert.match(output, /The data directory cannot be written/, unwritable[at])
    assert.match(output, /Choose another STUDIO_DATA_DIR/)
  }
})

const mounting = { skip: !mayMount && 'only root may mount a small disk' }
test('a data directory and a port in use', async (t) => {
  const dataDir = join(temporaryFolder(t), 'data')
  mkdirSync(dataDir)
  openDatabase(join(dataDir, 'studio.db')).close()
  chmodSync(join(dataDir, 'studio.db'), 0o644)
  chmodSync(dataDir, 0o755)
  const lists = { studio: join(temporaryFolder(t), 'studio'), agent: join(temporaryFolder(t), 'agent') }
  const world = await openWorld(t, { ownAuthority: true, env: { STUDIO_DATA_DIR: dataDir, ...listModules(lists.studio) } })

  await t.test('a port that is in use, and a data directory that is in use', async (t) => {
    const { port } = new URL(world.url)
    const taken = await refusal(t, { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_PORT: port })
    assert.match(taken, new RegExp(`Another program uses 127\\.0\\.0\\.1:${port}\\. Choose another STUDIO_PORT`))
    const shared = await refusal(t, { STUDIO_DATA_DIR: dataDir })
    assert.match(shared, /Another studio is using .*studio\.db\. Stop it or choose another STUDIO_DATA_DIR\./)
    assert.match(
      await refusal(
        t,
        { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_HOST: '127.0.0.1', STUDIO_PORT: '1', STUDIO_WORKER_PORT: '-1' },
        INVALID_SETTINGS,
      ),
      /STUDIO_WORKER_PORT/,
    )
    assert.equal((await world.get('/health')).status, 200)
  })

  await t.test('a data directory that other users can read is closed, and one of another user is refused', async (t) => {
    assert.equal((await world.send('POST', '/generate', form({ text: 'A take.', engine: 'tone' }))).status, 200)
    assert.match(
      world.studio.output(),
      new RegExp(
        `The permissions of ${dataDir} \\(mode 755\\) and of 1 more entry allowed access by other users\\. That access was removed`,
      ),
    )
    const entries = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    assert.ok(['studio.db-wal', 'agent/control.sock', 'authority'].every((name) => entries.includes(name)))
    for (const path of [dataDir, ...entries.map((entry) => join(dataDir, entry))])
      assert.equal(lstatSync(path).mode & 0o077, 0, `${path} is accessible to others`)

    assert.equal(await world.studio.end(), 0)
    chmodSync(dataDir, 0o755)
    const leaving = startProgram(t, ['agent/main.ts', 'leave'], { STUDIO_DATA_DIR: dataDir })
    assert.equal(await leaving.ended, 0, leaving.output())
    assert.equal(lstatSync(dataDir).mode & 0o777, 0o700)
    if (process.getuid?.() !== 0) return
    chownSync(dataDir, 12_345, 12_345)
    const output = await refusal(t, { STUDIO_DATA_DIR: dataDir })
    assert.ok(
      output.includes(`belongs to another user (uid 12345). Start as that user, or check the files and run: sudo chown -R 0 '${dataDir}'`),
      output,
    )
  })

  await t.test('a start loads no module that only some requests need', async (t) => {
    const agent = startProgram(t, ['agent/main.ts'], { STUDIO_DATA_DIR: temporaryFolder(t), ...listModules(lists.agent) })
    await agent.says(/agent started/)
    assert.equal(await agent.end(), 0)
    for (const program of ['studio', 'agent'] as const) {
      const { packages, ofPackages, own } = loadedBy(lists[program])
      t.diagnostic(`${program}: ${own} own modules and ${ofPackages} of ${packages.length} packages`)
      const expected = START[program]
      assert.deepEqual(
        packages.filter((name) => NEVER_AT_START.some((one) => name.startsWith(one))),
        [],
      )
      assert.ok(own > 100 && own <= expected.own, `${own} own modules`)
      assert.ok(ofPackages > 100 && ofPackages <= expected.ofPackages, `${ofPackages} modules of ${packages.join(', ')}`)
    }
  })
})

test('a full disk causes an error response, not an exit: nothing is lost and work continues once there is space', mounting, async (t) => {
  const disk = smallDisk(t, 'size=6m')
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: disk } })
  const speak = () =>
    world.post('/v1/audio/speech', { input: 'Is there any room left for a sentence or two on this small disk?', response_format: 'pcm' })
  const take = () => world.send('POST', '/generate', form({ text: 'One more take for the history of this studio.', engine: 'tone' }))
  const first = await take()
  assert.equal(first.status, 200, first.body.toString())
  const ballast = join(disk, 'ballast')
  fill(ballast)

  for (const attempt of [take, speak, take]) {
    const reply = await attempt()
    // Speech that still fits into the remaining space is not a failure.
    if (reply.status === 200) continue
    assert.equal(reply.status, 507, `${reply.status} ${reply.body.toString().slice(0, 300)}`)
    assert.match(reply.json().hint, /disk of the studio is full/)
    assert.doesNotMatch(reply.body.toString(), /\bat .*:\d+:\d+/)
  }
  assert.equal((await take()).status, 507)
  const probes = async () => [(await world.get('/health')).status, (await world.get('/live')).status, (await world.get('/ready')).status]
  assert.deepEqual(await probes(), [200, 200, 507])
  assert.equal((await world.get('/history')).json().length, 1)
  assert.deepEqual(readdirSync(join(disk, 'outputs')), [first.headers.get('x-audio-path')])

  rmSync(ballast)
  await eventually(async () => (await take()).status === 200)
  assert.equal((await speak()).status, 200)
  // The answer of /ready is kept for a moment.
  await eventually(async () => (await probes()).every((status) => status === 200))
  assert.equal((await world.get('/history')).json().length, 2)
  assert.equal(await world.studio.end(), 0)
})

/** Writes until the disk is full. */
function fill(path: string): void {
  for (const size of [2 ** 16, 2 ** 12]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' })
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'ENOSPC')
    }
  }
}

test('neither the API key nor a join code is ever written to disk', async (t) => {
  const key = 'canary-api-key-0123456789'
  const world = await openWorld(t, { remote: true, env: { STUDIO_API_KEY: key, STUDIO_LOG_LEVEL: 'debug' } })
  const code = await world.code({ label: 'canary' })
  const { s: secret } = JSON.parse(Buffer.from(code.slice(code.indexOf('_') + 1), 'base64url').toString()) as { s: string }
  assert.ok(secret.length >= 32)
  const joining = startProgram(t, ['agent/main.ts', 'join', code], { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_LOG_LEVEL: 'debug' })
  assert.equal(await joining.ended, 0, joining.output())
  const again = startProgram(t, ['agent/main.ts', 'join', code], { STUDIO_DATA_DIR: temporaryFolder(t) })
  assert.equal(await again.ended, 1)
  await world.send('GET', '/history', undefined, { authorization: `Bearer ${key}` })
  await world.post('/workers/enrollments', { label: code, endpoint: code })
  await world.studio.end()
  const written = [world.studio.output(), joining.output(), again.output(), ...contents(world.dataDir)]
  assert.ok(
    written.some((text) => text.includes('canary')),
    'the label is in the database, so it was looked at',
  )
  for (const text of written) {
    for (const word of [key, secret, Buffer.from(secret, 'base64url').toString('latin1'), Buffer.from(secret, 'base64url').toString('hex')])
      assert.ok(!text.includes(word), `found where it must not be: ${text.slice(0, 200)}`)
  }
})

const contents = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'))
