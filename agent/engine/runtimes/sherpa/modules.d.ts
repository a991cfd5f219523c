// The native speech library comes without types: only what is used of it.

declare module 'sherpa-onnx-node' {
  type Sound = { samples: Float32Array; sampleRate: number }
  type Stream = { readonly acceptWaveform: (sound: Sound) => void; readonly inputFinished: () => void }
  type Offline = {
    readonly createStream: () => Stream
    readonly setConfig: (config: object) => void
    readonly decodeAsync: (stream: object) => Promise<unknown>
  }
  type Online = {
    readonly createStream: () => Stream
    readonly isReady: (stream: object) => boolean
    readonly decode: (stream: object) => void
    readonly getResult: (stream: object) => unknown
  }
  type Diarization = {
    readonly handle: object
    readonly sampleRate: number
    readonly setConfig: (config: { clustering: { numClusters: number; threshold: number } }) => void
  }
  type Identification = { readonly createStream: () => Stream; readonly compute: (stream: object) => string }
  const library: {
    readonly OfflineRecognizer: { readonly createAsync: (config: object) => Promise<Offline> }
    readonly OnlineRecognizer: new (config: object) => Online
    /** `dim`: of the direction that stands for a voice. */
    readonly SpeakerEmbeddingExtractor: new (
      config: object,
    ) => { readonly dim: number }
    readonly SpokenLanguageIdentification: new (config: object) => Identification
    readonly OfflineSpeakerDiarization: new (config: object) => Diarization
  }
  export = library
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
