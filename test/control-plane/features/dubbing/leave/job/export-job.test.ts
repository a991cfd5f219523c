// Jobs that make exports: one for equal requests, and none of another dub ends with a dub.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createExportJobs } from '#control-plane/features/dubbing/leave/job/export-job.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { ended, jobsFor } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const CHOICE = { what: 'mp3', lang: 'de', preserve_bg: true, burn_subs: false, dual: false } as const

test('equal exports at once and after a restart are one job, and the end of a dub leaves those of other dubs', async (t) => {
  const world = jobsFor(t, [], join(temporaryFolder(t), 'studio.db'))
  const { jobs, clock } = world
  const open = (add: typeof jobs.add) =>
    createExportJobs({
      core: {
        dub: () => ({ filename: 'talk.mp4', inputType: 'video' }),
        plans: { of: async () => [{ languageCode: 'de' }] },
        makerOf: () => OWNER_ID,
      } as never,
      jobs: { ...jobs, add },
      make: (_dub, _choice, _progress, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
      read: async () => null,
      clock,
      random: { hex: () => 'run' },
    })
  const exports = open(jobs.add)
  const [first, second, other] = await Promise.all([
    exports.start('talk', CHOICE),
    exports.start('talk', CHOICE),
    exports.start('talk', { ...CHOICE, what: 'wav' }),
  ])
  assert.equal(first, second)
  assert.notEqual(first, other)
  assert.equal(await open(() => {}).start('talk', CHOICE), first, 'nothing in memory is needed')

  const foreign = await exports.start('talk_two', CHOICE)
  assert.equal(exports.abort('talk'), true)
  for (const id of [first, other]) assert.equal((await ended(world, id)).record.job.status, 'cancelled')
  assert.notEqual((await jobs.get(foreign))!.record.job.status, 'cancelled')
})
