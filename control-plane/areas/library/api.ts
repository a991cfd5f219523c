import type { History } from './history.store.ts'
import type { ProjectStore } from './projects/projects.store.ts'

/** The leading chunks of a take: at most as many as a reference of a voice needs. */
export type TakeChunks = {
  /** The synthesis task, whose output has all parts in this order; null if several tasks made the take. */
  readonly taskId: string | null
  /** Hz. */
  readonly sampleRate: number
  /** Silence before the first chunk of the file in milliseconds. */
  readonly leadMs: number
  /** Samples by which neighbouring chunks of the file overlap. */
  readonly crossfade: number
  /** `silent`: a part that is in the output of the task and was left out of the file. */
  readonly parts: readonly { readonly text: string; readonly samples: number; readonly silent?: true }[]
}
export type LibraryApi = {
  readonly history: Pick<History, 'add' | 'has' | 'soundOf' | 'ofVoice' | 'forgetVoice'>
  /** The area of dubs opens later and says how many there are. */
  readonly countDubsBy: (count: () => number) => void
  readonly projects: Pick<ProjectStore, 'segmentsOf'>
}
