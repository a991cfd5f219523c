import type { fingerprintOf } from './fingerprint.rules.ts'

export type ToolsApi = {
  /** The fingerprint of a segment, as POST /tools/incremental computes it. */
  readonly fingerprintOf: typeof fingerprintOf
  /** What an engine is told for a direction, and how much faster the line is. By its words: equal directions give equal results. */
  readonly spokenDirection: (text: string) => { readonly instruct: string; readonly rate: number }
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly tools: ToolsApi
  }
}
