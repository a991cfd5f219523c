import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ withoutAgent: true })

test('projects are listed in a table of 80 columns without control characters, renamed and removed', async () => {
  const world = await open()
  const run = commandsOf(world)
  assert.equal((await run('projects')).output, 'No projects yet. Clients create them.\n')
  const create = async (name: string, duration: number | null = null): Promise<string> => {
    const reply = await world.post('/projects', { name, duration, state: {} })
    assert.equal(reply.status, 200, reply.body.toString())
    return reply.json().id
  }
  const film = await create(`A film \u202e${'x'.repeat(90)}`, 5400)
  const book = await create('A book')

  const { code, output } = await run('projects')
  assert.equal(code, 0)
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, /^PROJECT +CHANGED +LENGTH +NAME$/m)
  assert.match(output, new RegExp(`^${film} +\\d+ s +1 h +A film {1,2}x+…?$`, 'm'))
  assert.match(output, new RegExp(`^${book} +\\d+ s +- +A book$`, 'm'))
  assert.ok(!output.includes('\u202e'))
  assert.deepEqual(jsonIn((await run('projects', '--json')).output), (await world.get('/projects')).json())

  assert.equal((await run('projects', 'rename', book, 'B')).output, `Renamed project ${book} to B.\n`)
  assert.equal((await world.get(`/projects/${book}`)).json().name, 'B')
  assert.equal((await run('projects', 'remove', book, '--yes')).output, `Deleted project ${book}.\n`)
  assert.equal((await world.get(`/projects/${book}`)).status, 404)
  for (const words of [
    ['rename', book, 'C'],
    ['remove', book, '--yes'],
  ]) {
    const { code, errors } = await run('projects', ...words)
    assert.deepEqual([code, errors], [5, `studio: There is no project ${book}. List them with ./studio projects.\n`])
  }
})

test('misuse names the right form', async () => {
  for (const [args, message] of [
    [['rename', '99999999'], /projects rename ID/],
    [['rename', '99999999', 'A', 'book'], /projects rename ID 'NEW NAME'/],
    [['remove'], /projects remove ID/],
    [['delete', '99999999'], /Unknown projects command 'delete'\. The projects commands are: rename, remove\./],
  ] as const) {
    const { code, errors } = await studio(['projects', ...args], { env: { STUDIO_PORT: '1' } })
    assert.equal(code, 2, args.join(' '))
    assert.match(errors, message)
  }
})
