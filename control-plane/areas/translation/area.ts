import { defineArea } from '../define.ts'
import { glossaryRoutes } from './glossary/glossary.routes.ts'
import { createGlossary } from './glossary/glossary.service.ts'
import { createGlossaryStore } from './glossary/glossary.store.ts'
import { createFilmNotes } from './llm/film-notes.ts'
import type { OpenedTranslation } from './open-translation.ts'
import type { DubSource } from './terms.ts'
import { translationRoutes } from './translation.routes.ts'
import type { DubTranslation } from './translation.service.ts'

export const translationArea = defineArea({
  name: 'translation',
  needs: ['settings'],
  open: (platform, { settings: { skills } }) => {
    const { db, clock, random } = platform
    let lent: DubSource = { dubOf: () => null, spokenTexts: () => [] }
    const dubs: DubSource = { dubOf: (id) => lent.dubOf(id), spokenTexts: (language, limit) => lent.spokenTexts(language, limit) }
    const linesOf = (id: string) => {
      const dub = dubs.dubOf(id)
      return dub && [...dub.segments.values()].map(({ text }) => text)
    }
    const notes = createFilmNotes({ skills })
    const glossary = createGlossary({ store: createGlossaryStore({ db }), notes, linesOf, clock, random })
    let opened: Promise<OpenedTranslation> | null = null
    const open = async () => {
      const { openTranslation } = await import('./open-translation.ts')
      return openTranslation({ ...platform, skills, notes, glossaryOf: glossary.terms, dubs })
    }
    const loaded = (): Promise<OpenedTranslation> => {
      opened ??= open()
      return opened
    }
    const translation: DubTranslation = {
      async translate(request, caller) {
        return (await loaded()).translate(request, caller)
      },
    }
    return {
      routes: [...translationRoutes(translation), ...glossaryRoutes(glossary)],
      api: {
        translate: translation.translate,
        glossaryOf: glossary.terms,
        requireTarget: async (language: string) => (await loaded()).requireTarget(language),
        lendDubs: (source: DubSource) => {
          lent = source
        },
      },
    }
  },
})
