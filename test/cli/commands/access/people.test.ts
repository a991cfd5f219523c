import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '#control-plane/store/database.ts'
import { plantPeople } from '#test/support/guests/planted-people.ts'
import { addressOf, commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { sharedWorld } from '#test/support/world/world.ts'

/** Two people that have ended, and their work. */
function prepare(dataDir: string): void {
  plantPeople(dataDir, { 'Ada L': 'create', '=SUM(A1)': 'create' })
  const db = openDatabase(join(dataDir, 'studio.db'))
  db.exec(`update person set ended_at = 2; update person_key set ended_at = 2;
    insert into person_usage (person_id, day, engine, tasks, failed, sound_ms, gpu_ms) values
      ('Ada L', '2026-01-01', 'tone', 2, 1, 90000, 0), ('Ada L', '2026-01-01', 'kokoro', 2, 1, 90000, 0),
      ('Ada L', '2026-01-02', 'tone', 2, 1, 90000, 0), ('=SUM(A1)', '2026-01-01', 'tone', 2, 1, 90000, 0)`)
  db.exec(`insert into person (id, name, folded, kind, role, created_at, ended_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 1100)
      select 'gone-' || i, 'Gone ' || i, 'gone ' || i, 'person', 'create', 1, i + 2 from n;
    insert into person_usage (person_id, day, engine)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 50001) select 'gone-1', '1999-01-01', 'e' || i from n`)
  db.close()
}
const open = sharedWorld({ withoutAgent: true, prepare })

test('people are added with a key that is shown once, listed, changed and ended', async () => {
  const world = await open()
  const run = commandsOf(world)
  assert.equal((await run('people')).output, 'No people yet. Add one with ./studio people add NAME.\n')
  const added = await run('people', 'add', 'Ada', '--role', 'listen', '--days', '30')
  const [key = ''] = added.output.split('\n')
  assert.match(key, /^svk_[\w-]{43}$/)
  const me = async (proof: string) => (await world.send('GET', '/people/me', undefined, { authorization: `Bearer ${proof}` })).json()
  assert.equal((await me(key)).role, 'listen')
  const { output } = await run('people')
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, /^NAME +ROLE +KEY +BEGINS +USED +EXPIRES$/m)
  assert.match(output, new RegExp(`^Ada +listen +[0-9a-f]{16} +${key.slice(0, 8)} +\\d+ s +29 d|30 d`, 'm'))
  assert.ok(!output.includes(key))
  assert.equal((await run('people', 'role', 'ada', 'operate')).output, 'Ada has the role operate now.\n')
  const [{ keys }] = (await world.get('/people')).json()
  const next = jsonIn((await run('people', 'key', 'new', 'Ada', '--replaces', keys[0].id, '--overlap', '1', '--json')).output) as {
    key: string
    key_id: string
  }
  assert.equal((await me(next.key)).role, 'operate')
  assert.equal((await me(key)).role, 'operate', 'the overlap')
  assert.equal((await run('people', 'key', 'end', 'Ada', keys[0].id, '--yes')).output, `Ended key ${keys[0].id}.\n`)
  assert.equal((await run('people', 'end', 'Ada', '--yes')).output, 'Ended Ada. What it made stays.\n')
  assert.match((await run('people', '--ended')).output, /^Ada +ended/m)
  assert.equal((await run('people', 'end', 'Ada', '--yes')).code, 5)
  assert.ok(!world.studio.output().includes(key.slice(8)))
})

test('usage is a row a person, engine and day, and a name is no formula in its file', async () => {
  const world = await open()
  const run = commandsOf(world)
  assert.equal((await run('people', 'usage', '--from', '9000-01-01')).output, 'People have done no work in this time.\n')
  const file = (await run('people', 'usage', '--csv', '--from', '2026-01-01')).output.split('\n')
  assert.deepEqual(file, [
    'person_id,name,day,engine,tasks,failed,sound_ms,gpu_ms',
    "'=SUM(A1),'=SUM(A1),2026-01-01,tone,2,1,90000,0",
    'Ada L,Ada L,2026-01-01,kokoro,2,1,90000,0',
    'Ada L,Ada L,2026-01-01,tone,2,1,90000,0',
    'Ada L,Ada L,2026-01-02,tone,2,1,90000,0',
    '',
  ])
  const { output } = await run('people', 'usage', '--from', '2026-01-02')
  assert.match(output, /^NAME +DAY +ENGINE +TASKS +FAILED +SOUND MIN +GPU MIN\nAda L +2026-01-02 +tone +2 +1 +1\.5 +0\.0\n$/)
  const { usage } = jsonIn((await run('people', 'usage', '--from', '2026-01-01', '--to', '2026-01-01', '--json')).output) as {
    usage: { name: string }[]
  }
  assert.deepEqual(
    usage.map(({ name }) => name),
    ['=SUM(A1)', 'Ada L', 'Ada L'],
  )
})

