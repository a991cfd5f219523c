import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInstalls } from '#control-plane/features/machines/models/install/install-job.ts'
import { createReports } from '#control-plane/features/machines/models/install/install-reports.ts'
import type { JobFrame, JobType, StepContext } from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EMPTY_INSTALL_EVENT } from '#shared/protocol/messages.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const PLACE = { where: 'local', repo_id: 'studio/tone' }

test('an installation whose job is cancelled before its step begins is found, stopped and can begin again', async () => {
  const types: JobType[] = []
  const cancelled: string[] = []
  const stopped: string[] = []
  const signals: AbortSignal[] = []
  async function* reports(): AsyncGenerator<Wire<'InstallEvent'>> {
    yield { ...EMPTY_INSTALL_EVENT, phase: 'install_start' }
  }
  const installs = createInstalls({
    jobs: {
      add: (type: JobType) => void types.push(type),
      create: async () => ({ record: { job: { id: 'job-1' } } }),
      // What the engine of jobs does for a job whose step has not begun.
      cancel: async (id: string) => {
        cancelled.push(id)
        await types[0]!.cleanUp?.(id, PLACE)
      },
    } as unknown as Jobs,
    live: () => ({ describeAgain() {}, stopInstall: async (id: string) => void stopped.push(id) }) as never,
    hostAt: () => ({
      install: (_id: string, signal: AbortSignal) => {
        signals.push(signal)
        return reports()
      },
    }),
    publish() {},
    clock: createFakeClock(),
    log,
  })
  for (const round of [0, 1]) {
    await installs.begin(PLACE, 'Tone')
    assert.ok(installs.isRunning(PLACE))
    await installs.cancel([PLACE])
    assert.equal(installs.isRunning(PLACE), false)
    assert.ok(signals[round]!.aborted)
  }
  assert.deepEqual(cancelled, ['job-1', 'job-1'])
  assert.deepEqual(stopped, [PLACE.repo_id, PLACE.repo_id])
})

test('a cancel before a machine has begun again, as after a restart, stops it once it has begun', async () => {
  const begun = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  const phases: string[] = []
  let hasBegun = false
  async function* machine(): AsyncGenerator<Wire<'InstallEvent'>> {
    await begun.promise
    hasBegun = true
    yield { ...EMPTY_INSTALL_EVENT, phase: 'install_start' }
    await stopped.promise
    yield { ...EMPTY_INSTALL_EVENT, phase: 'install_cancelled' }
  }
  const reports = createReports({
    live: () => ({ describeAgain() {}, stopInstall: async () => void (hasBegun && stopped.resolve()) }) as never,
    hostAt: () => ({ install: machine }),
    publish: ({ phase }) => void phases.push(phase),
    clock: createFakeClock(),
  })
  const abort = new AbortController()
  const context = { signal: abort.signal, isCancelled: () => true, emit: async () => {}, report() {} } as unknown as StepContext<JobFrame>
  const ended = reports.follow(PLACE, null, context)
  abort.abort(new Failure('CANCELLED', 'The job was cancelled.'))
  begun.resolve()
  assert.equal((await ended).phase, 'install_cancelled')
  assert.deepEqual(phases, ['install_start', 'install_cancelled'])
})
