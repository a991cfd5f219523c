// A code that one person shows and another photographs, for terminals only: in a file or a pipe it would be noise.
import type { Writable } from 'node:stream'
import { renderUnicodeCompact } from 'uqr'

const SIDE_BLANKS = 2

/** Nothing when the output is no terminal, or one too narrow for it. */
export function showQr(text: string, output: Writable & { readonly isTTY?: boolean; readonly columns?: number }): void {
  if (!output.isTTY) return
  const lines = renderUnicodeCompact(text, { ecc: 'L', border: SIDE_BLANKS }).split('\n')
  if (output.columns !== undefined && lines[0]!.length > output.columns) return
  output.write(`\n${lines.join('\n')}\n\n`)
}
