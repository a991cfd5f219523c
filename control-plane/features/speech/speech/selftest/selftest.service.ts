// POST /engines/{engine_id}/selftest: one short sentence as a regular task. Tests run one at a time, because two models that load at the
// same time would distort both measurements.

import { createTurns } from '#control-plane/clients/turns.ts'
import type { EnginesApi } from '#control-plane/features/machines/engines/api.ts'
import type { Synthesis } from '#control-plane/inference/synthesis.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { SelftestReply } from './selftest.contract.ts'

type Deps = {
  readonly engines: Pick<EnginesApi, 'tts'>
  readonly synthesis: Pick<Synthesis, 'start'>
  readonly clock: Clock
}
const PHRASE = 'This is a short test of the engine.'
const STEPS = 8
const TIMEOUT_MS = 90_000
const WAITING_PER_CLIENT = 8

export function createSelftest({ engines, synthesis, clock }: Deps) {
  const inTurn = createTurns({ atOnce: 1, what: 'tests of engines', waitingPerClient: WAITING_PER_CLIENT })

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
    const caller = AbortSignal.any([signal, timeout.signal])
    try {
      const run = await synthesis.start(
        {
          model: id,
          params: { language: 'en', num_step: STEPS, voice: null, segments: [{ text: PHRASE, seed: 1, pause_after_ms: 0 }] },
          idempotencyKey: null,
          ephemeral: false,
          traceparent,
        },
        caller,
      )
      const { sample_rate, parts } = await run.result()
      const samples = parts.reduce((sum, part) => sum + part.samples, 0)
      if (samples === 0) return answer('The engine finished without an error but returned no audio.')
      return {
        ...answer('Healthy'),
        ok: true,
        sample_rate,
        num_samples: samples,
        audio_seconds: Math.round((1000 * samples) / sample_rate) / 1000,
      }
    } catch (error) {
      if (timeout.signal.aborted) return answer(`The engine returned no audio within ${TIMEOUT_MS / 1000} seconds.`, true)
      return answer(Failure.from(error).message)
    } finally {
      forget()
    }
  }

  return {
    /** A failed synthesis is reported in the result. Throws NOT_FOUND, BAD_REQUEST for an engine that cannot be tested, QUEUE_FULL. */
    async run(id: string, signal: AbortSignal, traceparent: string): Promise<SelftestReply> {
      const row = engines.tts().backends.find((each) => each.id === id)
      if (!row) throw new Failure('NOT_FOUND', `Unknown speech engine '${id}'.`)
      if (!row.available) throw new Failure('BAD_REQUEST', `'${id}' cannot be tested: ${row.reason}`)
      if (row.isolation_mode === 'subprocess')
        throw new Failure('BAD_REQUEST', `'${id}' runs as a separate program. Synthesise speech with it to test it.`)
      return inTurn(signal, () => speak(id, signal, traceparent))
    },
  }
}
