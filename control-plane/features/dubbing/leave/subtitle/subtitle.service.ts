// Subtitle files of dubs.

import { requireLanguage } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { planReadWith } from '#control-plane/features/dubbing/store/files/plan-files.ts'
import { timeLineOf } from '#control-plane/features/dubbing/voice/timeline/time-line.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { writeSrt, writeVtt } from '#shared/subtitles/write.ts'
import { baseName } from '../export/names.rules.ts'
import { cuesOf } from './cues.rules.ts'

export type SubtitleChoice = { readonly dual: boolean; readonly lang: string | null }

export function createDubSubtitles({ store, plans, dub: dubOf }: Pick<DubCore, 'store' | 'plans' | 'dub'>) {
  return {
    /** `lang` null or empty: the lines at their times in the film. Throws NOT_FOUND, BAD_REQUEST without lines and for a wrong code. */
    async write(
      id: string,
      format: 'srt' | 'vtt',
      { dual, lang }: SubtitleChoice,
    ): Promise<{ readonly text: string; readonly name: string }> {
      if (lang) requireLanguage(lang)
      const dub = dubOf(id)
      const segments = store.segments.list(id)
      if (segments.length === 0) throw new Failure('BAD_REQUEST', 'This dub has no lines yet. Transcribe it or import subtitles first.')
      const track = lang ? ((await plans.of(id)).find(({ languageCode }) => languageCode === lang) ?? null) : null
      const texts = lang ? store.segments.texts(id, lang) : {}
      const hasTexts = Object.keys(texts).length > 0
      if (lang && !track && !hasTexts && lang !== dub.sourceLang)
        throw new Failure('NOT_FOUND', `This dub has no text in ${lang}. Translate or generate it first, or leave lang out.`)
      const plan = track && planReadWith(track)
      const cues = cuesOf({
        segments,
        texts: hasTexts ? texts : null,
        asked: plan?.input.lines ?? null,
        placed: plan?.lines ?? null,
        map: plan ? timeLineOf(plan, plan.input.options.mediaUs).map : null,
        isDual: dual,
      })
      const name = `subtitles_${baseName(dub.filename)}${dual ? '_dual' : ''}.${format}`
      return { text: format === 'srt' ? writeSrt(cues) : writeVtt(cues), name }
    },
  }
}
