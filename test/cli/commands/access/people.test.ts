import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true })

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

test('misuse of people names the right form', async () => {
  for (const [args, message] of [
    [['add'], /people add 'NAME'/],
    [['add', 'x', '--role', 'king'], /listen, create, operate, own/],
    [['add', 'x', '--days', '0'], /--days takes/],
    [['role', 'x'], /people role NAME ROLE/],
    [['end'], /people end NAME/],
    [['key', 'new'], /people key new NAME/],
    [['key', 'new', 'x', '--overlap', '999'], /.*/],
    [['remove', 'x'], /Unknown people command 'remove'/],
  ] as const) {
    const { code, errors } = await studio(['people', ...args], { env: { STUDIO_PORT: '1' } })
    assert.ok(code === 2 || code === 3, args.join(' '))
    assert.match(errors, message)
  }
})
