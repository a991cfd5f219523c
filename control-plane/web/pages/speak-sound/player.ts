// Plays sound while it is still being generated: pieces of 16-bit audio are scheduled one after the other on the clock of the sound device.

export type Player = ReturnType<typeof createPlayer>
export type Pcm = Int16Array<ArrayBuffer>

/** Seconds of sound that are scheduled in advance; the rest waits as 16-bit samples, which take half the memory. */
const AHEAD = 30
/** Seconds between scheduling and the first sound, so that its start is not cut off. */
const LEAD = 0.05

export function createPlayer({
  sampleRate,
  from,
  volume,
  onFirst,
  onEnd,
}: {
  sampleRate: number
  /** seconds of the take before the first piece */
  from: number
  /** 0 to 1 */
  volume: number
  /** the first sound leaves the device now */
  onFirst: () => void
  /** the last sound was played, or playing was stopped */
  onEnd: () => void
}) {
  // At the rate of the sound: otherwise each piece would be converted by itself, with a click at every border.
  const device = new AudioContext({ sampleRate })
  const loudness = device.createGain()
  loudness.gain.value = volume
  loudness.connect(device.destination)
  const waiting: Pcm[] = []
  const scheduled: Set<AudioBufferSourceNode> = new Set()
  /** From the piece that plays on. start: seconds of the device; at: seconds of the take */
  const pieces: { start: number; at: number; length: number }[] = []
  /** Seconds of the take that are scheduled. */
  let reached = from
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
    source.connect(loudness)
    // A piece that is too late starts after a silence.
    const start = end !== null && end > device.currentTime ? end : device.currentTime + LEAD
    if (end === null) reportFirst(start)
    end = start + buffer.duration
    pieces.push({ start, at: reached, length: buffer.duration })
    reached += buffer.duration
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
    /** The sound stands still, and goes on where it stood. */
    hold: (isHeld: boolean) => void (isOver || (isHeld ? device.suspend() : device.resume())),
    setVolume(to: number) {
      loudness.gain.value = to
    },
    /** Seconds of the take that were heard. */
    position() {
      const now = device.currentTime
      for (let next = pieces[1]; next && next.start <= now; next = pieces[1]) pieces.shift()
      const [piece] = pieces
      return piece ? piece.at + Math.max(0, Math.min(now - piece.start, piece.length)) : from
    },
  }
}
