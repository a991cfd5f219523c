import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostMachines } from '#control-plane/features/machines/tasks/lost-machines.ts'
import type { Change } from '#control-plane/tasks/record.ts'

test('a machine that loses several tasks at once raises one notice, without its name', () => {
  const change = (kind: string, phase: string, workerId: string) =>
    ({ event: { kind, epoch: 1 }, before: null, record: { task: { phase, workerId } } }) as unknown as Change
  const notices = lostMachines([
    change('link-lost', 'unknown', 'attic'),
    change('link-lost', 'unknown', 'attic'),
    change('link-lost', 'cancelling', 'cellar'), // it was being cancelled anyway
    change('start', 'running', 'shed'),
  ])
  assert.deepEqual(
    notices.map(({ kind, id }) => [kind, id]),
    [['notice', 'machine attic']],
  )
  assert.deepEqual(Object.keys(notices[0]!.fields!()), ['message', 'hint'])
})
