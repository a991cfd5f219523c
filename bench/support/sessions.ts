// Measures the time that is spent in the native runtime.

import { loadOnnx } from '#agent/engine/runtimes/onnx/library.ts'

const { InferenceSession } = await loadOnnx()
type Session = Awaited<ReturnType<typeof InferenceSession.create>>

/** Sums the milliseconds inside session.run of every session that is created after this call. `undo` restores the library. */
export function clockSessions(): { inside: number; undo: () => void } {
  const clocked = { inside: 0, undo: () => {} }
  const create = InferenceSession.create as (...args: unknown[]) => Promise<Session>
  const createClocked = async (...args: unknown[]) => {
    const session = await create.apply(InferenceSession, args)
    const run = session.run.bind(session) as (...args: unknown[]) => Promise<unknown>
    Object.assign(session, {
      run: async (...runArgs: unknown[]) => {
        const from = performance.now()
        try {
          return await run(...runArgs)
        } finally {
          clocked.inside += performance.now() - from
        }
      },
    })
    return session
  }
  Object.assign(InferenceSession, { create: createClocked })
  clocked.undo = () => void Object.assign(InferenceSession, { create })
  return clocked
}
