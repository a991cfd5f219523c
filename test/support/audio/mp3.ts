// Parses the frames of an MP3 file, independently of the encoder.

const MPEG1_KBPS = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const MPEG2_KBPS = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const RATES: Readonly<Record<number, readonly number[]>> = {
  0: [11025, 12000, 8000],
  2: [22050, 24000, 16000],
  3: [44100, 48000, 32000],
}

export type Mp3File = { readonly frames: number; readonly seconds: number; readonly sampleRate: number; readonly kbps: number }

/** Throws an Error at the first byte that does not belong to a complete layer III frame. */
export function readMp3(bytes: Uint8Array): Mp3File {
  let [frames, seconds, sampleRate, kbps] = [0, 0, 0, 0]
  for (let at = 0; at < bytes.length; ) {
    const [first, second = 0, third = 0] = bytes.subarray(at, at + 3)
    if (first !== 0xff || (second & 0xe6) !== 0xe2) throw new Error(`no MP3 frame at byte ${at}`)
    const version = (second >> 3) & 3
    sampleRate = RATES[version]![(third >> 2) & 3]!
    kbps = (version === 3 ? MPEG1_KBPS : MPEG2_KBPS)[third >> 4]!
    const samples = version === 3 ? 1152 : 576
    at += Math.floor((samples * kbps * 125) / sampleRate) + ((third >> 1) & 1)
    if (at > bytes.length) throw new Error(`the last MP3 frame is cut off`)
    frames++
    seconds += samples / sampleRate
  }
  return { frames, seconds, sampleRate, kbps }
}
