// Has the local agent load what speaks, by the only way there is: a task, as short as can be.
import type { Tasks } from '../../tasks/tasks.ts'

const DEADLINE_MS = 10 * 60_000

/** Resolves when the engine has spoken; rejects with how the task ended. */
export const createWarmUp = (tasks: Tasks, engine: () => string) => async (): Promise<void> => {
  const text = 'Ready.'
  const { task } = await tasks.submit(
    {
      operation: 'tts',
      engine: engine(),
      model: '',
      params: JSON.stringify({ voice: null, segments: [{ text, seed: 0, pause_after_ms: 0 }] }),
      priority: 0,
      target: 'local',
      size: text.length,
      deadlineAt: tasks.now() + DEADLINE_MS,
      idempotencyKey: null,
      ephemeral: true,
      traceparent: '',
    },
    '',
  )
  for await (const _piece of tasks.follow(task.id, AbortSignal.timeout(DEADLINE_MS)));
}
