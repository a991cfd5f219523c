// The file of a take that is made as a job.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTakeJobs } from '#control-plane/features/speech/speech/take/take-job.ts'
import type { JobType } from '#control-plane/jobs/job-type.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('jobs whose ids begin alike write different files, and a repeated step writes the same one', async () => {
  const files: string[] = []
  let added: JobType | null = null
  createTakeJobs({
    jobs: { add: (type: JobType) => (added = type) },
    takes: { make: async (_: unknown, id: string) => void files.push(id) },
    synthesis: { resume: async () => ({}) },
    clock: createFakeClock(),
  } as unknown as Parameters<typeof createTakeJobs>[0])
  const spoken = { json: { kept: null, took_ms: 0, task_id: 't', machine: 'm', fallback: null }, digest: null }
  const write = async (job: string, plan: object) => {
    const steps = added!.steps(plan as never, { outputs: new Map([['speak', spoken]]) } as never, job)
    const { run } = steps.flat().find(({ name }) => name === 'file')!
    await run({ signal: new AbortController().signal } as never)
  }
  await write('01234567-first', { takeId: 'aaaaaaaa' })
  await write('01234567-second', { takeId: 'bbbbbbbb' })
  await write('01234567-first', { takeId: 'aaaaaaaa' })
  await write('89abcdef-earlier-version', {})
  assert.deepEqual(files, ['aaaaaaaa', 'bbbbbbbb', 'aaaaaaaa', '89abcdef'])
})
