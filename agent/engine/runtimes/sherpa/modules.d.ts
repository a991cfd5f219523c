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
  type Identification = { readonly createStream: () => Stream; readonly compute: (stream: object) => string }
  const library: {
    readonly OfflineRecognizer: { readonly createAsync: (config: object) => Promise<Offline> }
    readonly OnlineRecognizer: new (config: object) => Online
    readonly SpokenLanguageIdentification: new (config: object) => Identification
  }
  export = library
}
