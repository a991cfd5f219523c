import { defineArea } from '../define.ts'
import { createAnswerStore } from './answers.store.ts'
import { glossaryRoutes } from './glossary/glossary.routes.ts'
import { createGlossary } from './glossary/glossary.service.ts'
import { createGlossaryStore } from './glossary/glossary.store.ts'
import { createFilmNotes } from './llm/film-notes.ts'
import { createTranslatorChoice } from './providers/choose.ts'
import { createHttpJson } from './providers/http-json.ts'
import { createSpeakingTime } from './steps/speaking-time.ts'
import { createTranslationSteps } from './steps/steps.ts'
import type { DubSource } from './terms.ts'
import { translationRoutes } from './translation.routes.ts'
import { createDubTranslation } from './translation.service.ts'

export const translationArea = defineArea({
  name: 'translation',
  needs: ['settings'],
  open: ({ db, clock, random, version, offered, inference, variables }, { settings: { skills } }) => {
    let dubs: DubSource = { dubOf: () => null, spokenTexts: () => [] }
    const dubOf: DubSource['dubOf'] = (id) => dubs.dubOf(id)
    const speakingTime = createSpeakingTime({ spokenTexts: (language, limit) => dubs.spokenTexts(language, limit), clock })
    const linesOf = (id: string) => {
      const dub = dubOf(id)
      return dub && [...dub.segments.values()].map(({ text }) => text)
    }
    const notes = createFilmNotes({ skills })
    const glossary = createGlossary({ store: createGlossaryStore({ db }), notes, linesOf, clock, random })
    const choice = createTranslatorChoice({
      variable: variables.get,
      isLlmReady: () => skills.state('dub_translation').ready,
      http: createHttpJson({ clock, random, version }),
      answers: createAnswerStore({ db, now: clock.now }),
      offered,
      inference,
    })
    const steps = createTranslationSteps({ skills, clock, speakingTime, fallback: choice.fallback })
    const translation = createDubTranslation({ choice, steps, notes, skills, glossaryOf: glossary.terms, dubOf, speakingTime })
    return {
      routes: [...translationRoutes(translation), ...glossaryRoutes(glossary)],
      api: {
        translate: translation.translate,
        glossaryOf: glossary.terms,
        requireTarget: choice.requireTarget,
        lendDubs: (source: DubSource) => {
          dubs = source
        },
      },
    }
  },
})
