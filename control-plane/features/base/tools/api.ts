import type { fingerprintOf } from './fingerprint.rules.ts'

export type ToolsApi = {
  /** The fingerprint of a segment, as POST /tools/incremental computes it. */
  readonly fingerprintOf: typeof fingerprintOf
  /** Instruction to an engine for a direction, and the rate of the line. Derived from its words: equal directions give equal results. */
  readonly spokenDirection: (text: string) => { readonly instruct: string; readonly rate: number }
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly tools: ToolsApi
  }
}
