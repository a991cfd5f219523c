// POST /dub/qc: each line of a voice track is recognised and measured. What was found is kept with the track, so an interrupted check goes on
// where it was and an equal one costs nothing.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { keyOf } from '../../../jobs/key.ts'
import { openBlocks } from '../../../media/film/sound/blocks.ts'
import type { DubCore } from '../core.ts'
import { createSharedRuns } from '../files/shared-runs.ts'
import { requireLanguage } from '../reading/reading.service.ts'
import { type DubTrack, LineCheck } from '../store/dub.ts'
import { apiIdOf, secondsOf } from '../store/forms.rules.ts'
import { lineCheck, type PlannedLine, spansOf } from './qc.rules.ts'
import type { Understand } from './understand.ts'

const VERSION = 1
const LIMIT_MS = 1800_000
const SAVED_EVERY = 16
/** Of the plan of a track. */
const Plan = z.object({ lines: z.array(z.object({ id: z.string(), startUs: z.number(), lengthUs: z.number() })), totalUs: z.number() })
const Finding = LineCheck.omit({ flagged: true }).extend({ text: z.string(), engine: z.string() })
const Findings = z.record(z.string(), Finding)
type Findings = z.output<typeof Findings>
type Caller = { readonly signal: AbortSignal; readonly traceparent: string }
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'dub' | 'saved'>
  readonly understand: Understand
  readonly clock: Clock
}
type Wanted = { readonly language: string | null; readonly threshold: number }

export function createDubQc({ core: { store, files, dub, saved }, understand, clock }: Deps) {
  const runs = createSharedRuns<Findings>()

  function trackOf(id: string, language: string | null): DubTrack {
    if (language !== null) requireLanguage(language)
    const found = store.tracks.tracks(id).find(({ languageCode }) => language === null || languageCode === language)
    if (found) return found
    throw new Failure('BAD_REQUEST', 'There is no voice track to check. Generate one first.')
  }

  async function findingsOf(
    id: string,
    track: DubTrack,
    lines: readonly (PlannedLine & { readonly text: string })[],
    totalUs: number,
    caller: Caller,
  ) {
    const key = keyOf({ kind: 'dub.qc', version: VERSION, inputs: [track.digest], params: null })
    const known = await files.find(key)
    const findings: Findings = known ? Findings.parse(JSON.parse(known.detail)) : {}
    const keep = () => files.note(key, { kind: 'check', maker: id, detail: JSON.stringify(findings) }, id)
    const missing = lines.filter((line) => findings[line.id]?.text !== line.text)
    if (missing.length === 0) return findings
    if (!(await files.find(track.digest))) throw new Failure('BAD_REQUEST', 'The voice track was removed. Generate it again.')
    const sound = await openBlocks(files.pathOf(track.digest))
    const spans = spansOf(lines, totalUs)
    const language = track.languageCode === 'und' ? null : track.languageCode
    try {
      for (const [at, line] of missing.entries()) {
        caller.signal.throwIfAborted()
        const { text, engine, measured } = await understand(sound, spans.get(line.id)!, language, caller)
        findings[line.id] = { ...lineCheck(line, line.text, text, measured), text: line.text, engine }
        if (at % SAVED_EVERY === SAVED_EVERY - 1) keep()
      }
    } finally {
      keep()
    }
    return findings
  }

  return {
    /**
     * Throws NOT_FOUND, BAD_REQUEST without a track or lines, CONFLICT for an aborted dub, MODEL_NOT_INSTALLED without a recogniser,
     * TASK_DEADLINE_EXCEEDED after half an hour, how a task ended, and the reason of the signal.
     */
    async check(id: string, { language, threshold }: Wanted, caller: Caller) {
      if (dub(id).isAborted) throw new Failure('CONFLICT', 'The dub was aborted. Generate it again.')
      const track = trackOf(id, language)
      const plan = Plan.safeParse(track.plan).data
      const texts = store.segments.texts(id, track.languageCode)
      const texted = store.segments.list(id).map((line) => ({ id: line.id, text: texts[line.id] ?? line.text }))
      const planned = new Map(plan?.lines.map((line) => [line.id, line]))
      // Lines without sound cannot be checked.
      const lines = texted.flatMap(({ id: lineId, text }) => {
        const line = planned.get(lineId)
        return line && line.lengthUs > 0 && text.trim() !== '' ? [{ ...line, text }] : []
      })
      if (!plan || lines.length === 0) throw new Failure('BAD_REQUEST', 'The voice track has no lines to check.')

      const late = new AbortController()
      const forget = clock.after(LIMIT_MS, () =>
        late.abort(new Failure('TASK_DEADLINE_EXCEEDED', 'The check takes longer than half an hour. Ask again: it goes on where it was.')),
      )
      const signal = AbortSignal.any([caller.signal, late.signal])
      const run = `${id} ${track.digest}`
      try {
        const work = (stopping: AbortSignal) => findingsOf(id, track, lines, plan.totalUs, { ...caller, signal: stopping })
        const findings = await runs.join(run, work, signal)
        return answer(id, lines, findings, threshold)
      } finally {
        forget()
      }
    },
  }

  function answer(id: string, lines: readonly PlannedLine[], findings: Findings, threshold: number) {
    const checks = new Map(
      lines.map(({ id: lineId }): [string, LineCheck] => {
        const { text: _, engine: __, ...found } = findings[lineId]!
        return [lineId, { ...found, flagged: found.drift > threshold }]
      }),
    )
    // As they are now: a line may have been edited meanwhile.
    const changed = store.segments.list(id).flatMap((line) => {
      const qc = checks.get(line.id)
      return qc ? [{ ...line, qc }] : []
    })
    store.segments.update(id, changed)
    saved(id)
    const segments = [...checks].map(([lineId, { drift, flagged, recognized, measured_start_us, measured_end_us }]) => ({
      seg_id: apiIdOf(lineId),
      drift,
      flagged,
      recognized_text: recognized,
      measured_start: measured_start_us === null ? null : secondsOf(measured_start_us),
      measured_end: measured_end_us === null ? null : secondsOf(measured_end_us),
    }))
    const flagged = segments.filter((segment) => segment.flagged).length
    const { engine } = findings[lines[0]!.id]!
    return { engine, total: segments.length, flagged_count: flagged, drift_threshold: threshold, segments }
  }
}
