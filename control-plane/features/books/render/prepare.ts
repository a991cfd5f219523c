// Turns a manifest into segments with keys: casts the voices, then cuts and pronounces the text, in slices that let other work run.

import type { PronunciationApi } from '#control-plane/features/base/pronunciation/api.ts'
import type { Alphabet } from '#control-plane/inference/offers.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { withoutReactions } from '#shared/text/script/reactions.ts'
import { foreignWords, omittedWords } from '#shared/text/scripts.ts'
import type { Casting } from './casting.service.ts'
import type { BookManifest } from './manifest.ts'
import { createSegmenter } from './segments.rules.ts'
import type { WorkSegment } from './work.ts'

export type PreparedChapter = {
  readonly title: string
  /** Milliseconds of silence before the first words. */
  readonly leadMs: number
  readonly segments: readonly WorkSegment[]
}
export type PreparedBook = {
  readonly chapters: readonly PreparedChapter[]
  /** Hz of the book. */
  readonly sampleRate: number
  /** Sentences for the listener. */
  readonly notices: readonly string[]
}
export type Prepare = ReturnType<typeof createPrepare>
type Deps = { readonly casting: Casting; readonly pronunciation: Pick<PronunciationApi, 'speaker' | 'unusedNotice'> }

const DEFAULT_RATE = 24_000
/** Segments between two turns of the event loop: some milliseconds. */
const CUTS_AT_ONCE = 100

export function createPrepare({ casting, pronunciation }: Deps) {
  /** Throws what `Casting.cast` throws, and the reason of the signal. */
  return async (manifest: BookManifest, signal: AbortSignal): Promise<PreparedBook> => {
    const cast = await casting.cast(manifest, signal)
    const speakers = new Map<string, ReturnType<typeof pronunciation.speaker>>()
    const speakerFor = (language: string | null, alphabet: Alphabet | null) => {
      const name = `${language} ${alphabet}`
      const known = speakers.get(name) ?? pronunciation.speaker(language, manifest.lexicon, alphabet)
      speakers.set(name, known)
      return known
    }
    const unused = new Map<string, Set<string>>()
    const left = new Set<string>()
    let omitted = 0
    const cut = createSegmenter({
      speakerOf: (span) => cast.voiceOf(span),
      spoken(raw, { engine, language, reactions, scripts, alphabet }) {
        const { text, removed } = withoutReactions(raw, reactions)
        if (removed) left.add(`Sounds such as [laughter] were left out, because ${engine} does not make them.`)
        const speaker = speakerFor(language, alphabet)
        for (const term of speaker.unused(text)) unused.set(engine, (unused.get(engine) ?? new Set()).add(term))
        const spoken = speaker.spoken(text)
        omitted += foreignWords(spoken, scripts)
        return spoken
      },
      sampling: manifest.sampling,
      seed: manifest.seed,
      varyRepeats: manifest.varyRepeats,
      pauses: manifest.pauses,
    })
    const chapters: PreparedChapter[] = []
    let cuts = 0
    for (const chapter of manifest.chapters) {
      for (const notice of chapter.notices ?? []) left.add(notice)
      const segments: WorkSegment[] = []
      const parts = cut(chapter)
      let next = parts.next()
      for (; !next.done; next = parts.next()) {
        if (next.value) segments.push(next.value)
        if (++cuts % CUTS_AT_ONCE !== 0) continue
        await nextTurn()
        signal.throwIfAborted()
      }
      chapters.push({ title: chapter.title, leadMs: next.value, segments })
    }
    const missing = omittedWords(omitted)
    if (missing !== null) left.add(missing)
    const first = chapters.find(({ segments }) => segments.length > 0)?.segments[0]
    return {
      chapters,
      sampleRate: first?.speaker.sampleRate || DEFAULT_RATE,
      notices: [...cast.notices, ...left, ...[...unused].map(([engine, terms]) => pronunciation.unusedNotice(engine, [...terms]))],
    }
  }
}
