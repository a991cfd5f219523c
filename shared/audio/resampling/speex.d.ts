// Types for the used part of the resampler, whose package has none.

declare module '@echogarden/speex-resampler-wasm/simd' {
  type Speex = {
    readonly HEAPF32: Float32Array
    readonly HEAP32: Int32Array
    readonly _malloc: (bytes: number) => number
    readonly _free: (at: number) => void
    readonly _speex_resampler_init: (channels: number, from: number, to: number, quality: number, error: number) => number
    readonly _speex_resampler_destroy: (state: number) => void
    readonly _speex_resampler_skip_zeros: (state: number) => number
    readonly _speex_resampler_process_float: (
      state: number,
      channel: number,
      input: number,
      inputLength: number,
      output: number,
      outputLength: number,
    ) => number
  }
  const load: () => Promise<Speex>

  // biome-ignore lint/style/noDefaultExport: the package has no other
  export { load as default }
}
