import type { MediaOperation } from './media-tools.schema.ts'

export type MediaToolsApi = {
  /** True if ffmpeg can be started. */
  readonly isReady: () => boolean
  /** The state of the acquisition. */
  readonly acquisition: () => MediaOperation
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly 'media-tools': MediaToolsApi
  }
}
