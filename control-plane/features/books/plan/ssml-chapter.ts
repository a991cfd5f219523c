// A manuscript in SSML as one chapter.
import { Failure } from '#shared/protocol/failure.ts'
import type { Chapter } from '#shared/text/script/span.ts'

/** Throws INVALID_REQUEST for SSML that is not read. A document without words has no chapter. */
export async function ssmlChapters(written: string): Promise<Chapter[]> {
  // Loaded here, because few manuscripts are SSML.
  const { parseSsml } = await import('#shared/text/ssml/parse.ts')
  const { SsmlRefusal } = await import('#shared/text/ssml/refusal.ts')
  try {
    const { spans, pauseMsBefore, notices } = parseSsml(written)
    const notes = [
      ...notices,
      ...(spans.some(({ language }) => language !== null) ? ['A book has one language, so <lang> has no effect on a part of it.'] : []),
      ...(spans.some(({ gainDb }) => gainDb !== 0) ? ['No engine follows the volume of <prosody>.'] : []),
    ]
    const own = spans.map(({ language: _, gainDb: __, marks: ___, ...span }) => span)
    return own.length === 0 ? [] : [{ title: '', included: true, pauseMsBefore, spans: own, ...(notes.length > 0 && { notices: notes }) }]
  } catch (error) {
    throw error instanceof SsmlRefusal ? new Failure('INVALID_REQUEST', error.message) : error
  }
}
