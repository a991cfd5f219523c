// The manifest of a request. Pure.
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { ScriptSpan } from '#shared/text/script/span.ts'
import { isSsml } from '#shared/text/ssml/is-ssml.ts'
import { chaptersOf, isSpoken, refuseManyLines, tooManySpans } from '../plan/plan.rules.ts'
import { MAX_CHAPTERS, MAX_SPANS, SCRIPT_CHARS } from '../plan/plan.schema.ts'
import { ssmlChapters } from '../plan/ssml-chapter.ts'
import { CHAPTER_EDGES, LayoutPauses } from '../render/layout.ts'
import type { BookManifest, BookSpan, ManuscriptChapter } from '../render/manifest.ts'
import type { AudiobookRequest, PreviewRequest, StoryRequest } from './book.schema.ts'

type Shared = Omit<PreviewRequest, 'text' | 'chapter_index' | 'speak_titles'> & { readonly speak_titles?: boolean }
type Output = Pick<AudiobookRequest, 'bitrate' | 'format' | 'loudness' | 'cover_path' | 'metadata'> & { readonly readalong?: boolean }

const TITLE_CHARS = 200
const BITRATE = /^(\d{2,3})k$/
const USUAL_KBPS = 128
const [MIN_KBPS, MAX_KBPS] = [32, 320]
/** Names of uploaded covers. */
const COVER = /^[0-9a-f]{12}\.(?:jpg|jpeg|png)$/
const FIELD_CHARS = 1_000

/** A chapter of a request. `included`: false if it is switched off. */
export type RequestedChapter = ManuscriptChapter & { readonly included: boolean }

/** Throws what `chaptersOf` throws. */
export async function chaptersOfScript(text: string): Promise<RequestedChapter[]> {
  return (await chaptersOf(text)).map(({ spans, ...chapter }) => ({
    ...chapter,
    spans: spans.map(({ pauseMsAfter, ...span }) => ({ ...span, pauseMs: pauseMsAfter })),
  }))
}

/**
 * The chapters that are spoken: those at `places` of the plan, or those that are not switched off. A title without text goes with the chapter after
 * it. Throws INVALID_REQUEST for a place that does not exist, and if no chapter is left.
 */
export function chosenChapters(chapters: readonly RequestedChapter[], places: readonly number[] | null): ManuscriptChapter[] {
  const count = chapters.filter(isSpoken).length
  const beyond = places?.find((place) => place >= count)
  if (beyond !== undefined) throw new Failure('INVALID_REQUEST', `There is no chapter ${beyond}: the text has ${count}, counted from 0.`)
  const wanted = places && new Set(places)
  const kept: ManuscriptChapter[] = []
  let titles: RequestedChapter[] = []
  let [place, spoken] = [0, 0]
  const keep = ({ included: _, ...chapter }: RequestedChapter) => kept.push(chapter)
  for (const chapter of chapters) {
    if (!isSpoken(chapter)) {
      if (chapter.included) titles.push(chapter)
      continue
    }
    const isWanted = wanted ? wanted.has(place) : chapter.included
    place++
    if (isWanted) {
      for (const title of titles) keep(title)
      keep(chapter)
      spoken++
    }
    titles = []
  }
  if (count > 0 && spoken === 0) throw new Failure('INVALID_REQUEST', 'Every chapter is switched off. Include at least one.')
  if (wanted === null) for (const title of titles) keep(title)
  return kept
}

/** Empty spans are dropped, and their pauses kept. Throws INVALID_REQUEST for SSML that is not read, for more than 10,000 chapters, and for more spans, lines or characters than a manuscript may have. */
export async function chaptersOfPlan(chapters: StoryRequest['chapters']): Promise<RequestedChapter[]> {
  if (chapters.length > MAX_CHAPTERS)
    throw new Failure('INVALID_REQUEST', `The plan has ${chapters.length} chapters; at most ${MAX_CHAPTERS} are allowed.`)
  const spans = chapters.flatMap((chapter) => chapter.spans)
  if (spans.length > MAX_SPANS) throw tooManySpans()
  const characters = spans.reduce((sum, { text }) => sum + text.length, 0)
  if (characters > SCRIPT_CHARS)
    throw new Failure('INVALID_REQUEST', `The plan has ${characters} characters; at most ${SCRIPT_CHARS} are allowed.`)
  const read: RequestedChapter[] = []
  for (const { title, pause_ms_before, included, spans } of chapters) {
    const kept: BookSpan[] = []
    const notices = new Set<string>()
    let pauseMsBefore = pause_ms_before
    const pause = (ms: number) => {
      const last = kept.at(-1)
      if (last) last.pauseMs += ms
      else pauseMsBefore += ms
    }
    for (const { voice_id, text, pause_ms_after: pauseMs, speed = null, kinds } of spans) {
      const plain = { voice: voice_id || null, text, pauseMs: 0, speed, endsParagraph: true, endsLine: true, kinds }
      if (isSsml(text)) {
        await nextTurn() // a document takes up to some tenths of a second
        const [document] = await ssmlChapters(text)
        pause(document?.pauseMsBefore ?? 0)
        for (const span of document?.spans ?? []) kept.push(inside(plain, span))
        for (const notice of document?.notices ?? []) notices.add(notice)
      } else if (text.trim() !== '') kept.push(plain)
      pause(pauseMs)
      if (kept.length > MAX_SPANS) throw tooManySpans()
    }
    read.push({
      title: title.slice(0, TITLE_CHARS),
      included,
      pauseMsBefore,
      spans: kept,
      ...(notices.size > 0 && { notices: [...notices] }),
    })
  }
  await refuseManyLines(read)
  return read
}

