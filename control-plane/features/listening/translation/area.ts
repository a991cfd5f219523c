import { whenReady } from '#control-plane/inference/when-ready.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { NORMALISE_PARTS } from '#shared/text/normalise/parts.ts'
import { glossaryRoutes } from './glossary/glossary.routes.ts'
import { createGlossary } from './glossary/glossary.service.ts'
import { createGlossaryStore } from './glossary/glossary.store.ts'
import { createFilmNotes } from './llm/film-notes.ts'
import type { OpenTranslation } from './open-translation.ts'
import type { DubSource } from './terms.ts'
import { translationRoutes } from './translation.routes.ts'

/** The larger parts of `open-translation.ts`, one for each turn of the event loop: all of them at once block it for 40 to 70 ms. */
const PARTS = [
  ...NORMALISE_PARTS,
  () => import('./providers/local.ts'),
  () => import('./providers/http-service.ts'),
  () => import('./providers/choose.ts'),
  () => import('./steps/steps.ts'),
]

export const translationArea = defineArea({
  name: 'translation',
  needs: ['settings'],
  open: (platform, { settings: { skills } }) => {
    const {
      library: { db },
      makers,
      clock,
      random,
    } = platform
    let lent: DubSource = { dubOf: () => null, spokenTexts: () => [] }
    const dubs: DubSource = { dubOf: (id) => lent.dubOf(id), spokenTexts: (language, limit) => lent.spokenTexts(language, limit) }
    const linesOf = (id: string) => {
      const dub = dubs.dubOf(id)
      return dub && [...dub.segments.values()].map(({ text }) => text)
    }
    const notes = createFilmNotes({ skills })
    const glossary = createGlossary({ store: createGlossaryStore({ db }), makers, notes, linesOf, clock, random })
    let opened: Promise<OpenTranslation> | null = null
    const load = async () => {
      for (const part of [...PARTS, () => import('./open-translation.ts')]) {
        // Also before the first part and the last one: the request was checked in one turn, and is translated in another.
        await nextTurn()
        await part()
      }
      await nextTurn()
      const { openTranslation } = await import('./open-translation.ts')
      return openTranslation({ ...platform, skills, notes, glossaryOf: glossary.terms, dubs })
    }
    const open = () => {
      // A load that fails, for example for want of open files, is tried again by the next request.
      opened ??= load().catch((error: unknown) => {
        opened = null
        throw error
      })
      return opened
    }
    const translation: OpenTranslation = {
      async translate(request, caller) {
        const { translate } = await open()
        // The agent of this machine may be restarting, and lines must not stay untranslated for that.
        return await whenReady(() => translate(request, caller), clock, caller.signal)
      },
      requireTarget: async (language) => (await open()).requireTarget(language),
    }
    return {
      routes: [...translationRoutes({ translation, makers }), ...glossaryRoutes({ glossary, makers })],
      api: {
        translate: translation.translate,
        glossaryOf: glossary.terms,
        requireTarget: translation.requireTarget,
        lendDubs: (source: DubSource) => {
          lent = source
        },
      },
    }
  },
})
