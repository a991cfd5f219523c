// POST /dub/qc: each line of a voice track is recognised and measured. What was found is kept, so an interrupted check goes on where it was and
// an equal one costs nothing.

import { requireLanguage } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Dub, DubTrack } from '#control-plane/features/dubbing/store/dub.ts'
import { createSharedRuns } from '#control-plane/features/dubbing/store/files/shared-runs.ts'
import { needFor } from '#control-plane/inference/needs/needs.ts'
import { type Json, keyOf } from '#control-plane/jobs/key.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type MeasureTrack, NO_VOCALS } from './measuring.ts'
import { checkAnswer, type FilmPlaces } from './rules/answer.rules.ts'
import { type CheckedTrack, checkedTrackOf } from './rules/checked-track.rules.ts'
import { uncoveredSpeech } from './rules/faults.rules.ts'
import { languageOfDub } from './rules/language.rules.ts'
import { type CheckInput, type LineReport, reportsOf, storedCheck } from './rules/report.rules.ts'
import type { Understand } from './understand.ts'
import { createUnderstanding } from './understanding.ts'

const LIMIT_MS = 1800_000
/** Reports between two turns of the event loop: some milliseconds with lines of usual length. */
const LINES_A_TURN = 8
type Span = { readonly startUs: number; readonly endUs: number }
type Evidence = Omit<CheckInput, 'threshold' | 'track'> & { readonly places: FilmPlaces }
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }
export type CheckSummary = { readonly engine: string; readonly flagged: number; readonly total: number }
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'plans' | 'dub' | 'saved'>
  readonly understand: Understand
  readonly measure: MeasureTrack
  /** Speech of the original. */
  readonly speechOf: (dubId: string, signal: AbortSignal) => Promise<{ readonly spans: readonly Span[] }>
  /** Called after each check. Must not throw. */
  readonly checked: (dubId: string, languageCode: string, summary: CheckSummary) => Promise<void>
  readonly clock: Clock
}
export type WantedCheck = {
  readonly language: string | null
  readonly threshold: number
  /** Refuses the check where no recogniser knows the language. */
  readonly needsWords: boolean
}
export type DubQc = ReturnType<typeof createDubQc>