/** A span of SSML in a span of a plan, whose voice and speed it has where it names none. */
const inside = (plan: BookSpan, { voice, speed, pauseMsAfter, ...span }: ScriptSpan): BookSpan => ({
  ...span,
  voice: voice ?? plan.voice,
  pauseMs: pauseMsAfter,
  speed: speed === null || plan.speed === null ? (speed ?? plan.speed) : Math.min(4, Math.max(0.25, speed * plan.speed)),
})

export function manifestFor(
  kind: BookManifest['kind'],
  chapters: readonly ManuscriptChapter[],
  request: Shared,
  output: Output | null,
): BookManifest {
  const { emo_vector, emo_text, emo_alpha, speak_titles = false } = request
  const emotion = { emo_vector, emo_text: emo_text || null, emo_alpha }
  const metadata = textFields(output?.metadata ?? {})
  const firstTitle = chapters.find(({ title }) => title !== '')?.title ?? ''
  const all = speak_titles ? chapters.map(withSpokenTitle) : chapters
  return {
    version: 1,
    kind,
    title: (metadata['title'] || firstTitle || (kind === 'story' ? 'Story' : 'Audiobook')).slice(0, TITLE_CHARS),
    chapters: all.filter(isSpoken),
    emptyTitles: all.flatMap((chapter) => (isSpoken(chapter) || chapter.title === '' ? [] : [chapter.title])),
    model: request.engine || 'tts-1', // the alias of the selected engine
    language: request.language || null,
    defaultVoice: request.default_voice || null,
    voiceMap: request.voice_map ?? {},
    lexicon: request.lexicon ?? {},
    sampling: {
      num_step: request.num_step ?? null,
      guidance_scale: request.guidance_scale ?? null,
      position_temperature: request.position_temperature ?? null,
      class_temperature: request.class_temperature ?? null,
      postprocess_output: request.postprocess_output ?? null,
    },
    seed: request.seed ?? null,
    varyRepeats: request.vary_repeats ?? false,
    pauses: LayoutPauses.parse(request.layout_pauses ?? {}),
    unused: Object.entries(emotion).flatMap(([name, value]) => (value == null ? [] : [name])),
    output: {
      format: output?.format === 'mp3' ? 'mp3' : 'm4b',
      bitrateKbps: kbpsOf(output?.bitrate ?? ''),
      loudness: output?.loudness === 'acx' || output?.loudness === 'podcast' ? output.loudness : null,
      cover: coverOf(output?.cover_path ?? ''),
      readalong: output?.readalong ?? false,
      metadata,
    },
  }
}

/** The silence before the first words follows the title. */
function withSpokenTitle(chapter: ManuscriptChapter): ManuscriptChapter {
  const { title, pauseMsBefore, spans } = chapter
  if (title.trim() === '') return chapter
  const spoken: BookSpan = {
    ...{ voice: null, text: title, pauseMs: CHAPTER_EDGES.title + pauseMsBefore, speed: null },
    ...{ endsParagraph: true, endsLine: true, kinds: ['heading'] },
  }
  return { ...chapter, pauseMsBefore: 0, spans: [spoken, ...spans] }
}

function kbpsOf(bitrate: string): number {
  const kbps = Number(BITRATE.exec(bitrate)?.[1])
  return kbps >= MIN_KBPS && kbps <= MAX_KBPS ? kbps : USUAL_KBPS
}

/** The last part of a path on any system; null unless it is named like an uploaded cover. */
function coverOf(path: string): string | null {
  const name = path.split(/[/\\]/).at(-1)!
  return COVER.test(name) ? name : null
}

function textFields(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value).slice(0, FIELD_CHARS)]))
}
