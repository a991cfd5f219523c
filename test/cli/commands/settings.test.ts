// `settings`, `backup` and `restore` against a running studio: values, secrets from standard input, and a database that comes back.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { jsonIn, studio } from '#test/support/world/cli.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const KEY = 'gsk_canary_of_the_command'

test('settings, backup and restore', { timeout: 400_000 }, async (t) => {
  const world = await openWorld(t, { env: { PATH: '/nowhere', HF_HOME: '/nowhere' }, withoutAgent: true })
  const cwd = temporaryFolder(t)
  const env = () => ({ STUDIO_DATA_DIR: world.dataDir, STUDIO_PORT: new URL(world.url).port })
  const cli = (args: string[], input = '') => studio(args, { env: env(), cwd, input })
  const settings = (...args: string[]) => cli(['settings', ...args])

  await t.test('values are listed, shown and changed', async () => {
    const listed = await settings('list', '--all')
    assert.equal(listed.code, 0, listed.errors)
    assert.match(listed.output, /^history\n {2}history\.retention = 200\n {2}history\.missing = "auto"\n\n/m)
    assert.match(listed.output, /^ {2}llm\.provider\.groq\.key = \(not set\)$/m)
    assert.ok(!listed.output.includes('<'), 'no placeholders')
    assert.equal((await settings('set', 'history.retention', '5')).output, 'history.retention = 5\n')
    const changed = (await settings('list')).output
    assert.match(changed, /^ {2}history\.retention = 5$/m)
    assert.match(changed, /^\d+ more settings have their default\. List all with/m)
    assert.ok(!changed.includes('groq'), changed)
    assert.match(
      (await settings('list', 'GROQ')).output,
      /^llm\n {2}llm\.provider\.groq = .+\n {2}llm\.provider\.groq\.key = \(not set\)\n$/,
    )
    const unknown = await settings('list', 'nonsense')
    assert.deepEqual([unknown.code, unknown.output], [2, ''])
    assert.match(unknown.errors, /No setting contains 'nonsense'/)
    const { output } = await settings('get', 'history.retention', '--json')
    const { value, default: usual, source } = jsonIn(output)
    assert.deepEqual([value, usual, source], [5, 200, 'stored'])
    assert.equal((await world.get('/api/settings/history-retention')).json().cap, 5)
    const device = await settings('set', 'compute.device', 'quantum')
    assert.equal(device.code, 1)
    assert.match(device.errors, /The device quantum cannot be used here\. Choose one of auto/)
  })

  await t.test('refusals say what to do', async () => {
    for (const [args, code, words] of [
      [[], 2, /The settings commands are: list, get, set, rotate-key/],
      [['get'], 2, /key of the setting is missing/],
      [['get', 'nothing'], 5, /There is no setting nothing/],
      [['set', 'history.retention'], 2, /The value is missing/],
      [['set', 'history.retention', 'many'], 2, /takes a JSON value/],
      [['set', 'history.retention', '100001'], 1, /This setting takes a whole number from 0 to 100000\./],
      [['set', 'worker_target', 'auto'], 1, /workers use NAME/],
      [['set', 'llm.provider.groq.key', KEY], 2, /is a secret\. Write - as its value/],
    ] as const) {
      const { code: ended, errors } = await settings(...args)
      assert.equal(ended, code, `${args.join(' ')}: ${errors}`)
      assert.match(errors, words)
      assert.ok(!errors.includes(KEY))
    }
  })

  await t.test('a secret comes from standard input and survives the rotation of the key', async () => {
    const set = await cli(['settings', 'set', 'llm.provider.groq.key', '-'], `${KEY}\n`)
    assert.deepEqual([set.code, set.output], [0, 'llm.provider.groq.key = (set)\n'], set.errors)
    const shown = await settings('get', 'llm.provider.groq.key', '--json')
    assert.ok(!shown.output.includes('canary'))
    const file = join(world.dataDir, 'authority/settings.key')
    const before = readFileSync(file)
    assert.equal((await settings('rotate-key')).output, 'Encrypted with a new key: 1.\n')
    assert.notDeepEqual(readFileSync(file), before)
    await world.restart('SIGKILL')
    const rows = (await world.get('/api/settings/llm-providers')).json().providers
    assert.equal(rows.find(({ id }: { id: string }) => id === 'groq').has_key, true)
    assert.equal((await settings('set', 'llm.provider.groq.key', '')).output, 'llm.provider.groq.key = (not set)\n')
    await cli(['settings', 'set', 'llm.provider.groq.key', '-'], KEY)
    assert.equal((await settings('set', 'hub.token', '')).output, 'hub.token = (not set)\n')
  })

  await t.test('the folder of the models is authorized by the command', async () => {
    const chosen = await settings('set', 'storage.models_dir', 'models')
    assert.equal(chosen.output, `storage.models_dir = ${JSON.stringify(join(cwd, 'models'))}\n`, chosen.errors)
    assert.deepEqual(readdirSync(join(world.dataDir, '.path-authorizations')), ['.claimed'])
  })

  await t.test('a backup of the running studio is restored when it has stopped', async () => {
    const made = await cli(['backup', '--database', 'copy.db'])
    assert.equal(made.code, 0, made.errors)
    const copy = join(cwd, 'copy.db')
    assert.equal(statSync(copy).mode & 0o077, 0)
    assert.ok(!readFileSync(copy).includes('canary'), 'a stolen backup contains no readable secret')
    assert.equal((await cli(['backup', '--database', 'copy.db'])).code, 1, 'no file is overwritten')
    const own = jsonIn((await studio(['backup', '--database', '--json'], { env: env(), cwd: '/proc' })).output)
    assert.deepEqual([dirname(own.path), statSync(own.path).size], [join(world.dataDir, 'backups'), own.bytes])
    assert.deepEqual(
      readdirSync(cwd).filter((name) => name.endsWith('.db')),
      ['copy.db'],
      'without a name the current folder stays as it was',
    )
    assert.match((await cli(['restore', 'copy.db'])).errors, /A studio is using this data directory/)
    assert.equal((await cli(['restore'])).code, 2)

    await settings('set', 'history.retention', '7')
    await world.studio.end('SIGTERM')
    const restored = await cli(['restore', 'copy.db'])
    assert.equal(restored.code, 0, restored.errors)
    const [, kept] = /before it is (.+)\.$/m.exec(restored.output)!
    assert.ok(existsSync(kept!))
    await world.restart()
    assert.equal((await world.get('/api/settings/history-retention')).json().cap, 5)
    const rows = (await world.get('/api/settings/llm-providers')).json().providers
    assert.equal(rows.find(({ id }: { id: string }) => id === 'groq').has_key, true, 'the key file was not replaced')
  })
})
