// Rows as JSON for json_to_recordset. PostgreSQL stores neither NUL nor half of a surrogate pair.

const UNSTORABLE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/
const storable = (_key: string, value: unknown) => (typeof value === 'string' ? storableText(value) : value)

/** Text as it can be stored: U+FFFD stands for what cannot. */
export const storableText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

export function jsonOf(rows: unknown): string {
  const json = JSON.stringify(rows)
  return UNSTORABLE.test(json) ? JSON.stringify(rows, storable) : json
}
