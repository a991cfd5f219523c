import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFakeStudio, refusal } from '#test/support/doubles/fake-studio.ts'

const project = (id: string, name: string, duration: number | null = null) => {
  const changed = Date.now() / 1000 - 130
  return { id, name, video_path: null, duration, created_at: changed, updated_at: changed }
}
const PROJECTS = [project('0a1b2c3d', `A film \u001b[2J${'x'.repeat(90)}`, 5400), project('99999999', 'A book')]

test('lists the projects in a table of 80 columns without control characters', async (t) => {
  const { run } = await openFakeStudio(t, { 'GET /projects': PROJECTS })
  const { code, output } = await run('projects')
  assert.equal(code, 0)
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, /^PROJECT +CHANGED +LENGTH +NAME$/m)
  assert.match(output, /^0a1b2c3d +2 min +1 h +A film {1,2}\[2Jx+…?$/m)
  assert.match(output, /^99999999 +2 min +- +A book$/m)
  assert.ok(!output.includes('\u001b'))
  assert.deepEqual(JSON.parse((await run('projects', '--json')).output), PROJECTS)
})

test('an empty list says where projects come from', async (t) => {
  const { run } = await openFakeStudio(t, { 'GET /projects': [] })
  assert.equal((await run('projects')).output, 'No projects yet. Clients create them.\n')
})

test('renames and removes', async (t) => {
  const { run } = await openFakeStudio(t, {
    'GET /projects': PROJECTS,
    'PATCH /projects/99999999': { id: '99999999', name: 'B', updated_at: 1 },
    'DELETE /projects/99999999': { deleted: '99999999' },
    'PATCH /projects/1': refusal(404, { detail: 'Project not found' }),
  })
  assert.equal((await run('projects', 'rename', '99999999', 'B')).output, 'Renamed project 99999999 to B.\n')
  assert.equal((await run('projects', 'remove', '99999999')).output, 'Deleted project 99999999.\n')
  const unknown = await run('projects', 'rename', '1', 'B')
  const absent = await run('projects', 'remove', '12345678')
  for (const [reply, id] of [
    [unknown, '1'],
    [absent, '12345678'],
  ] as const)
    assert.deepEqual([reply.code, reply.errors], [1, `studio: There is no project ${id}. List them with ./studio projects.\n`])
})

test('misuse names the right form and sends nothing', async (t) => {
  const { run } = await openFakeStudio(t, { 'GET /projects': PROJECTS })
  for (const [args, message] of [
    [['rename', '99999999'], /projects rename ID/],
    [['rename', '99999999', 'A', 'book'], /projects rename ID 'NEW NAME'/],
    [['remove'], /projects remove ID/],
    [['delete', '99999999'], /Unknown projects command 'delete'\. The projects commands are: rename, remove\./],
  ] as const) {
    const { code, errors } = await run('projects', ...args)
    assert.equal(code, 2, args.join(' '))
    assert.match(errors, message)
  }
})
