// Types for the used part of the tempo library, whose package has none.

declare module '@echogarden/sonic-wasm' {
  type Sonic = {
    readonly HEAPF32: Float32Array
    readonly _malloc: (bytes: number) => number
    readonly _free: (at: number) => void
    /** Works in place and returns the number of samples. */
    readonly _sonicChangeFloatSpeed: (
      samples: number,
      count: number,
      speed: number,
      pitch: number,
      rate: number,
      volume: number,
      useChordPitch: number,
      sampleRate: number,
      channels: number,
    ) => number
  }
  const load: () => Promise<Sonic>

  // biome-ignore lint/style/noDefaultExport: the package has no other
  export { load as default }
}
