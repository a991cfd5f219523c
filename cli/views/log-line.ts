// Formats a line of a machine's log for a terminal.
import { printable } from './table.ts'

type Line = { readonly at: number; readonly level: string; readonly message: string; readonly fields: Readonly<Record<string, unknown>> }

export function logLine({ at, level, message, fields }: Line): string {
  const time = at > 0 ? new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ') : ' '.repeat(19)
  const more = Object.entries(fields).map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
  return printable(`${time} ${level.padEnd(5)} ${message} ${more.join(' ')}`).trimEnd()
}
