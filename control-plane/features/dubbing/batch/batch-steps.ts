// The steps of a batch item itself: its translation, its voices, its finished files. Everything else are steps of preparation,
// transcription and generation.

import { basename } from 'node:path'
import { z } from 'zod'
import { dubOrGone } from '#control-plane/features/dubbing/film/prep/prep-params.ts'
import type { DownloadChoice, DubExports } from '#control-plane/features/dubbing/leave/export/exports.service.ts'
import { DubGenerateBody } from '#control-plane/features/dubbing/make/generate/generate.contract.ts'
import type { DubGenerating } from '#control-plane/features/dubbing/make/generate/generate.service.ts'
import type { GenerateJobs } from '#control-plane/features/dubbing/make/generate/generate-job.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import type { TranslationApi } from '#control-plane/features/listening/translation/api.ts'
import { type StepContext, type StepOutput, stepOutput } from '#control-plane/jobs/job-type.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { batchLanguageName } from './batch.rules.ts'
import type { BatchRows } from './batch.store.ts'

/** Lines of one step of translation: what a crash repeats. */
export const LINES_AT_ONCE = 200
const MAX_LINES = 5_000
const AGAIN_AFTER_MS = 2_000

export const BatchLines = z.object({ lines: z.int() })
export const TranslatedLines = z.object({ lines: z.int(), failed: z.int(), reason: z.string().nullable() })
export const BatchSpeech = z.object({ speech: z.string() })
export const KeptManifest = z.object({ manifest: z.string() })
export const MixedFilm = z.object({ file: z.string() })
export type TranslatedLines = z.output<typeof TranslatedLines>

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files'>
  readonly rows: Pick<BatchRows, 'warn' | 'addOutput'>
  readonly translation: Pick<TranslationApi, 'translate'>
  readonly generating: Pick<DubGenerating, 'manifestOf' | 'canClone'>
  readonly generateJobs: Pick<GenerateJobs, 'keepManifest'>
  readonly exports: Pick<DubExports, 'download'>
  readonly clock: Pick<Clock, 'sleep'>
}
export type BatchSteps = ReturnType<typeof createBatchSteps>

/** The film with the track of one language, as a batch makes it. */
export const batchChoice = (language: string, preserveBackground: boolean): DownloadChoice => ({
  include: language,
  defaultTrack: language,
  preserveBackground,
  burn: false,
  dual: false,
  format: 'm4a',
})

export function createBatchSteps({ core, rows, translation, generating, generateJobs, exports, clock }: Deps) {
  const { store } = core

  return {
    /** The name of the extracted speech. */
    async speech(dub: string): Promise<StepOutput<z.output<typeof BatchSpeech>>> {
      const { sound } = dubOrGone(core, dub)
      if (!sound) throw new Failure('INPUT_UNAVAILABLE', 'The sound of the film was deleted. Add the film again.')
      return stepOutput({ speech: sound.speech })
    },

    async lines(dub: string): Promise<StepOutput<z.output<typeof BatchLines>>> {
      dubOrGone(core, dub)
      const lines = store.segments.count(dub)
      if (lines > MAX_LINES) throw new Failure('BAD_REQUEST', `The film has ${lines} lines; a dub has at most ${MAX_LINES}.`)
      return stepOutput({ lines })
    },

    /** Translates `LINES_AT_ONCE` lines. Lines that cannot be translated keep their text. */
    async translate(dub: string, language: string, part: number, { signal }: StepContext): Promise<StepOutput<TranslatedLines>> {
      const { sourceLang } = dubOrGone(core, dub)
      const lines = store.segments.list(dub).slice(part * LINES_AT_ONCE, (part + 1) * LINES_AT_ONCE)
      const segments = lines.map(({ id, text, startUs, endUs }) => ({
        id,
        text,
        start: secondsOf(startUs),
        end: secondsOf(endUs),
      }))
      const request = {
        segments,
        target_lang: language,
        source_lang: sourceLang || null,
        job_id: dub,
        quality: 'fast',
        condense: false,
      } as const
      const { translated, notices = [] } = await translation.translate(request, { signal, traceparent: '' })
      signal.throwIfAborted()
      const good = translated.filter(({ error }) => error === undefined)
      store.segments.setTexts(dub, language, Object.fromEntries(good.map(({ id, text }) => [id, text])))
      for (const notice of notices) rows.warn(dub, `${language}: ${notice}`)
      const failed = translated.length - good.length
      const reason = translated.find(({ error }) => error !== undefined)?.error ?? null
      return stepOutput({ lines: translated.length, failed, reason })
    },

    /** Manifest of the speech in a language. Throws BAD_REQUEST when no line was translated, and for a voice that cannot be had. */
    async manifest(
      dub: string,
      language: string,
      voice: string | null,
      parts: readonly TranslatedLines[],
    ): Promise<StepOutput<z.output<typeof KeptManifest>>> {
      dubOrGone(core, dub)
      const total = parts.reduce((sum, { lines }) => sum + lines, 0)
      const failed = parts.reduce((sum, part) => sum + part.failed, 0)
      const reason = parts.find((part) => part.reason !== null)?.reason ?? ''
      if (total > 0 && failed === total) throw new Failure('BAD_REQUEST', `No line could be translated: ${reason}`)
      if (failed > 0) rows.warn(dub, `${language}: ${failed} of ${total} lines are not translated: ${reason}`)
      const lines = store.segments.list(dub)
      const texts = new Map(Object.entries(store.segments.texts(dub, language)))
      const canClone = generating.canClone()
      const body = DubGenerateBody.parse({
        language: batchLanguageName(language) ?? language,
        language_code: language,
        segments: lines.map(({ id, startUs, endUs, text, speakerId, profileId }) => ({
          id,
          start: secondsOf(startUs),
          end: secondsOf(endUs),
          text: texts.get(id) ?? text,
          speaker_id: speakerId,
          profile_id: voice ?? (canClone ? profileId : ''),
        })),
      })
      const digest = await generateJobs.keepManifest(await generating.manifestOf(dub, body))
      return stepOutput({ manifest: digest }, { digest, bytes: 0 })
    },

    /** The finished film. Throws as `DubExports.download`. */
    async mix(
      dub: string,
      language: string,
      preserveBackground: boolean,
      { signal }: StepContext,
    ): Promise<StepOutput<z.output<typeof MixedFilm>>> {
      for (;;) {
        dubOrGone(core, dub)
        try {
          const { path, warning, notices } = await exports.download(dub, batchChoice(language, preserveBackground), signal)
          for (const notice of [...(warning === null ? [] : [warning]), ...notices]) rows.warn(dub, `${language}: ${notice}`)
          rows.addOutput(dub, language, basename(path))
          return stepOutput({ file: basename(path) })
        } catch (error) {
          signal.throwIfAborted()
          // An export takes longer than a request may wait, or ends because the studio stops.
          const { code } = Failure.from(error)
          if (code !== 'TASK_DEADLINE_EXCEEDED' && code !== 'NOT_READY' && code !== 'QUEUE_FULL') throw error
          await clock.sleep(AGAIN_AFTER_MS, signal)
        }
      }
    },
  }
}
