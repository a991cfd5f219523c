// The W3C trace context, in the header `traceparent`, in RunHeader and between spans. An invalid text starts a new trace, as the standard
// requires; it is never an error.

export type TraceContext = { readonly traceId: string; readonly spanId: string; readonly flags: number }

const FORM = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
export const LONGEST_TRACEPARENT = 128

export function readTraceparent(text: string | undefined): TraceContext | null {
  if (text === undefined || text.length > LONGEST_TRACEPARENT) return null
  const [, traceId, spanId, flags, rest] = FORM.exec(text) ?? []
  // Version 00 ends after the flags; later versions may append fields.
  if (!traceId || !spanId || !flags || (rest !== undefined && text.startsWith('00'))) return null
  return { traceId, spanId, flags: Number.parseInt(flags, 16) & 1 }
}

export const writeTraceparent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`
