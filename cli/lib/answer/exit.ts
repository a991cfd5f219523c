// The exit statuses of all commands. Help and docs/cli.md show this table.
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { Misuse } from '../command.ts'

export const EXIT = { done: 0, failed: 1, invalid: 2, notRunning: 3, refused: 4, notFound: 5, interrupted: 130 } as const

export const EXIT_STATUSES: readonly (readonly [status: number, meaning: string])[] = [
  [EXIT.done, 'Done.'],
  [EXIT.failed, 'Failed. The message says why.'],
  [EXIT.invalid, 'The arguments, the settings or the configuration file are invalid. Nothing was done.'],
  [EXIT.notRunning, 'No studio, or no agent, answers.'],
  [EXIT.refused, 'Refused: the key is missing or wrong, or the request is not allowed.'],
  [EXIT.notFound, 'What the command names does not exist.'],
  [EXIT.interrupted, 'Interrupted by Ctrl-C or SIGTERM.'],
]

const STATUSES: Readonly<Partial<Record<FailureCode, number>>> = {
  NOT_READY: EXIT.notRunning,
  UNAUTHORIZED: EXIT.refused,
  FORBIDDEN: EXIT.refused,
  OTHER_LOCAL_USER: EXIT.refused,
  PIN_REQUIRED: EXIT.refused,
  NOT_FOUND: EXIT.notFound,
  MODEL_NOT_FOUND: EXIT.notFound,
}

export function exitStatusFor(error: unknown): number {
  if (error instanceof Misuse) return EXIT.invalid
  return error instanceof Failure ? (STATUSES[error.code] ?? EXIT.failed) : EXIT.failed
}
