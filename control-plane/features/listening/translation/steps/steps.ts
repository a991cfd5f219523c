// The steps of a translation: literal texts, a review, shorter wordings. Each changes the drafts that it can improve.

import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { missedTerms, type TermFinder } from '../glossary/glossary.rules.ts'
import { createLlmAsker, translateWithLlm } from '../llm/lines.ts'
import { isWorthReview, reviewWithLlm } from '../llm/review.ts'
import { shortenWithLlm } from '../llm/shorten.ts'
import type { TaskNotes, WindowLine } from '../llm/window.rules.ts'
import type { ChosenTranslator } from '../providers/choose.ts'
import type { TextCaller, TextService } from '../providers/service.ts'
import { translateTexts } from '../providers/with-glossary.ts'
import { NEED, type SpeakingTime } from './length.rules.ts'
import type { LineDraft } from './line-draft.ts'

type Deps = {
  readonly skills: SettingsApi['skills']
  readonly clock: Clock
  readonly speakingTime: SpeakingTime
  readonly fallback: () => TextService
}
type Task = { readonly notes: TaskNotes; readonly find: TermFinder; readonly caller: TextCaller }
export type TranslationSteps = ReturnType<typeof createTranslationSteps>

const NOT_TRANSLATED = 'The language model did not return a usable translation of this line.'

export function createTranslationSteps({ skills, clock, speakingTime, fallback }: Deps) {
  const needOf = (text: string, { available, target }: LineDraft): number =>
    speakingTime(text, target).seconds / (available ?? Number.POSITIVE_INFINITY)
  /** About how many characters fit, at the pace of the text itself. */
  const charactersFor = (text: string, draft: LineDraft): number =>
    Math.max(1, Math.floor([...text].length / Math.max(needOf(text, draft), 0.01)))
  const windowLine = (draft: LineDraft): WindowLine => ({
    id: draft.key,
    text: draft.source,
    manner: draft.manner,
    characters: draft.available === null ? null : charactersFor(draft.source, draft),
  })

  async function withService(
    drafts: readonly LineDraft[],
    service: TextService,
    { notes, find, caller }: Task,
  ): Promise<readonly string[]> {
    if (drafts.length === 0) return []
    const texts = drafts.map(({ source }) => source)
    const { answers, notices } = await translateTexts(service, { texts, source: notes.source, target: notes.target, find }, caller)
    for (const [at, draft] of drafts.entries()) {
      const answer = answers[at]!
      if ('text' in answer) Object.assign(draft, { text: answer.text, error: null })
      else draft.error = answer.error
    }
    return notices
  }

  async function withLlm(drafts: readonly LineDraft[], task: Task): Promise<readonly string[]> {
    const asker = createLlmAsker({ skills, clock }, 'dub_translation')
    const { notes, find, caller } = task
    const done = await translateWithLlm(drafts.map(windowLine), { asker, notes, find, signal: caller.signal })
    const left = drafts.filter(({ key }) => !done.has(key))
    for (const draft of drafts) draft.text = done.get(draft.key) ?? draft.source
    const notices = await withService(left, fallback(), task)
    for (const draft of left) {
      if (draft.error === null) draft.degraded = true
      else draft.error = asker.failure()?.message ?? NOT_TRANSLATED
    }
    return notices
  }

  return {
    /** Translates the drafts; returns sentences for users. */
    literal: (drafts: readonly LineDraft[], chosen: ChosenTranslator, task: Task): Promise<readonly string[]> =>
      chosen.kind === 'llm' ? withLlm(drafts, task) : withService(drafts, chosen.service, task),

    /** Lines of three words and more get a critique and a final wording; the literal one is kept beside it. */
    async review(drafts: readonly LineDraft[], { notes, find, caller }: Task): Promise<void> {
      const asker = createLlmAsker({ skills, clock }, 'cinematic_translation')
      const lines = drafts.filter(({ error, source }) => error === null && isWorthReview(source))
      const reviewed = await reviewWithLlm(
        lines.map((draft) => ({ ...windowLine(draft), literal: draft.text })),
        { asker, notes, find, signal: caller.signal },
      )
      for (const draft of lines) {
        const better = reviewed.get(draft.key)
        if (better) Object.assign(draft, { literal: draft.text, critique: better.critique, text: better.text })
      }
    },

    /** Lines that take longer than their time get a shorter wording: in the text, or as a suggestion beside it. */
    async shorten(drafts: readonly LineDraft[], isUsed: boolean, { notes, caller }: Task): Promise<void> {
      const long = drafts.filter((draft) => draft.error === null && draft.available !== null && needOf(draft.text, draft) > NEED.fits)
      if (long.length === 0) return
      const isReady = skills.state('slot_fitting').ready
      const asker = createLlmAsker({ skills, clock }, 'slot_fitting')
      const shorter = isReady
        ? await shortenWithLlm(
            long.map((draft) => ({
              id: draft.key,
              text: draft.text,
              source: draft.source,
              characters: charactersFor(draft.text, draft),
              need: (text) => needOf(text, draft),
              isKept: (text) => missedTerms(draft.hits, text).length <= missedTerms(draft.hits, draft.text).length,
            })),
            { asker, language: notes.target, signal: caller.signal },
          )
        : new Map<string, string>()
      for (const draft of long) {
        const text = shorter.get(draft.key)
        if (text === undefined) draft.rateError = isReady ? (asker.failure() ? 'fit-provider-failed' : 'fit-budget') : 'no-llm'
        else if (!isUsed) draft.suggested = text
        else {
          draft.literal ??= draft.text
          draft.text = text
          if (needOf(text, draft) > NEED.fits) draft.rateError = 'fit-budget'
        }
      }
    },
  }
}
