// POST /dub/translate: which translator, which glossary, which steps, and the rows of the reply. Nothing is stored but answers of services
// that were paid for.

import type { SettingsApi } from '#control-plane/features/base/settings/api.ts'
import { LlmFailure } from '#control-plane/llm/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { createTermFinder, missedTerms, type TermFinder } from './glossary/glossary.rules.ts'
import type { FilmNotes } from './llm/film-notes.ts'
import type { TranslatorChoice } from './providers/choose.ts'
import { type TextCaller, tagParts } from './providers/service.ts'
import { lengthPlan, type SpeakingTime } from './steps/length.rules.ts'
import type { LineDraft } from './steps/line-draft.ts'
import type { TranslationSteps } from './steps/steps.ts'
import type { KnownDub, Term } from './terms.ts'
import type { TranslatedRow, TranslateReply, TranslateRequest } from './translation.schema.ts'

type Deps = {
  readonly choice: TranslatorChoice
  readonly steps: TranslationSteps
  readonly notes: FilmNotes
  readonly skills: Pick<SettingsApi['skills'], 'state'>
  readonly glossaryOf: (projectId: string) => readonly Term[]
  /** Null when there is no such dub. */
  readonly dubOf: (jobId: string) => KnownDub | null
  readonly speakingTime: SpeakingTime
}
export type DubTranslation = ReturnType<typeof createDubTranslation>

const USUAL_SOURCE = 'en'
const READ_CHARS = 12_000
const PROPOSED_TERMS = 30
/** Shorter scenes explain themselves. */
const MIN_LINES_FOR_NOTES = 4
/** UTF-16 units of lines that are worked on at once. */
const TURN_CHARS = 5_000

export function createDubTranslation({ choice, steps, notes, skills, glossaryOf, dubOf, speakingTime }: Deps) {
  /** Notes of a language model about the film. They only help, so a failure changes nothing. */
  async function notesOf(drafts: readonly LineDraft[], isWanted: boolean, task: { source: string; target: string }, signal: AbortSignal) {
    if (!isWanted || drafts.length < MIN_LINES_FOR_NOTES || !notes.isReady()) return { summary: '', terms: [] }
    const text = drafts
      .map(({ source }) => source)
      .join('\n')
      .slice(0, READ_CHARS)
    return await notes.read({ text, ...task, mostTerms: PROPOSED_TERMS }, signal).catch((error: unknown) => {
      if (error instanceof LlmFailure) return { summary: '', terms: [] }
      throw error
    })
  }

  function rowOf(draft: LineDraft, isFitted: boolean): TranslatedRow {
    const { id, text, error, literal, critique, degraded, available, target, suggested, rateError, hits } = draft
    const missed = error === null ? missedTerms(hits, text).map(({ source }) => source) : []
    const plan = available === null ? null : lengthPlan(text, available, target, speakingTime)
    return {
      id,
      text,
      ...(error !== null && { error }),
      ...(literal !== null && { literal }),
      ...(critique !== null && { critique }),
      ...(degraded && { degraded }),
      ...(isFitted && plan && { rate_ratio: Math.round((plan.est_dur_s / plan.available_s) * 1000) / 1000 }),
      ...(rateError !== null && { rate_error: rateError }),
      ...(plan && {
        plan: {
          ...plan,
          ...(suggested !== null && {
            suggested_text: suggested,
            suggested_est_dur_s: lengthPlan(suggested, available!, target, speakingTime).est_dur_s,
          }),
        },
      }),
      ...(missed.length > 0 && { glossary_missed: missed }),
    }
  }

  return {
    /** Throws BAD_REQUEST when the translator cannot be used at all, or the reason of the signal. */
    async translate(request: TranslateRequest, caller: TextCaller): Promise<TranslateReply> {
      const { segments, target_lang, quality, condense } = request
      const dub = request.job_id ? dubOf(request.job_id) : null
      const source =
        request.source_lang ?? dub?.sourceLanguage ?? detectLanguage(segments.map(({ text }) => text).join('\n'))?.code ?? USUAL_SOURCE
      const projectId = dub?.projectId ?? request.job_id ?? null
      const find = createTermFinder(termsOf(request, projectId === null ? [] : glossaryOf(projectId)))
      const drafts = await inTurns(segments, (segment, at) => draftOf(segment, at, target_lang, dub, find))
      const dialect = request.dialect?.trim() ?? ''
      const open = drafts.filter(({ source: text, target }) => text.trim() !== '' && (dialect !== '' || !isSameLanguage(source, target)))
      const targets = [...new Set(open.map(({ target }) => target))]
      const chosen = choice.choose(
        request.provider ?? '',
        targets.map((target) => ({ source, target })),
      )
      const isLlm = chosen.kind === 'llm'
      const canReview = skills.state('cinematic_translation').ready
      const isReviewed = quality !== 'fast' && canReview && request.reflect !== false
      const isSkipped = quality !== 'fast' && !isLlm && !canReview
      const notices = new Set<string>()
      for (const target of targets) {
        const some = open.filter((draft) => draft.target === target)
        const { summary, terms } = await notesOf(some, request.auto_glossary ?? isLlm, { source, target }, caller.signal)
        // What the owner says about a term wins.
        const proposed = terms.filter((term) => find(term.source).length === 0)
        const task = { notes: { source, target, dialect, summary, proposed }, find, caller }
        for (const notice of await steps.literal(some, chosen, task)) notices.add(notice)
        if (isReviewed) await steps.review(some, task)
        if (quality === 'autofit' && !isSkipped) await steps.shorten(some, true, task)
        else if (condense) await steps.shorten(some, false, task)
      }
      const rows = await inTurns(drafts, (draft) => rowOf(draft, quality === 'autofit' && !isSkipped))
      return {
        translated: isLlm ? rows.toSorted((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0)) : rows,
        target_lang,
        source_lang: source,
        quality_used: isSkipped ? 'fast' : quality,
        ...(dialect !== '' && { dialect, dialect_applied: open.length > 0 && (isLlm || isReviewed) }),
        ...(isSkipped && { cinematic_skipped: 'no-llm-configured' as const }),
        ...(notices.size > 0 && { notices: [...notices] }),
      }
    },
  }
}

