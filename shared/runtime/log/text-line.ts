// One line of the logger as one line of text for the log file: time, level, program, message, then the remaining fields.

const LEVELS: Readonly<Record<number, string>> = { 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
const LINE_LIMIT = 16 * 1024
const BARE = /^[\w.:/@+-]{1,200}$/
// Names and messages of other machines may contain line breaks and control characters.
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')

/** The output of the logger, one or more lines, each with its line break. */
export const textLinesOf = (written: string): string =>
  written
    .split('\n')
    .filter(Boolean)
    .map((line) => `${textLineOf(line)}\n`)
    .join('')

/** `json`: one line without its line break. Text that is not a JSON object is returned unchanged, apart from control characters. */
export function textLineOf(json: string): string {
  const fields = fieldsOf(json)
  if (!fields) return printable(json).slice(0, LINE_LIMIT)
  const { level, time, program, pid: _pid, hostname: _hostname, msg, notice, ...more } = fields
  const name = (LEVELS[Number(level)] ?? 'INFO').padEnd(5)
  const details = Object.entries(more).map(([key, value]) => `${key}=${fieldText(value)}`)
  const sentence = typeof notice === 'string' ? notice : String(msg ?? '')
  return printable([String(time ?? ''), name, String(program ?? ''), sentence, ...details].filter(Boolean).join(' ')).slice(0, LINE_LIMIT)
}

function fieldText(value: unknown): string {
  if (typeof value === 'string' && BARE.test(value)) return value
  return JSON.stringify(value) ?? ''
}

function fieldsOf(line: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : null
  } catch {
    return null
  }
}
