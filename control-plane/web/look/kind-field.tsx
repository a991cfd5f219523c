// The choice of a kind above a list.
import { Field, fieldValue } from '../lib/controls.tsx'

/** Chooses the rows of one kind. `kinds`: with their names; `all`: name of no choice */
export const KindField = ({
  label,
  all,
  value,
  kinds,
  onChoose,
}: {
  label: string
  all: string
  value: string
  kinds: Readonly<Record<string, string>>
  onChoose: (kind: string) => void
}) => (
  <Field label={label} look="chip">
    <select value={value} onChange={(event: Event) => onChoose(fieldValue(event))}>
      <option value="">{all}</option>
      {Object.entries(kinds).map(([kind, name]) => (
        <option key={kind} value={kind}>
          {name}
        </option>
      ))}
    </select>
  </Field>
)
