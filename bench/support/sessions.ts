// How long the native runtime works, beside what drives it.

import { InferenceSession } from 'onnxruntime-node'

/** Counts the time inside session.run, the seam of the library itself, for every session that is created from now on. */
export function clockSessions(): { inside: number; undo: () => void } {
  const seen = { inside: 0, undo: () => {} }
  const create = InferenceSession.create as (...args: unknown[]) => Promise<InferenceSession>
  const clocked = async (...args: unknown[]) => {
    const session = await create.apply(InferenceSession, args)
    const run = session.run.bind(session) as (...args: unknown[]) => Promise<unknown>
    Object.assign(session, {
      run: async (...given: unknown[]) => {
        const from = performance.now()
        try {
          return await run(...given)
        } finally {
          seen.inside += performance.now() - from
        }
      },
    })
    return session
  }
  Object.assign(InferenceSession, { create: clocked })
  seen.undo = () => void Object.assign(InferenceSession, { create })
  return seen
}
