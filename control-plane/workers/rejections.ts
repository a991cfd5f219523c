// Rejections of machines for the requests of live tasks. In memory: after a restart of the studio the machines are asked again.
import type { RequestClaim } from '#shared/protocol/fields/peer-codes.ts'

export type Rejection = { readonly workerId: string; readonly attemptId: string; readonly code: RequestClaim; readonly message: string }
export type Rejections = ReturnType<typeof createRejections>

const NONE: readonly Rejection[] = []

export function createRejections() {
  const byTask = new Map<string, readonly Rejection[]>()
  return {
    add: (taskId: string, rejection: Rejection): void => void byTask.set(taskId, [...(byTask.get(taskId) ?? NONE), rejection]),
    /** Oldest first. */
    of: (taskId: string): readonly Rejection[] => byTask.get(taskId) ?? NONE,
    /** The task has ended. */
    forget: (taskId: string): void => void byTask.delete(taskId),
  }
}
