// Previews of single lines: a line that is spoken on request, or a line of the last generation. Both are marked.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PronunciationApi } from '#control-plane/features/base/pronunciation/api.ts'
import type { WatermarkApi } from '#control-plane/features/base/watermark/api.ts'
import { requireLanguage } from '#control-plane/features/dubbing/film/reading/language.schema.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { DubCasting } from '#control-plane/features/dubbing/voice/speak/casting.service.ts'
import { unassigned } from '#control-plane/features/dubbing/voice/speak/plan.service.ts'
import type { SpeakDubGroup } from '#control-plane/features/dubbing/voice/speak/speak-group.ts'
import { TAKE_OFFSET, TakeDetail } from '#control-plane/features/dubbing/voice/speak/take-files.ts'
import { seedOfTake, takeKey } from '#control-plane/features/dubbing/voice/speak/takes.rules.ts'
import { type Notice, noticeOf } from '#control-plane/inference/notice.ts'
import type { Media } from '#control-plane/media/encode.ts'
import { firstLevel, LOUDNESS_TARGETS } from '#shared/audio/master/chapter.ts'
import { emptyHistogram } from '#shared/audio/master/histogram.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { withoutReactions } from '#shared/text/script/reactions.ts'
import { foreignWords, omittedWords } from '#shared/text/scripts.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import type { DubPreviewBody } from './generate.contract.ts'
import { boundedSpeed, namedLanguage, PREVIEW_STEPS } from './request.rules.ts'

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'plans' | 'dub'>
  readonly casting: DubCasting
  readonly speakGroup: SpeakDubGroup
  readonly pronunciation: Pick<PronunciationApi, 'speaker'>
  readonly media: Pick<Media, 'encode'>
  readonly watermark: Pick<WatermarkApi, 'markOf' | 'marked'>
  readonly engine: () => string
}
const GUIDANCE = 2
const EFFECTS = 'broadcast'
const BYTES = 2
/** `notice`: about the voice, and what answered in its place. */
export type DubPreview = { readonly wav: Buffer; readonly seconds: number; readonly notice: Notice | null }
export type DubPreviews = ReturnType<typeof createDubPreviews>

export function createDubPreviews({ core, casting, speakGroup, pronunciation, media, watermark, engine }: Deps) {
  const { store, files } = core
  return {
    /** A WAV file. Throws NOT_FOUND, and what a speech request with the voice of the line throws. */
    async speak(dubId: string, body: DubPreviewBody, signal: AbortSignal): Promise<DubPreview> {
      const dub = core.dub(dubId)
      const lines = store.segments.list(dubId)
      const lineId = body.segment_id === null || body.segment_id === undefined ? '' : String(body.segment_id)
      const line = lines.find(({ id }) => id === lineId)
      const others = unassigned({ lines })
      const { voice, notices, routing } = await casting.cast(
        dub,
        {
          engine: engine(),
          profileId: body.profile_id ?? line?.profileId ?? '',
          speakerId: line?.speakerId ?? '',
          lineId,
          instruct: body.instruct?.trim() ?? '',
          language: namedLanguage(body.language),
          text: body.text,
          voiceMatch: 'per_line',
          others,
        },
        signal,
      )
      const speller = pronunciation.speaker(voice.language, {}, voice.alphabet)
      const text = speller.spoken(withoutReactions(composed(body.text), voice.reactions).text).trim()
      if (!/[\p{L}\p{N}]/u.test(text)) throw new Failure('BAD_REQUEST', 'The text has no words.')
      const spoken = { text, speed: boundedSpeed(body.speed), numStep: PREVIEW_STEPS, guidance: GUIDANCE }
      const key = takeKey(voice, spoken, 0, 0)
      const target = casting.placeOf(voice)
      if (target === null) throw new Failure('NO_CAPABLE_WORKER', `No connected machine can speak with ${voice.engine} now.`)
      const { pcm, sampleRate } = await speakGroup(
        { ...spoken, voice, lines: [{ text, seed: seedOfTake(key) }], duration: body.duration ?? null, target, priority: 0 },
        signal,
        async (one) => ({ pcm: Buffer.from(one.sounds[0]!), sampleRate: one.sampleRate }),
      )
      const source = (async function* () {
        yield pcm
      })()
      const { body: encoded } = await media.encode({
        format: 'wav',
        sampleRate,
        source,
        mark: watermark.markOf({ engine: voice.engine, params: key }),
        effects: EFFECTS,
        master: false,
        level: firstLevel(emptyHistogram(), LOUDNESS_TARGETS['none']),
        signal,
      })
      const pieces: Uint8Array[] = []
      for await (const piece of encoded) pieces.push(piece)
      const omitted = omittedWords(foreignWords(text, voice.scripts ?? []))
      const notice = noticeOf([...routing, ...notices, omitted], routing.length > 0)
      return { wav: Buffer.concat(pieces), seconds: pcm.length / BYTES / sampleRate, notice }
    },

    /** A WAV file of a line with the effects of its track, at its natural speed. Throws NOT_FOUND, BAD_REQUEST for a wrong language. */
    async read(dubId: string, index: number, language: string | undefined, signal: AbortSignal): Promise<Buffer> {
      const dub = core.dub(dubId)
      const code = language === undefined ? dub.languageCode : requireLanguage(language)
      const missing = () => new Failure('NOT_FOUND', 'Segment not generated yet')
      const id = dub.options.seg_order[index]
      const track = (await core.plans.of(dubId)).find((one) => one.languageCode === code)
      const takes = (track?.plan as { takes?: readonly { id: string; digest: string }[] } | undefined)?.takes ?? []
      const take = takes.find((one) => one.id === id)
      const file = take && (await files.find(take.digest))
      if (!file) throw missing()
      const detail = TakeDetail.parse(JSON.parse(file.detail))
      const bytes = await readFile(files.pathOf(file.digest)).catch((cause: unknown) => {
        throw new Failure('NOT_FOUND', missing().message, { cause })
      })
      const digest = createHash('sha256').update(`${file.digest} ${dubId}`).digest('hex')
      return await watermark.marked(bytes.subarray(TAKE_OFFSET), detail.sampleRate, digest, signal)
    },
  }
}
