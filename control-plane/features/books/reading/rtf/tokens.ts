// The tokens of RTF: groups, control words, control symbols and text. Pure and linear.

export type RtfEvents = {
  readonly open: () => void
  readonly close: () => void
  /** `value`: null without a number. */
  readonly word: (name: string, value: number | null) => void
  /** A control symbol other than a character in hexadecimal. */
  readonly symbol: (character: string) => void
  /** Characters in the encoding of the font, without line ends. */
  readonly text: (bytes: Uint8Array) => void
  /** One character in hexadecimal. */
  readonly byte: (value: number) => void
  /** Bytes of a picture or an object. */
  readonly binary: (bytes: Uint8Array) => void
}

const [OPEN, CLOSE, BACKSLASH, QUOTE, MINUS, SPACE] = [0x7b, 0x7d, 0x5c, 0x27, 0x2d, 0x20]
const [TAB, LINE_FEED, RETURN] = [0x09, 0x0a, 0x0d]
const LONGEST_WORD = 32
const LONGEST_NUMBER = 10

const isLetter = (code: number | undefined): boolean => code !== undefined && (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a
const isDigit = (code: number | undefined): boolean => code !== undefined && code >= 0x30 && code <= 0x39

export function readTokens(bytes: Uint8Array, events: RtfEvents): void {
  let at = 0
  const ascii = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  /** A control word or symbol, from the character behind its backslash. */
  function control(): void {
    const code = bytes[at]
    if (code === QUOTE) {
      const value = Number.parseInt(ascii(at + 1, at + 3), 16)
      at += 3
      if (!Number.isNaN(value)) events.byte(value)
      return
    }
    if (!isLetter(code)) {
      at++
      if (code !== undefined) events.symbol(String.fromCharCode(code))
      return
    }
    const start = at
    while (isLetter(bytes[at]) && at - start < LONGEST_WORD) at++
    const name = ascii(start, at)
    const from = at
    if (bytes[at] === MINUS && isDigit(bytes[at + 1])) at++
    while (isDigit(bytes[at]) && at - from < LONGEST_NUMBER) at++
    const value = at > from ? Number(ascii(from, at)) : null
    if (bytes[at] === SPACE) at++
    if (name !== 'bin') return events.word(name, value)
    const end = Math.min(bytes.length, at + Math.max(0, value ?? 0))
    events.binary(bytes.subarray(at, end))
    at = end
  }
  while (at < bytes.length) {
    const code = bytes[at]
    if (code === BACKSLASH) {
      at++
      control()
    } else if (code === OPEN || code === CLOSE) {
      at++
      if (code === OPEN) events.open()
      else events.close()
    } else if (code === LINE_FEED || code === RETURN || code === 0) at++
    else if (code === TAB) {
      at++
      events.word('tab', null)
    } else {
      const start = at
      for (let next = code; next !== undefined && next !== BACKSLASH && next !== OPEN && next !== CLOSE && next > RETURN; )
        next = bytes[++at]
      if (at === start) at++
      else events.text(bytes.subarray(start, at))
    }
  }
}