export function createDubQc({ core, understand, measure, speechOf, checked: reported, clock }: Deps) {
  const { store, files, plans, dub: dubOf, saved } = core
  const runs = createSharedRuns<Evidence>()
  const understanding = createUnderstanding({ core, understand })

  async function trackOf(id: string, language: string | null): Promise<DubTrack> {
    if (language !== null) requireLanguage(language)
    const found = (await plans.of(id)).find(({ languageCode }) => language === null || languageCode === language)
    if (found) return found
    throw new Failure('BAD_REQUEST', 'There is no voice track to check. Generate one first.')
  }

  async function placesIn(id: string, signal: AbortSignal): Promise<FilmPlaces> {
    const speech = await speechOf(id, signal).catch(() => {
      signal.throwIfAborted()
      return null
    })
    const lines = store.segments.list(id)
    const named = dubOf(id).options.speech_without_words.map(({ start_us, end_us }) => ({ startUs: start_us, endUs: end_us }))
    // A place is one finding: the one that says more.
    return { wordless: uncoveredSpeech(named, lines), uncovered: speech && uncoveredSpeech(speech.spans, [...lines, ...named]) }
  }

  async function evidenceOf(dub: Dub, track: DubTrack, lines: CheckedTrack, caller: Caller): Promise<Evidence> {
    const texts = lines.lines.map(({ text }) => text)
    const language = languageOfDub(track.languageCode, texts)
    const engines = understand.engines(language)
    const findings = await understanding(dub.id, track, lines, language, caller)
    const measures = await measure(dub, track, lines, caller.signal)
    return { language, engines, findings, measures, places: await placesIn(dub.id, caller.signal) }
  }

  /** The reports of all lines, as they are stored. Throws as `check`, but has no time limit. */
  async function examine(id: string, { language, threshold, needsWords }: WantedCheck, caller: Caller) {
    const dub = dubOf(id)
    if (dub.isAborted) throw new Failure('CONFLICT', 'The dub was aborted. Generate it again.')
    const track = await trackOf(id, language)
    const lines = checkedTrackOf(track, store.segments.list(id), store.segments.texts(id, track.languageCode))
    if (!lines || lines.lines.length === 0) throw new Failure('BAD_REQUEST', 'The voice track has no lines to check.')
    if (!(await files.find(track.digest))) throw new Failure('BAD_REQUEST', 'The voice track was removed. Generate it again.')
    if (needsWords) {
      const texts = lines.lines.map(({ text }) => text)
      const { wordsMissing } = understand.engines(languageOfDub(track.languageCode, texts))
      if (wordsMissing !== null) throw understand.refusal(wordsMissing)
    }
    const work = (signal: AbortSignal) => evidenceOf(dub, track, lines, { ...caller, signal })
    // Lines may be edited while an equal check runs.
    const run = keyOf({
      kind: 'dub.qc.run',
      version: 1,
      inputs: [track.digest],
      params: { dub: id, language: track.languageCode, lines } as unknown as Json,
    })
    const evidence = await runs.join(run, work, caller.signal)
    const reports: LineReport[] = []
    for (const report of reportsOf({ ...evidence, track: lines, threshold })) {
      reports.push(report)
      if (reports.length % LINES_A_TURN !== 0) continue
      await nextTurn()
      caller.signal.throwIfAborted()
    }
    keep(id, { track, lines }, reports)
    const engine = [...evidence.findings.values()].find((finding) => finding.engine !== '')?.engine ?? ''
    const needs = [
      ...(evidence.engines.wordsMissing === null ? [] : [needFor('recognition')]),
      ...(evidence.measures.leakMissing === NO_VOCALS ? [needFor('background')] : []),
    ]
    const answer = checkAnswer(reports, { engine, threshold, places: evidence.places, needs })
    await reported(id, track.languageCode, { engine, flagged: answer.flagged_count, total: answer.total })
    return { track, reports, answer }
  }

  /** Stores the checks of lines that are as they were checked: a line may have been edited meanwhile, and the track generated again. */
  function keep(
    id: string,
    { track, lines }: { readonly track: DubTrack; readonly lines: CheckedTrack },
    reports: readonly LineReport[],
  ): void {
    if (!store.tracks.trackFiles(id).some(({ languageCode, digest }) => languageCode === track.languageCode && digest === track.digest))
      return
    const segments = store.segments.list(id)
    const now = checkedTrackOf(track, segments, store.segments.texts(id, track.languageCode))
    const formsOf = ({ lines: heard, missing }: CheckedTrack) =>
      new Map([...heard, ...missing].map((line) => [line.id, JSON.stringify(line)]))
    const [before, after] = [formsOf(lines), formsOf(now ?? lines)]
    const checks = new Map(reports.map((report) => [report.id, storedCheck(report)]))
    const changed = segments.flatMap((line) => {
      const qc = checks.get(line.id)
      return qc && before.get(line.id) === after.get(line.id) ? [{ ...line, qc }] : []
    })
    store.segments.update(id, changed)
    saved(id)
  }

  return {
    examine,
    /**
     * Throws NOT_FOUND, BAD_REQUEST without a track or lines, CONFLICT for an aborted dub, MODEL_NOT_INSTALLED, NOT_READY while engines start,
     * TASK_DEADLINE_EXCEEDED after half an hour, how a task ended, and the reason of the signal.
     */
    async check(id: string, wanted: WantedCheck, caller: Caller) {
      const late = new AbortController()
      const forget = clock.after(LIMIT_MS, () =>
        late.abort(new Failure('TASK_DEADLINE_EXCEEDED', 'The check takes longer than half an hour. Ask again: it goes on where it was.')),
      )
      try {
        return await examine(id, wanted, { ...caller, signal: AbortSignal.any([caller.signal, late.signal]) })
      } finally {
        forget()
      }
    },
  }
}
