// Two sounds on one device, of which one is heard. The other one takes over at the same share of its length, within a fade that is too short for a gap.

/** Seconds of the fade, and until it begins. */
const FADE = 0.012
const LEAD = 0.01

export type TwoSounds = ReturnType<typeof createTwoSounds>

/** `device`: is closed at the end. `onEnd`: the one that was heard has come to its end */
export function createTwoSounds(device: AudioContext, sounds: readonly [AudioBuffer, AudioBuffer], volume: number, onEnd: () => void) {
  const loudness = device.createGain()
  loudness.gain.value = volume
  loudness.connect(device.destination)
  /** start: seconds of the device; from: seconds of its sound */
  let playing: { which: 0 | 1; source: AudioBufferSourceNode; gain: GainNode; start: number; from: number } | null = null
  let which: 0 | 1 = 0
  /** Share of the sound that has passed while nothing plays. */
  let rest = 0

  const lengthOf = (one: 0 | 1) => sounds[one].duration
  function shareAt(time: number) {
    if (!playing) return rest
    return Math.max(0, Math.min(1, (playing.from + time - playing.start) / lengthOf(playing.which)))
  }
  function fadeOut(at: number) {
    const before = playing
    playing = null
    if (!before) return
    before.source.onended = null
    before.gain.gain.setValueAtTime(1, at)
    before.gain.gain.linearRampToValueAtTime(0, at + FADE)
    before.source.stop(at + FADE)
  }
  function begin(share: number) {
    const at = device.currentTime + LEAD
    fadeOut(at)
    const source = device.createBufferSource()
    const gain = device.createGain()
    source.buffer = sounds[which]
    gain.gain.setValueAtTime(0, at)
    gain.gain.linearRampToValueAtTime(1, at + FADE)
    source.connect(gain).connect(loudness)
    source.onended = () => {
      playing = null
      rest = 0
      onEnd()
    }
    source.start(at, share * lengthOf(which))
    playing = { which, source, gain, start: at, from: share * lengthOf(which) }
  }
  return {
    isPlaying: () => playing !== null,
    which: () => which,
    share: () => shareAt(device.currentTime),
    seconds: () => shareAt(device.currentTime) * lengthOf(which),
    length: () => lengthOf(which),
    async play() {
      await device.resume()
      begin(rest >= 1 ? 0 : rest)
    },
    pause() {
      rest = shareAt(device.currentTime)
      fadeOut(device.currentTime)
    },
    /** The other one is heard, at once if one plays. */
    choose(next: 0 | 1) {
      if (next === which) return
      const share = shareAt(device.currentTime + LEAD)
      which = next
      if (playing) begin(share)
    },
    seek(share: number) {
      if (playing) begin(share)
      else rest = share
    },
    setVolume(to: number) {
      loudness.gain.value = to
    },
    end() {
      fadeOut(device.currentTime)
      void device.close()
    },
  }
}
