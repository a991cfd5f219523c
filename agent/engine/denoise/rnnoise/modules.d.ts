// Types for the used part of @echogarden/rnnoise-wasm, which has none.

declare module '@echogarden/rnnoise-wasm' {
  type Rnnoise = {
    readonly HEAPF32: Float32Array
    readonly _malloc: (bytes: number) => number
    readonly _free: (at: number) => void
    readonly _rnnoise_get_frame_size: () => number
    readonly _rnnoise_create: (model: number) => number
    readonly _rnnoise_destroy: (state: number) => void
    readonly _rnnoise_process_frame: (state: number, output: number, input: number) => number
  }
  const load: () => Promise<Rnnoise>

  // biome-ignore lint/style/noDefaultExport: the package has no other
  export { load as default }
}