test('what the studio lists of people is bounded', async () => {
  const world = await open()
  const all = await world.get('/people/usage')
  assert.equal(all.status, 400)
  assert.match(all.body.toString(), /more than 50000 rows\. Name fewer days with from and to\./)
  const ended = (await world.get('/people?ended=true')).json() as { id: string; ended_at: number | null }[]
  assert.equal(ended.filter(({ ended_at }) => ended_at !== null).length, 1_000)
  assert.ok(ended.some(({ id }) => id === 'gone-1100') && !ended.some(({ id }) => id === 'gone-1'), 'the newest')
})

test('the provider of identities is set with its secret from a file or standard input, shown, tried and removed', async () => {
  const world = await open()
  const run = commandsOf(world)
  const set = ['people', 'oidc', 'set', '--issuer', 'http://127.0.0.1:1', '--client-id', 'studio', '--address', world.url]
  const secret = 'a secret of the client'
  const first = await studio([...set, '--button', 'Example'], { env: addressOf(world), input: `${secret}\n` })
  assert.equal(first.code, 0, first.errors)
  assert.match(first.output, new RegExp(`^Redirect address: ${world.url}/sign-in/oidc/callback$`, 'm'))
  const file = join(world.dataDir, 'client-secret')
  writeFileSync(file, `${secret}\n`)
  assert.equal((await run(...set, '--secret-file', file)).code, 0)
  assert.equal((await run('people', 'oidc', 'set', '--button', 'Other', '--keep-secret')).code, 0)
  const shown = jsonIn((await run('people', 'oidc', '--json')).output)
  assert.deepEqual([shown.issuer, shown.client_id, shown.label, shown.client_secret], ['http://127.0.0.1:1', 'studio', 'Other', undefined])
  const tried = await run('people', 'oidc', 'test')
  assert.equal(tried.code, 1)
  assert.match(tried.errors, /The provider of identities cannot be used: 127\.0\.0\.1:1 gave no answer/)
  await run('people', 'add', 'Grace', '--email', 'grace@example.org')
  assert.equal((await run('people', 'sign-in', 'Grace', 'Hopper@example.org')).output, 'Grace signs in with hopper@example.org.\n')
  assert.equal((await run('people', 'sign-in', 'Grace', '--subject', '42')).output, 'Grace signs in with the account 42.\n')
  assert.equal((await run('people', 'sign-in', 'Grace', 'none')).output, 'Grace signs in with keys only.\n')
  assert.equal((await run('people', 'end', 'Grace', '--yes')).code, 0)
  assert.match((await run('people', 'oidc', 'remove', '--yes')).output, /^People sign in with keys only\./)
  assert.ok(!world.studio.output().includes(secret))
})

test('misuse of people names the right form', async () => {
  for (const [args, message] of [
    [['add'], /people add 'NAME'/],
    [['add', 'x', '--role', 'king'], /listen, create, operate, own/],
    [['add', 'x', '--days', '0'], /--days takes/],
    [['role', 'x'], /people role NAME ROLE/],
    [['end'], /people end NAME/],
    [['key', 'new'], /people key new NAME/],
    [['key', 'new', 'x', '--overlap', '999'], /.*/],
    [['usage', 'x'], /people usage takes no further word/],
    [['usage', '--to', 'today'], /--to takes a day/],
    [['sign-in', 'x'], /people sign-in NAME WHO/],
    [['oidc', 'nosuch'], /Unknown people oidc command 'nosuch'/],
    [['oidc', 'set', 'x'], /people oidc set/],
    [['remove', 'x'], /Unknown people command 'remove'/],
  ] as const) {
    const { code, errors } = await studio(['people', ...args], { env: { STUDIO_PORT: '1' } })
    assert.ok(code === 2 || code === 3, args.join(' '))
    assert.match(errors, message)
  }
})
