import type { History } from './history.store.ts'
import type { Projects } from './projects/projects.service.ts'
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
/** The figures of the library that other areas know. */
export type LateCount = 'voices' | 'dubs'
/** Projects that another area makes. */
export type LibraryProjects = Pick<Projects, 'read' | 'keep' | 'isKnown' | 'freeId'>
export type LibraryApi = {
  readonly history: Pick<History, 'newId' | 'add' | 'revise' | 'has' | 'scriptOf' | 'soundOf' | 'ofVoice' | 'forgetVoice'>
  /** Called by an area that opens later, with a function that counts what it stores. Until then there are none. */
  readonly countBy: (what: LateCount, count: () => number) => void
  /** Takes that stay in the list without their files, because a disk or a part of a backup may be missing; 0 in the usual case. */
  readonly missingTakes: () => number
  readonly projects: Pick<ProjectStore, 'segmentsOf'>
  readonly own: LibraryProjects
}

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly library: LibraryApi
  }
}
