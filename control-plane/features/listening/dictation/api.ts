import type { chosenForDictation } from './dictation.service.ts'
import type { Refine } from './refine.ts'

export type DictationApi = {
  /** True if an offer is the model that the owner selected for dictation. */
  readonly isChosen: ReturnType<typeof chosenForDictation>
  /** Refines a text on request, also where the owner turned it off for live dictation. `isReady`: whether a language model is connected. */
  readonly refiner: { readonly isReady: () => boolean; readonly refine: Refine }
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly dictation: DictationApi
  }
}