/** Maps a list that may be long, with turns for other requests between its parts. */
async function inTurns<T, R extends { readonly text: string }>(list: readonly T[], map: (one: T, at: number) => R): Promise<R[]> {
  const results: R[] = []
  let chars = 0
  for (const [at, one] of list.entries()) {
    const result = map(one, at)
    results.push(result)
    chars += 1 + result.text.length
    if (chars < TURN_CHARS) continue
    chars = 0
    await nextTurn()
  }
  return results
}

/** The terms of the request, and those of the project that it does not name. */
function termsOf({ glossary }: TranslateRequest, stored: readonly Term[]): Term[] {
  const given = (glossary ?? []).map(({ source, target, note }) => ({ source: source.trim(), target: target.trim(), note: note ?? '' }))
  const named = new Set(given.map(({ source }) => source.toLowerCase()))
  return [...given, ...stored.filter(({ source }) => !named.has(source.toLowerCase()))]
}

function draftOf(
  segment: TranslateRequest['segments'][number],
  at: number,
  usual: string,
  dub: KnownDub | null,
  find: TermFinder,
): LineDraft {
  const { id, text, target_lang, direction, slot_seconds, start, end } = segment
  const stored = dub?.segments.get(id) ?? null
  const length = start != null && end != null ? end - start : stored ? stored.end - stored.start : 0
  const available = slot_seconds || length
  return {
    key: `L${at + 1}`,
    id,
    source: text,
    target: target_lang ?? usual,
    manner: direction?.trim() ?? '',
    available: available > 0 ? available : null,
    hits: find(text),
    ...{ text, error: null, degraded: false, literal: null, critique: null, suggested: null, rateError: null },
  }
}

const isSameLanguage = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase() || (tagParts(one)[0] === tagParts(other)[0] && tagParts(one)[0] !== 'zh')
