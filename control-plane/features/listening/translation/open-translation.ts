// Opens the translation of the lines of films. The area loads it with the first request, because its providers, steps and tables of number
// words are a tenth of the modules of a start.

import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'
import { createAnswerStore } from './answers.store.ts'
import type { FilmNotes } from './llm/film-notes.ts'
import { createTranslatorChoice } from './providers/choose.ts'
import { createHttpJson } from './providers/http-json.ts'
import { createSpeakingTime } from './steps/speaking-time.ts'
import { createTranslationSteps } from './steps/steps.ts'
import type { DubSource, Term } from './terms.ts'
import { createDubTranslation, type DubTranslation } from './translation.service.ts'

type Parts = Pick<Platform, 'library' | 'clock' | 'random' | 'version' | 'offered' | 'inference' | 'variables'> & {
  readonly skills: SettingsApi['skills']
  readonly notes: FilmNotes
  readonly glossaryOf: (projectId: string) => readonly Term[]
  readonly dubs: DubSource
}

/** `requireTarget` rejects as `TranslatorChoice.requireTarget` throws. */
export type OpenTranslation = DubTranslation & { readonly requireTarget: (language: string) => Promise<void> }

export function openTranslation(parts: Parts): OpenTranslation {
  const {
    library: { db },
    clock,
    random,
    version,
    offered,
    inference,
    variables,
    skills,
    notes,
    glossaryOf,
    dubs,
  } = parts
  const { dubOf, spokenTexts } = dubs
  const speakingTime = createSpeakingTime({ spokenTexts, clock })
  const choice = createTranslatorChoice({
    variable: variables.get,
    isLlmReady: () => skills.state('dub_translation').ready,
    http: createHttpJson({ clock, random, version }),
    answers: createAnswerStore({ db, now: clock.now }),
    offered,
    inference,
  })
  const steps = createTranslationSteps({ skills, clock, speakingTime, fallback: choice.fallback })
  return {
    ...createDubTranslation({ choice, steps, notes, skills, glossaryOf, dubOf, speakingTime }),
    requireTarget: async (language) => choice.requireTarget(language),
  }
}
