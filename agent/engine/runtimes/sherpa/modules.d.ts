// Types for the used part of sherpa-onnx-node, which has none.

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
  type Extractor = {
    readonly dim: number
    readonly createStream: () => Stream
    readonly isReady: (stream: object) => boolean
    readonly compute: (stream: object, sharesMemory: boolean) => Float32Array
  }
  const library: {
    readonly OfflineRecognizer: { readonly createAsync: (config: object) => Promise<Offline> }
    readonly OnlineRecognizer: new (config: object) => Online
    /** `dim`: length of the embedding vector. */
    readonly SpeakerEmbeddingExtractor: new (
      config: object,
    ) => Extractor
    readonly SpokenLanguageIdentification: new (config: object) => Identification
    readonly OfflineSpeakerDiarization: new (config: object) => Diarization
  }
  export = library
}

declare module 'sherpa-onnx-node/addon.js' {
  const addon: {
    /** The asynchronous variant, which the class does not offer. `onProgress` receives the number of windows. */
    readonly offlineSpeakerDiarizationProcessAsync: (
      diariser: object,
      samples: Float32Array,
      onProgress: (done: number, all: number) => number,
    ) => Promise<{ start: number; end: number; speaker: number }[]>
  }
  export = addon
}
