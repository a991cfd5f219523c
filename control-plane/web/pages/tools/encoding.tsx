// The encoding in which a subtitle file is read: the one that the studio found, or another.
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { strings } from '#messages/create/tools.ts'
import type { Encoding } from './subtitle-form.ts'

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
