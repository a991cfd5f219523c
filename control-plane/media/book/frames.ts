// Counts the frames of AAC (ADTS) and MP3 streams. The length of a chapter is its frames, not what was given to the encoder.
import type { ChapterCodec } from './book.ts'

export type FrameCount = { readonly frames: number; readonly samples: number; readonly sampleRate: number }
type Header = { readonly bytes: number; readonly samples: number; readonly sampleRate: number }

const HEADER_BYTES = 6
const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const MPEG1_RATES = [44_100, 48_000, 32_000]

function adts(bytes: Uint8Array): Header | null {
  const sampleRate = AAC_RATES[(bytes[2]! >> 2) & 15]
  const length = ((bytes[3]! & 3) << 11) | (bytes[4]! << 3) | (bytes[5]! >> 5)
  return bytes[0] === 0xff && (bytes[1]! & 0xf6) === 0xf0 && sampleRate && length > HEADER_BYTES
    ? { bytes: length, samples: 1024, sampleRate }
    : null
}
function mp3(bytes: Uint8Array): Header | null {
  if (bytes[0] !== 0xff || (bytes[1]! & 0xe6) !== 0xe2) return null
  const version = (bytes[1]! >> 3) & 3 // 3: MPEG-1, 2: MPEG-2, 0: MPEG 2.5
  const base = MPEG1_RATES[(bytes[2]! >> 2) & 3]
  const kbps = (version === 3 ? MPEG1_KBPS : MPEG2_KBPS)[bytes[2]! >> 4]
  if (version === 1 || !base || !kbps) return null
  const sampleRate = version === 3 ? base : version === 2 ? base / 2 : base / 4
  const samples = version === 3 ? 1152 : 576
  return { bytes: Math.floor((samples * kbps * 125) / sampleRate) + ((bytes[2]! >> 1) & 1), samples, sampleRate }
}

/** Takes a stream in pieces of any size. Throws RangeError at the first byte that belongs to no frame. */
export function createFrameCounter(codec: ChapterCodec) {
  const parse = codec === 'aac' ? adts : mp3
  let head = new Uint8Array(0)
  let skip = 0
  let [frames, samples, sampleRate] = [0, 0, 0]
  return {
    push(piece: Uint8Array): void {
      let at = Math.min(skip, piece.length)
      skip -= at
      while (skip === 0 && at < piece.length) {
        const start = head.length
        const taken = piece.subarray(at, at + HEADER_BYTES - start)
        const joined = new Uint8Array(start + taken.length)
        joined.set(head)
        joined.set(taken, start)
        if (joined.length < HEADER_BYTES) {
          head = joined
          return
        }
        const header = parse(joined)
        if (!header) throw new RangeError(`frame ${frames} of the ${codec} stream is damaged`)
        frames++
        samples += header.samples
        sampleRate = header.sampleRate
        head = new Uint8Array(0)
        const end = at + header.bytes - start
        at = Math.min(end, piece.length)
        skip = end - at
      }
    },
    /** Hz of the last frame; 0 before the first one. */
    sampleRate: () => sampleRate,
    /** Throws RangeError when the last frame is cut off or there is none. */
    finish(): FrameCount {
      if (skip > 0 || head.length > 0 || frames === 0) throw new RangeError(`the ${codec} stream ends in the middle of a frame`)
      return { frames, samples, sampleRate }
    },
  }
}
