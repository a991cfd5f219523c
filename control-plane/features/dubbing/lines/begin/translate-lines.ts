// Translates the lines of a dub in parts, and stores the texts. A part that fails is reported, and the other languages go on.

import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import type { TranslationApi } from '#control-plane/features/listening/translation/api.ts'
import { type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { transcriptWarning } from '../transcribe/loops.rules.ts'
import type { TranscriptWarning, TranslatedEvent } from '../transcribe/transcribe-events.schema.ts'

export type TranslatedPart = Pick<TranslatedEvent, 'lines'>
/** Positions of the first line, and of the one after the last. */
export type PartOfLines = { readonly from: number; readonly to: number }
type Deps = { readonly core: Pick<DubCore, 'store' | 'saved'>; readonly translation: Pick<TranslationApi, 'translate'> }

export const createLineTranslation =
  ({ core, translation }: Deps) =>
  /** Throws what the translation throws, after the followers have got it. */
  async (
    dub: string,
    language: string,
    { from, to }: PartOfLines,
    context: StepContext<TranscriptWarning>,
  ): Promise<StepOutput<TranslatedPart>> => {
    const { signal, emit } = context
    const { sourceLang } = dubOrGone(core, dub)
    const lines = core.store.segments.list(dub).slice(from, to)
    const segments = lines.map(({ id, text, startUs, endUs }) => ({ id, text, start: secondsOf(startUs), end: secondsOf(endUs) }))
    const request = {
      ...{ segments, target_lang: language, source_lang: sourceLang || null, job_id: dub },
      ...({ quality: 'fast', condense: false } as const),
    }
    const { translated, notices = [] } = await translation.translate(request, { signal, traceparent: '' }).catch(async (error: unknown) => {
      signal.throwIfAborted()
      const { code, message, needs } = Failure.from(error)
      await emit(transcriptWarning({ detail: message, source: 'translation', error_class: code, ...(needs && { needs }) }))
      throw error
    })
    signal.throwIfAborted()
    for (const detail of notices) await emit(transcriptWarning({ detail, source: 'translation' }))
    const good = translated.filter(({ error }) => error === undefined)
    core.store.segments.setTexts(dub, language, Object.fromEntries(good.map(({ id, text }) => [id, text])))
    core.saved(dub)
    return stepOutput({
      lines: translated.map(({ id, error, plan }) => ({
        id,
        ...(error === undefined ? plan && { seconds: plan.est_dur_s } : { error }),
      })),
    })
  }
