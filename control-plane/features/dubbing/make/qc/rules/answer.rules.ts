// A check in the form of the API. Pure.

import type { z } from 'zod'
import { secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { apiIdOf } from '#control-plane/features/dubbing/store/line.ts'
import type { ModelNeed } from '#shared/protocol/fields/model-need.ts'
import type { dubQcContracts } from '../qc.contract.ts'
import { type CheckName, LINE_CHECKS, type LineReport } from './report.rules.ts'

export type DubCheckAnswer = z.output<typeof dubQcContracts.check.reply>
type Span = { readonly startUs: number; readonly endUs: number }
/** Speech of the film at whose time there is no line. `uncovered`: null if this machine cannot detect speech. */
export type FilmPlaces = { readonly wordless: readonly Span[]; readonly uncovered: readonly Span[] | null }
type Found = { readonly engine: string; readonly threshold: number; readonly places: FilmPlaces; readonly needs: readonly ModelNeed[] }

const spanForm = ({ startUs, endUs }: Span) => ({ start: secondsOf(startUs), end: secondsOf(endUs) })
const rounded = (value: number | null): number | null => (value === null ? null : Math.round(value * 1000) / 1000)

export function checkAnswer(reports: readonly LineReport[], { engine, threshold, places, needs }: Found): DubCheckAnswer {
  const reasons = new Map<string, number>()
  const indexOf = (reason: string): number => {
    const known = reasons.get(reason) ?? reasons.size
    reasons.set(reason, known)
    return known
  }
  const segments = reports.map(({ id, drift, flagged, faults, evidence, measured, language, notChecked }) => {
    const missing = notChecked.map(({ check, reason }) => ({ check, reason: indexOf(reason) }))
    const { recognized, loudness, levelStep, clipped, rate, cutUs, leakDb, isSpoken } = evidence
    return {
      seg_id: apiIdOf(id),
      drift,
      flagged,
      recognized_text: recognized ?? '',
      measured_start: measured && secondsOf(measured.startUs),
      measured_end: measured && secondsOf(measured.endUs),
      faults: [...faults],
      checked: LINE_CHECKS.filter((check) => !notChecked.some((one) => one.check === check)),
      not_checked: missing,
      language_found: language,
      loudness: rounded(loudness),
      level_step: rounded(levelStep),
      clipped_samples: clipped,
      rate: isSpoken ? rounded(rate) : null,
      cut_s: isSpoken ? secondsOf(cutUs) : null,
      leak_db: rounded(leakDb),
      voice_similarity: null,
    }
  })
  const spoken = reports.filter(({ evidence }) => evidence.isSpoken)
  const madeFor = (check: CheckName) => spoken.filter(({ notChecked }) => !notChecked.some((one) => one.check === check)).length
  return {
    engine,
    total: segments.length,
    flagged_count: segments.filter((segment) => segment.flagged).length,
    drift_threshold: threshold,
    segments,
    faulty_count: segments.filter((segment) => segment.faults.length > 0).length,
    checks: LINE_CHECKS.map((check) => ({ check, checked: madeFor(check), total: spoken.length })),
    reasons: [...reasons.keys()],
    needs: [...needs],
    repair_task_id: null,
    speech_without_words: places.wordless.map(spanForm),
    uncovered: places.uncovered?.map(spanForm) ?? null,
  }
}
