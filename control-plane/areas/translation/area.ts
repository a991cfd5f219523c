import { paceOf } from '#shared/text/pace.ts'
import { defineArea } from '../define.ts'
import { createAnswerStore } from './answers.store.ts'
import { glossaryRoutes } from './glossary/glossary.routes.ts'
import { createGlossary } from './glossary/glossary.service.ts'
import { createGlossaryStore } from './glossary/glossary.store.ts'
import { createFilmNotes } from './llm/film-notes.ts'
import { createTranslatorChoice } from './providers/choose.ts'
import { createHttpJson } from './providers/http-json.ts'
import type { SpeakingTime } from './steps/length.rules.ts'
import { createTranslationSteps } from './steps/steps.ts'
import type { KnownDub } from './terms.ts'
import { translationRoutes } from './translation.routes.ts'
import { createDubTranslation } from './translation.service.ts'

/** At the usual pace of the language: nothing is measured yet. */
const speakingTime: SpeakingTime = (text, language) => ({ seconds: [...text].length / paceOf(language), calibrated: false })

export const translationArea = defineArea({
  name: 'translation',
  needs: ['settings'],
  open: ({ db, clock, random, version, offered, inference, variables }, { settings: { skills } }) => {
    // Dubs are not stored by this version, so every job id is that of an unknown dub.
    const dubOf = (_jobId: string): KnownDub | null => null
    const notes = createFilmNotes({ skills })
    const glossary = createGlossary({ store: createGlossaryStore({ db }), notes, linesOf: () => null, clock, random })
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
      api: { translate: translation.translate, glossaryOf: glossary.terms },
    }
  },
})
