// POST /engines/{engine_id}/selftest: one short sentence, spoken for real as a task like any other. One at a time: two tests that load two
// models would measure each other.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Synthesis } from '../../inference/synthesis.ts'
import { failureOf, type Tasks } from '../../tasks/tasks.ts'
import type { EnginesApi } from '../engines/api.ts'
import type { SelftestReply } from './selftest.contract.ts'

type Deps = {
  readonly engines: Pick<EnginesApi, 'tts'>
  readonly synthesis: Pick<Synthesis, 'submit'>
  readonly tasks: Pick<Tasks, 'outcome' | 'cancel'>
  readonly clock: Clock
}
const PHRASE = 'This is a short test of the engine.'
const STEPS = 8
const TIMEOUT_MS = 90_000
const WAITING_LIMIT = 8

export function createSelftest({ engines, synthesis, tasks, clock }: Deps) {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function speak(id: string, signal: AbortSignal, traceparent: string): Promise<SelftestReply> {
    const from = clock.mono()
    const answer = (message: string, timedOut = false): SelftestReply => ({
      id,
      ok: false,
      message,
      duration_ms: Math.round(clock.mono() - from),
      sample_rate: null,
      num_samples: null,
      audio_seconds: null,
      timed_out: timedOut,
    })
    const timeout = new AbortController()
    const forget = clock.after(TIMEOUT_MS, () => timeout.abort())
    let taskId = ''
    try {
      const { task } = await synthesis.submit({
        model: id,
        voice: null,
        segments: [{ text: PHRASE, seed: 1, pause_after_ms: 0 }],
        parameters: { language: 'en', num_step: STEPS },
        idempotencyKey: null,
        ephemeral: false,
        traceparent,
      })
      taskId = task.id
      const ended = await tasks.outcome(task.id, AbortSignal.any([signal, timeout.signal]))
      const failure = failureOf(ended)
      if (failure) return answer(failure.message)
      const { sample_rate, parts } = JSON.parse(ended.result!.result) as { sample_rate: number; parts: { samples: number }[] }
      const samples = parts.reduce((sum, part) => sum + part.samples, 0)
      if (samples === 0) return answer('The engine ended well and made no sound.')
      return { ...answer('Healthy'), ok: true, sample_rate, num_samples: samples, audio_seconds: samples / sample_rate }
    } catch (error) {
      if (taskId !== '') tasks.cancel(taskId) // nobody else waits for this sound
      if (timeout.signal.aborted) return answer(`It did not speak within ${TIMEOUT_MS / 1000} seconds.`, true)
      return answer(Failure.from(error).message)
    } finally {
      forget()
    }
  }

  return {
    /** A synthesis that fails is an answer. Throws NOT_FOUND, BAD_REQUEST for one that cannot be tested, QUEUE_FULL. */
    async run(id: string, signal: AbortSignal, traceparent: string): Promise<SelftestReply> {
      const row = engines.tts().backends.find((each) => each.id === id)
      if (!row) throw new Failure('NOT_FOUND', `Unknown speech engine '${id}'.`)
      if (!row.available) throw new Failure('BAD_REQUEST', `'${id}' cannot be tested: ${row.reason}`)
      if (row.isolation_mode === 'subprocess')
        throw new Failure('BAD_REQUEST', `'${id}' runs as a program of its own; let it speak to test it.`)
      if (waiting >= WAITING_LIMIT) throw new Failure('QUEUE_FULL', `${waiting} tests are under way already`)
      waiting++
      const before = last
      const mine = (async () => {
        await before
        signal.throwIfAborted()
        return speak(id, signal, traceparent)
      })()
      last = mine.catch(() => {})
      return mine.finally(() => waiting--)
    },
  }
}
