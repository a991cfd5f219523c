// @ts-check
// Plays sound while it is still being generated: pieces of 16-bit audio are scheduled one after the other on the clock of the sound device.
// Neighbouring pieces overlap and are faded in the same way as the studio joins them in the stored take.

/** @typedef {ReturnType<typeof createPlayer>} Player */
/** @typedef {Int16Array<ArrayBuffer>} Pcm */

/** Seconds of sound that are scheduled in advance; the rest waits as 16-bit samples, which take half the memory. */
const AHEAD = 30
/** Seconds between scheduling and the first sound, so that its start is not cut off. */
const LEAD = 0.05
const STEPS = 32
/** @param {(angle: number) => number} wave */
const quarter = (wave) => Float32Array.from({ length: STEPS }, (_, at) => wave((at / (STEPS - 1)) * (Math.PI / 2)))
const FADE_IN = quarter(Math.sin)
const FADE_OUT = quarter(Math.cos)

/**
 * @param {object} options
 * @param {number} options.sampleRate
 * @param {number} options.crossfadeMs
 * @param {() => void} options.onFirst the first sound leaves the device now
 * @param {() => void} options.onEnd the last sound was played, or playing was stopped
 */
export function createPlayer({ sampleRate, crossfadeMs, onFirst, onEnd }) {
  const device = new AudioContext()
  /** @type {Pcm[]} */
  const waiting = []
  /** @type {Set<AudioBufferSourceNode>} */
  const scheduled = new Set()
  /** @type {{ gain: GainNode, end: number, half: number } | null} The piece that ends last. */
  let last = null
  let isComplete = false
  let isOver = false

  function finish() {
    if (isOver) return
    isOver = true
    waiting.length = 0
    void device.close()
    onEnd()
  }

  // By the clock of the device: while the browser holds the device back, no sound is made and none is reported.
  function reportFirst(/** @type {number} */ start) {
    if (isOver) return
    if (device.currentTime >= start) onFirst()
    else setTimeout(() => reportFirst(start), 10)
  }

  function schedule(/** @type {Pcm} */ pcm) {
    const buffer = device.createBuffer(1, pcm.length, sampleRate)
    buffer.copyToChannel(
      Float32Array.from(pcm, (sample) => sample / 32768),
      0,
    )
    const source = device.createBufferSource()
    const gain = device.createGain()
    source.buffer = buffer
    source.connect(gain).connect(device.destination)
    const half = buffer.duration / 2
    const earliest = device.currentTime + LEAD
    const overlap = last ? Math.min(crossfadeMs / 1000, half, last.half) : 0
    // A piece that is too late for the fade starts after a silence instead.
    const joined = last !== null && last.end - overlap > earliest ? last : null
    const start = joined ? joined.end - overlap : earliest
    if (joined && overlap > 0) {
      joined.gain.gain.setValueCurveAtTime(FADE_OUT, start, overlap)
      gain.gain.setValueCurveAtTime(FADE_IN, start, overlap)
    }
    if (last === null) reportFirst(start)
    last = { gain, end: start + buffer.duration, half }
    scheduled.add(source)
    source.onended = () => {
      scheduled.delete(source)
      pump()
    }
    source.start(start)
  }

  function pump() {
    if (isOver || device.state === 'closed') return
    while (last === null || last.end - device.currentTime < AHEAD) {
      const pcm = waiting.shift()
      if (!pcm) break
      schedule(pcm)
    }
    if (isComplete && waiting.length === 0 && scheduled.size === 0) finish()
  }

  void device.resume()
  return {
    push(/** @type {Pcm} */ pcm) {
      if (isOver || pcm.length === 0) return
      waiting.push(pcm)
      pump()
    },
    /** Nothing more arrives; the rest is played to its end. */
    end() {
      isComplete = true
      pump()
    },
    stop() {
      for (const source of scheduled) source.stop()
      finish()
    },
  }
}
