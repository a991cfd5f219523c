// Loads a speech engine on the local agent by running the shortest possible task.
import type { Inference } from '../../inference/run.ts'
import { LOCAL } from '../../workers/worker.store.ts'

const WITHIN_MS = 10 * 60_000

/** Resolves when the task succeeds. Rejects with the failure of the task. */
export const createWarmUp =
  (inference: Pick<Inference, 'run'>, selected: () => string) =>
  async (engine = selected()): Promise<void> => {
    const params = { voice: null, segments: [{ text: 'Ready.', seed: 0, pause_after_ms: 0 }] }
    const request = {
      operation: 'tts',
      engine,
      params,
      target: LOCAL,
      withinMs: WITHIN_MS,
      ephemeral: true,
      traceparent: '',
    } as const
    await inference.run(request, AbortSignal.timeout(WITHIN_MS))
  }
