// Sound that is heard while it is still being made: pieces of 16-bit audio are scheduled one after the other on the clock of the sound device.
// Neighbouring pieces overlap and are faded as the studio joins them in the kept take.

/** Seconds of sound that are handed to the device in advance; the rest waits as it came, which takes half the memory. */
const AHEAD = 30
/** Between the decision to play and the first sound, so that its start is not cut off. */
const LEAD = 0.05
const STEPS = 32
const quarter = (wave) => Float32Array.from({ length: STEPS }, (_, at) => wave((at / (STEPS - 1)) * (Math.PI / 2)))
const FADE_IN = quarter(Math.sin)
const FADE_OUT = quarter(Math.cos)

/** `onFirst`: the first sound leaves the device now. `onEnd`: the last one was heard, or it was stopped. */
export function createPlayer({ sampleRate, crossfadeMs, onFirst, onEnd }) {
  const device = new AudioContext()
  const waiting = []
  const sounding = new Set()
  let last = null // the piece that ends last: { gain, end, half }
  let hasAll = false
  let over = false

  function finish() {
    if (over) return
    over = true
    waiting.length = 0
    void device.close()
    onEnd()
  }

  // By the clock of the device: one that the browser holds back makes no sound, and that is not told as one.
  function tellFirst(start) {
    if (over) return
    if (device.currentTime >= start) onFirst()
    else setTimeout(() => tellFirst(start), 10)
  }

  function schedule(pcm) {
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
    // A piece that comes too late for the fade starts after a silence instead.
    const inTime = last !== null && last.end - overlap > earliest
    const start = inTime ? last.end - overlap : earliest
    if (inTime && overlap > 0) {
      last.gain.gain.setValueCurveAtTime(FADE_OUT, start, overlap)
      gain.gain.setValueCurveAtTime(FADE_IN, start, overlap)
    }
    if (last === null) tellFirst(start)
    last = { gain, end: start + buffer.duration, half }
    sounding.add(source)
    source.onended = () => {
      sounding.delete(source)
      pump()
    }
    source.start(start)
  }

  function pump() {
    if (over || device.state === 'closed') return
    while (waiting.length > 0 && (last === null || last.end - device.currentTime < AHEAD)) schedule(waiting.shift())
    if (hasAll && waiting.length === 0 && sounding.size === 0) finish()
  }

  void device.resume()
  return {
    /** @param {Int16Array} pcm */
    push(pcm) {
      if (over || pcm.length === 0) return
      waiting.push(pcm)
      pump()
    },
    /** Nothing comes any more; what is there is played to its end. */
    end() {
      hasAll = true
      pump()
    },
    stop() {
      for (const source of sounding) source.stop()
      finish()
    },
  }
}
