// The encoding in which a subtitle file is read: the one that the studio found, or another.
import type { Posts } from '#control-plane/web/lib/api-types.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { strings } from '#messages/create/tools.ts'

export type Encoding = NonNullable<Posts['/dub/parse-subtitle-file']['body']['encoding']>
/** The usual formats of subtitles. The studio reads the content, not the name. */
export const SUBTITLE_FILES = '.srt,.vtt,.ass,.ssa,.sbv,.ttml,.dfxp,.xml,.sub,.lrc,.txt'

const NAMES: { readonly [E in Encoding]: string } = strings.encodings
const CODES = Object.keys(NAMES) as Encoding[]

export const EncodingField = ({ value, onChoose }: { value: Encoding; onChoose: (encoding: Encoding) => unknown }) => (
  <Field label={strings.encoding} look="chip">
    <select value={value} onChange={(event: Event) => onChoose(CODES.find((code) => code === fieldValue(event)) ?? value)}>
      {CODES.map((code) => (
        <option key={code} value={code}>
          {NAMES[code]}
        </option>
      ))}
    </select>
  </Field>
)

/** A form with a file of subtitles. `encoding`: null to have it found out. */
export function subtitleForm(file: File, encoding: Encoding | null): FormData {
  const form = new FormData()
  if (encoding !== null) form.append('encoding', encoding)
  form.append('file', file)
  return form
}
