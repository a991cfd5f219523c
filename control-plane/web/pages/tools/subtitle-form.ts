// A file of subtitles in a request.
import type { Posts } from '#control-plane/web/lib/api-types.ts'

export type Encoding = NonNullable<Posts['/dub/parse-subtitle-file']['body']['encoding']>
/** The usual formats of subtitles. The studio reads the content, not the name. */
export const SUBTITLE_FILES = '.srt,.vtt,.ass,.ssa,.sbv,.ttml,.dfxp,.xml,.sub,.lrc,.txt'

/** A form with a file of subtitles. `encoding`: null to have it found out. */
export function subtitleForm(file: File, encoding: Encoding | null): FormData {
  const form = new FormData()
  if (encoding !== null) form.append('encoding', encoding)
  form.append('file', file)
  return form
}
