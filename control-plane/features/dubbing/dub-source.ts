// The parts of dubs that the translation reads. A dub has a glossary of its own: its id is the id of the project.

import type { DubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import type { DubSource } from '#control-plane/features/listening/translation/api.ts'

const SECOND_US = 1e6

export const createDubSource = ({ dubs, segments, tracks }: DubStore): DubSource => ({
  dubOf(id) {
    const dub = dubs.find(id)
    if (!dub) return null
    const lines = segments
      .list(id)
      .map((line) => [line.id, { start: line.startUs / SECOND_US, end: line.endUs / SECOND_US, text: line.text }] as const)
    return { projectId: id, sourceLanguage: dub.sourceLang || null, segments: new Map(lines) }
  },
  spokenTexts: tracks.spokenTexts,
})
