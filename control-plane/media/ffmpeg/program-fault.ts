// The end of a program that says nothing about its input: it did not run, or something else ended it. Such an end is never blamed on the input.
import { Failure } from '#shared/protocol/failure.ts'

export type ProgramEnd = {
  /** Undefined if the process could not be created. */
  readonly pid: number | undefined
  readonly code: number | null
  readonly by: NodeJS.Signals | null
  /** The end of its error output, or the error of its start. */
  readonly text: string
}

/** No input causes these. The kernel sends SIGKILL when memory is short. */
const ENDED_BY_OTHERS: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'])
/** Messages of a loader or a shell about a program that cannot be run. */
const NOT_RUN =
  /error while loading shared libraries|cannot open shared object file|failed to execute |symbol lookup error|Exec format error/
const ABSENT = /ENOENT|No such file or directory/
/** The exit statuses of a shell or a loader for a program that cannot be run, and for one that is not there. */
const NOT_RUN_CODES: readonly (number | null)[] = [126, 127]

/** PROGRAM_MISSING, PROGRAM_FAILED or PROGRAM_KILLED; null for a program that ran and ended by itself; the caller then reads what it said. */
export function programFault(name: string, { pid, code, by, text }: ProgramEnd): Failure | null {
  if (ABSENT.test(text) && (pid === undefined || NOT_RUN_CODES.includes(code) || NOT_RUN.test(text)))
    return new Failure('PROGRAM_MISSING', `The program ${name} is no longer there.`, { cause: text.trim(), values: { program: name } })
  if (pid === undefined || NOT_RUN_CODES.includes(code) || NOT_RUN.test(text))
    return new Failure('PROGRAM_FAILED', `The program ${name} could not run. The file was not examined.`, {
      cause: text.trim() || `exit status ${code}`,
      values: { program: name },
    })
  if (by !== null && ENDED_BY_OTHERS.has(by))
    return new Failure('PROGRAM_KILLED', `The program ${name} was ended by ${by}. The file was not examined.`, {
      values: { program: name },
    })
  return null
}
