// Reads type and size of a picture from its first bytes, before anything decodes it. Pure.

export type PictureHeader = {
  readonly type: 'jpeg' | 'png' | 'webp'
  readonly width: number
  readonly height: number
  /** A JPEG with the four inks of printing (CMYK), which many programs show in wrong colours or black. */
  readonly isForPrint?: boolean
}

/** Null for another type, or for a header that is cut off or contradicts itself. */
export function readPictureHeader(bytes: Buffer): PictureHeader | null {
  const found = png(bytes) ?? webp(bytes) ?? jpeg(bytes)
  return found && found.width > 0 && found.height > 0 ? found : null
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
function png(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function webp(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  const size = (width: number, height: number): PictureHeader => ({ type: 'webp', width, height })
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8X':
      return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return bytes[20] === 0x2f ? size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1) : null
    }
    case 'VP8 ':
      return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    default:
      return null
  }
}

/** Frames whose header has the size; 0xC4, 0xC8 and 0xCC are other segments. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const CMYK_PARTS = 4
function jpeg(bytes: Buffer): PictureHeader | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== 0xd8) return null
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    if (marker === 0xff) at++
    else if (isFrame(marker))
      return {
        type: 'jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
        ...(bytes[at + 9] === CMYK_PARTS ? { isForPrint: true } : {}),
      }
    else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return null
}

const COMMENT = 0xfe
const MAX_COMMENT_BYTES = 64
const SCAN = 0xda
/** Tables, frames, and the header of JFIF; no other application data. */
const isOrdinary = (marker: number) => isFrame(marker) || [0xc4, 0xdb, 0xdd, 0xe0].includes(marker)

/** True if a JPEG of `side` x `side` pixels has neither data of a camera nor anything behind its end, as this program writes them. */
export function isPlainJpeg(bytes: Buffer, side: number): boolean {
  const header = jpeg(bytes)
  if (header?.width !== side || header.height !== side) return false
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SCAN) {
    const [marker, length] = [bytes[at + 1]!, bytes.readUInt16BE(at + 2)]
    const isShortComment = marker === COMMENT && length <= MAX_COMMENT_BYTES
    if (length < 2 || (!isOrdinary(marker) && !isShortComment)) return false
    at += 2 + length
  }
  // In the scan, 0xFF is followed by 0 or a restart marker until the end of the picture.
  for (let end = at + 2; end + 1 < bytes.length; end++)
    if (bytes[end] === 0xff && bytes[end + 1] !== 0 && (bytes[end + 1]! & 0xf8) !== 0xd0)
      return bytes[end + 1] === 0xd9 && end + 2 === bytes.length
  return false
}
