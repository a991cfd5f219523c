// Plays sound while it is still being generated: pieces of 16-bit audio are scheduled one after the other on the clock of the sound device.

export type Player = ReturnType<typeof createPlayer>
export type Pcm = Int16Array<ArrayBuffer>

/** Seconds of sound that are scheduled in advance; the rest waits as 16-bit samples, which take half the memory. */
const AHEAD = 30
/** Seconds between scheduling and the first sound, so that its start is not cut off. */
const LEAD = 0.05

export function createPlayer({
  sampleRate,
  onFirst,
  onEnd,
}: {
  sampleRate: number
  /** the first sound leaves the device now */
  onFirst: () => void
  /** the last sound was played, or playing was stopped */
  onEnd: () => void
}) {
  // At the rate of the sound: otherwise each piece would be converted by itself, with a click at every border.
  const device = new AudioContext({ sampleRate })
  const waiting: Pcm[] = []
  const scheduled: Set<AudioBufferSourceNode> = new Set()
  /** When the last piece ends, in seconds of the device; null before the first. */
  let end: number | null = null
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
  function reportFirst(start: number) {
    if (isOver) return
    if (device.currentTime >= start) onFirst()
    else setTimeout(() => reportFirst(start), 10)
  }

  function schedule(pcm: Pcm) {
    const buffer = device.createBuffer(1, pcm.length, sampleRate)
    buffer.copyToChannel(
      Float32Array.from(pcm, (sample) => sample / 32768),
      0,
    )
    const source = device.createBufferSource()
    source.buffer = buffer
    source.connect(device.destination)
    // A piece that is too late starts after a silence.
    const start = end !== null && end > device.currentTime ? end : device.currentTime + LEAD
    if (end === null) reportFirst(start)
    end = start + buffer.duration
    scheduled.add(source)
    source.onended = () => {
      scheduled.delete(source)
      pump()
    }
    source.start(start)
  }

  function pump() {
    if (isOver || device.state === 'closed') return
    while (end === null || end - device.currentTime < AHEAD) {
      const pcm = waiting.shift()
      if (!pcm) break
      schedule(pcm)
    }
    if (isComplete && waiting.length === 0 && scheduled.size === 0) finish()
  }

  void device.resume()
  return {
    push(pcm: Pcm) {
      if (isOver || pcm.length === 0) return
      waiting.push(pcm)
      pump()
    },
    /** Called when nothing more arrives; the rest is played to its end. */
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
