// The tests that may fail on Windows: one line each in allowed.txt, as FILE: NAME, or FILE alone where the file itself ends before its tests. Lines
// of tests that fail under wine only begin with "wine ". Lines that begin with # are the reasons of those below them.
export type Failed = { readonly test: string; readonly error: string }

const WINE = 'wine '

/** Names of the tests that may fail, of `text` in the form of allowed.txt. */
export const parseAllowed = (text: string, isWine: boolean): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && (isWine || !line.startsWith(WINE)))
    .map((line) => (line.startsWith(WINE) ? line.slice(WINE.length) : line))

/** Complaints about failures that are not allowed, and about allowed ones that did not happen. */
export function compare(failures: readonly Failed[], allowed: readonly string[]): string[] {
  const failed = new Set(failures.map(({ test }) => test))
  return [
    ...[...failed]
      .filter((test) => !allowed.includes(test))
      .map((test) => `It fails on Windows and is not in test/windows/allowed.txt: ${test}`),
    ...allowed
      .filter((test) => !failed.has(test))
      .map((test) => `It passes, or there is no such test, so its line in test/windows/allowed.txt is stale. Remove it: ${test}`),
  ]
}
