// Text in windows-1252, the encoding of old files in Western European languages.

/** Characters of the bytes 0x80 to 0x9f. Five of these bytes have none and stay control characters. */
const FROM_0X80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Never fails. The decoder of Node 22 leaves the bytes 0x80 to 0x9f as control characters; that of newer versions does not. */
export const decodeWindows1252 = (bytes: Uint8Array): string =>
  new TextDecoder('windows-1252').decode(bytes).replace(/[\x80-\x9f]/g, (character) => FROM_0X80[character.charCodeAt(0) - 0x80]!)
