// The check that synthesises a sentence with the selected engine, as a regular task.

import type { Synthesis } from '#control-plane/inference/synthesis.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { CheckRow } from './diagnose.contract.ts'
import { checkRow } from './diagnose.rules.ts'

type Deps = {
  readonly synthesis: Pick<Synthesis, 'start'>
  readonly engine: () => string
  /** True if a speech model is being loaded. */
  readonly isLoading: () => boolean
  readonly clock: Pick<Clock, 'after' | 'mono'>
}
const PHRASE = 'This is a test.'
const TIMEOUT_MS = 300_000
const HINT = 'Select another engine, or install the model of this one again. The log has the details.'
const row = (status: CheckRow['status'], detail: string, hint: string = HINT) =>
  checkRow('deep_synth', 'Deep synthesis', status, detail, hint)

/** Rejects only with the reason of the signal. */
export function createDeepSynthesis({ synthesis, engine, isLoading, clock }: Deps) {
  let isRunning = false

  async function speak(signal: AbortSignal): Promise<CheckRow> {
    const from = clock.mono()
    const timeout = new AbortController()
    const forget = clock.after(TIMEOUT_MS, () => timeout.abort())
    try {
      const run = await synthesis.start(
        {
          model: engine(),
          params: { language: 'en', voice: null, segments: [{ text: PHRASE, seed: 1, pause_after_ms: 0 }] },
          idempotencyKey: null,
          ephemeral: true,
          traceparent: '',
        },
        AbortSignal.any([signal, timeout.signal]),
      )
      const { sample_rate, parts } = await run.result()
      const samples = parts.reduce((sum, part) => sum + part.samples, 0)
      if (samples === 0) return row('fail', `${engine()} returned no audio.`)
      const took = ((clock.mono() - from) / 1000).toFixed(1)
      return row('ok', `${engine()} returned ${(samples / sample_rate).toFixed(1)} s of audio after ${took} s.`)
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.signal.aborted) return row('fail', `${engine()} returned no audio within ${TIMEOUT_MS / 1000} s.`)
      return row('fail', Failure.from(error).message)
    } finally {
      forget()
    }
  }

  return async (signal: AbortSignal): Promise<CheckRow> => {
    if (isRunning || isLoading())
      return row('warn', 'A model is being loaded or checked at the moment.', 'Run the check again when it has ended.')
    isRunning = true
    try {
      return await speak(signal)
    } finally {
      isRunning = false
    }
  }
}
