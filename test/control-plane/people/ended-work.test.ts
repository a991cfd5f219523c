// Work that goes on or ends when a person ends: who asked for it decides, not whose object it is on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOfPerson, OWNER } from '#control-plane/clients/client.ts'
import { createPeopleService } from '#control-plane/features/operate/people/people.service.ts'
import { createPeople } from '#control-plane/people/people.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { NO_LIMITS } from '#shared/protocol/access/person.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

test('the end of a person ends the jobs that it asked for, also on objects of others, and none of the owner', async (t) => {
  const opened = openLedger(t)
  const people = createPeople({ ...opened, random })
  const makers = createMakers(opened)
  const { person } = await people.add({ name: 'Ada', kind: 'person', role: 'own', limits: NO_LIMITS }, null)
  const ada = clientOfPerson(person.id)
  const clients = { own: ada, 'of-another': { ...ada, id: 'person:bob' }, 'of-the-owner': { ...OWNER, id: ada.id } } as const
  for (const [id, client] of Object.entries(clients)) makers.record('job', id, client.id)
  const cancelled = new Set<string>()
  const jobs = {
    active: () => Object.entries(clients).map(([id, { source }]) => ({ id, type: 'test', source })),
    cancel: async (id: string) => void cancelled.add(id),
  }
  const limits = { tasksOf: () => [] } as never
  const service = createPeopleService({ ...opened, people, limits, jobs, tasks: {} as never, log, issuer: () => null })
  await service.end(person.id)
  assert.deepEqual([...cancelled], ['own', 'of-another'])
  assert.deepEqual(
    Object.values(clients).map((client) => makers.hasEnded(client)),
    [true, true, false],
    'also at the next start',
  )
})
