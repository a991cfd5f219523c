// Log lines as text for a terminal: the notices, the warnings and the errors, each as a sentence with its time. The other lines are for
// operators, who read the JSON lines.

type Fields = Readonly<Record<string, unknown>>
const LEVELS = { info: 30, warn: 40, error: 50 } as const
/** Fields that contain the reason of a warning. */
const REASONS = ['err', 'why', 'reason', 'error', 'line'] as const
const REASON_LIMIT = 400
const REMEMBERED = 100

/**
 * Returns a function from the output of the logger to lines of text, '' for nothing. `everything` keeps lines without a notice as well and
 * adds their fields. A warning or error that was shown since the last notice is left out, so that a connection that is retried for hours does
 * not fill the screen.
 */
export function createLogText(everything: boolean): (written: string) => string {
  const shown = new Set<string>()
  return (written) => {
    let text = ''
    for (const line of written.split('\n')) {
      const fields = fieldsOf(line)
      const sentence = fields && sentenceOf(fields, everything)
      if (!sentence || shown.has(sentence)) continue
      if (Number(fields['level']) < LEVELS.warn || shown.size >= REMEMBERED) shown.clear()
      shown.add(sentence)
      text += `${clockTime(fields['time'])}  ${sentence}\n`
    }
    return text
  }
}

function sentenceOf(fields: Fields, everything: boolean): string | null {
  const { level, time: _time, program: _program, pid: _pid, msg, notice, ...more } = fields
  const mark = Number(level) >= LEVELS.error ? 'Error: ' : Number(level) >= LEVELS.warn ? 'Warning: ' : ''
  const details = everything
    ? Object.entries(more)
        .map(([name, value]) => ` ${name}=${textOf(value)}`)
        .join('')
    : ''
  if (typeof notice === 'string') return printable(mark + notice + details)
  if (mark === '' && !everything) return null
  const message = String(msg ?? '')
  const reason = REASONS.map((name) => more[name]).find((value) => typeof value === 'string' && value !== '')
  const why = reason === undefined ? '' : `: ${String(reason).slice(0, REASON_LIMIT)}`
  return printable(mark + withPeriod(message.charAt(0).toUpperCase() + message.slice(1) + why) + details)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const withPeriod = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
// Names and messages of other machines may contain control characters that a terminal would execute.
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')

function fieldsOf(line: string): Fields | null {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null ? Object.fromEntries(Object.entries(parsed)) : null
  } catch {
    return null
  }
}

function clockTime(time: unknown): string {
  const at = new Date(String(time))
  return Number.isNaN(at.getTime()) ? '        ' : at.toTimeString().slice(0, 8)
}
