// The encoding that a file of markup names. Pure.

/** Browsers look at the first 1,024 bytes of HTML; Word writes more before it. */
const HEAD_BYTES = 4096
const XML = /^[^<]{0,10}<\?xml[^>]{0,100}encoding\s?=\s?["']([\w.:-]{1,40})["']/
const HTML = /\bcharset\s?=\s?["']?([\w.:-]{1,40})/i

/** Null without one. */
export function declaredEncoding(bytes: Uint8Array): string | null {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1')
  return (XML.exec(head) ?? HTML.exec(head))?.[1] ?? null
}
