// Pictures that are part of a text file, as base64. Pure.

/** Characters of a picture of 8 MB, the most that a cover may have. */
export const PICTURE_CHARS = Math.ceil((8 * 1024 ** 2) / 3) * 4
const DATA = /^data:image\/(?:jpe?g|png);base64,/i

/** The base64 without white space; null for text that is no base64, empty, or longer than a cover may be. */
export function packedPicture(base64: string): string | null {
  if (base64.length > PICTURE_CHARS * 1.1) return null
  const packed = base64.replaceAll(/\s+/g, '')
  return packed !== '' && packed.length <= PICTURE_CHARS && !/[^A-Za-z0-9+/=]/.test(packed) ? packed : null
}

/** The same for a `data:` address of a JPEG or PNG picture. */
export function embeddedPicture(address: string): string | null {
  const start = DATA.exec(address.slice(0, 40))?.[0]
  return start === undefined ? null : packedPicture(address.slice(start.length))
}
