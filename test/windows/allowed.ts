// The tests that may fail on Windows: one line each in allowed.txt, as FILE: NAME, or FILE alone where the file itself ends before its tests. Lines
// of tests that fail under wine only begin with "wine ", and with "wine? " if they pass there sometimes. Lines that begin with # are the reasons of
// those below them.
export type Failed = { readonly test: string; readonly error: string }

const LINE = /^(?<wine>wine(?<sometimes>\?)? )?(?<test>.*)$/

export type Allowed = { readonly test: string; readonly isUnsteady: boolean }

/** The tests that may fail, of `text` in the form of allowed.txt. */
export const parseAllowed = (text: string, isWine: boolean): Allowed[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => LINE.exec(line)!.groups!)
    .filter(({ wine }) => isWine || wine === undefined)
    .map(({ test, sometimes }) => ({ test: test!, isUnsteady: sometimes !== undefined }))

export const isAllowed = (test: string, allowed: readonly Allowed[]): boolean => allowed.some((one) => one.test === test)

/** Complaints about failures that are not allowed, and about allowed ones that did not happen. */
export function compare(failures: readonly Failed[], allowed: readonly Allowed[]): string[] {
  const failed = new Set(failures.map(({ test }) => test))
  return [
    ...[...failed]
      .filter((test) => !isAllowed(test, allowed))
      .map((test) => `It fails on Windows and is not in test/windows/allowed.txt: ${test}`),
    ...allowed
      .filter(({ test, isUnsteady }) => !isUnsteady && !failed.has(test))
      .map(({ test }) => `It passes, or there is no such test, so its line in test/windows/allowed.txt is stale. Remove it: ${test}`),
  ]
}
