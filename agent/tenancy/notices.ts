// Sentences about one studio for the owner of this machine: the field `notice` of a log line, which a terminal shows (shared/runtime/log.ts).
import type { Failure } from '#shared/protocol/failure.ts'

export type OwnerNotices = ReturnType<typeof noticesAbout>
type Notice = { readonly notice?: string }

/** `studio`: its name; null for the studio that started this agent, about which its owner needs no notices. */
export function noticesAbout(studio: string | null) {
  const notice = (text: string): Notice => (studio === null ? {} : { notice: text })
  return {
    connected: notice(`Connected to studio ${studio}.`),
    disconnected: notice(`The connection to studio ${studio} has ended.`),
    unapproved: notice(`Waiting for approval in studio ${studio}.`),
    approved: notice(`Studio ${studio} has approved this machine.`),
    withdrawn: notice(`Studio ${studio} has withdrawn its approval.`),
    started: (operation: string, engine: string) => notice(`Working on a task for ${studio} (${operation}, ${engine}).`),
    completed: notice(`Finished a task for ${studio}.`),
    failed: ({ code, message }: Failure) =>
      notice(code === 'CANCELLED' ? `A task for ${studio} was cancelled.` : `A task for ${studio} failed: ${message}`),
  }
}
