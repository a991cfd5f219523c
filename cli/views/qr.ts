// A QR code for terminals.
import type { Writable } from 'node:stream'
import { renderUnicodeCompact } from 'uqr'

const SIDE_BLANKS = 2

/** Empty if the output is not a terminal or the terminal is too narrow. */
export function qrLines(text: string, output: Writable & { readonly isTTY?: boolean; readonly columns?: number }): string[] {
  if (!output.isTTY) return []
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: SIDE_BLANKS }).split('\n')
  if (output.columns !== undefined && lines[0]!.length > output.columns) return []
  return ['', ...lines, '']
}
