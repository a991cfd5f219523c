// The native speech library comes without types: only what is used of it.

declare module 'sherpa-onnx-node' {
  export class OfflineRecognizer {
    static createAsync(config: object): Promise<OfflineRecognizer>
    createStream(): { readonly acceptWaveform: (sound: { samples: Float32Array; sampleRate: number }) => void }
    setConfig(config: object): void
    decodeAsync(stream: object): Promise<unknown>
  }
  export class OnlineRecognizer {
    constructor(config: object)
    createStream(): {
      readonly acceptWaveform: (sound: { samples: Float32Array; sampleRate: number }) => void
      readonly inputFinished: () => void
    }
    isReady(stream: object): boolean
    decode(stream: object): void
    getResult(stream: object): unknown
  }
  export class OfflineSpeakerDiarization {
    readonly handle: object
    readonly sampleRate: number
    constructor(config: object)
    setConfig(config: { clustering: { numClusters: number; threshold: number } }): void
  }
}

declare module 'sherpa-onnx-node/addon.js' {
  const addon: {
    /** Not on the class: the same off the main thread, telling how many windows are done. */
    readonly offlineSpeakerDiarizationProcessAsync: (
      diariser: object,
      samples: Float32Array,
      onProgress: (done: number, all: number) => number,
    ) => Promise<{ start: number; end: number; speaker: number }[]>
  }
  export = addon
}
