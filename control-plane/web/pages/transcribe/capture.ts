// Runs in the audio thread: the microphone as 16-bit mono, a tenth of a second at a time, with its loudest sample.

type WorkletNode = { readonly port: MessagePort }
const scope = globalThis as unknown as {
  AudioWorkletProcessor: new () => WorkletNode
  registerProcessor: (name: string, type: new () => WorkletNode) => void
  sampleRate: number
}
const PIECE = Math.round(scope.sampleRate / 10)

class Capture extends scope.AudioWorkletProcessor {
  piece = new Int16Array(PIECE)
  filled = 0
  peak = 0

  process(inputs: Float32Array[][]) {
    for (const sample of inputs[0]?.[0] ?? []) {
      const value = Math.max(-1, Math.min(1, sample))
      this.peak = Math.max(this.peak, Math.abs(value))
      this.piece[this.filled++] = Math.round(value * 32_767)
      if (this.filled < PIECE) continue
      this.port.postMessage({ pcm: this.piece.buffer, peak: this.peak }, [this.piece.buffer])
      this.piece = new Int16Array(PIECE)
      this.filled = 0
      this.peak = 0
    }
    return true
  }
}
scope.registerProcessor('capture', Capture)
