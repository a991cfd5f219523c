import type { Choices } from './choices/choices.service.ts'
import type { DownloadSources } from './hub/download-source.ts'
import type { HubToken } from './hub/token.service.ts'
import type { Skills } from './llm/skills.service.ts'
import type { MeasureFolders } from './storage/sizes.ts'

export type SettingsApi = {
  readonly measureFolders: MeasureFolders
  /** Number of takes that are kept; 0 for all. */
  readonly historyCap: () => number
  /** The fate of takes whose files are missing, and its return to the usual one. */
  readonly missingTakes: Choices['missingTakes']
  /** The schedule of whole backups. */
  readonly backupChoice: Choices['backupChoice']
  /** The uses of a language model: whether one is ready, and `ask` to call it. */
  readonly skills: Pick<Skills, 'state' | 'ask'>
  /** The token for the model hub: its sources, masked, and whether the hub accepts it. */
  readonly hubToken: Pick<HubToken, 'state' | 'active' | 'set' | 'clear'>
  /** Sources of model downloads. */
  readonly downloadSource: DownloadSources
  /** True if the active provider of language models can be called. */
  readonly isLlmReady: () => boolean
  /** Refinement of dictated text; `reportRefinement` records how a refinement ended. */
  readonly dictation: Pick<Choices, 'refinement' | 'refineSeconds' | 'reportRefinement'>
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly settings: SettingsApi
  }
}
