// The rights of a person or a program: its role, its machines and its limits. The dialog and the details show the same fields.
import type { Person } from '#control-plane/web/lib/api-types.ts'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useLive } from '#control-plane/web/lib/live.ts'
import { strings as frame } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/people.ts'
import { hours } from './rows.ts'

type Role = Person['role']
type Limits = Partial<Person['limits']>
/** A limit that is left out is none. */
export type Rights = Pick<Person, 'role' | 'machines'> & { limits: Limits }

const OF_HOURS = (minutes: number) => hours(minutes * 60)
const GB = 1e9
/** The limits with the figures that are offered. */
const LIMITS: readonly (readonly [keyof Limits, string, readonly number[], (value: number) => string])[] = [
  ['sound_minutes_a_day', strings.sound, [30, 60, 120, 240, 480], OF_HOURS],
  ['gpu_minutes_a_month', strings.gpu, [60, 300, 600, 1200, 2400, 6000], OF_HOURS],
  ['tasks_at_once', strings.tasks, [1, 2, 4, 8, 16], String],
  ['disk_bytes', strings.disk, [GB, 5 * GB, 20 * GB, 100 * GB], bytes],
]

export const OneOf = ({
  label,
  value,
  texts,
  onChoose,
}: {
  label: string
  value: string
  texts: readonly (readonly [value: string, text: string])[]
  onChoose: (value: string) => void
}) => (
  <Field label={label}>
    <select value={value} onChange={(event: Event) => onChoose(fieldValue(event))}>
      {texts.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </Field>
)

/** A figure, or none. A value that is not offered is added. */
export function Choice({
  label,
  none,
  value,
  values,
  textOf,
  onChoose,
}: {
  label: string
  none: string
  value: number | null
  values: readonly number[]
  textOf: (value: number) => string
  onChoose: (value: number | null) => void
}) {
  const all = value === null || values.includes(value) ? values : [...values, value].sort((one, other) => one - other)
  const texts = all.map((one): [string, string] => [String(one), textOf(one)])
  return (
    <OneOf
      label={label}
      value={String(value ?? '')}
      texts={[['', none], ...texts]}
      onChoose={(one) => onChoose(one === '' ? null : Number(one))}
    />
  )
}

function Machines({ chosen, onChange }: { chosen: Rights['machines']; onChange: (machines: Rights['machines']) => void }) {
  const others = useLive().fleet?.workers ?? []
  const all = [{ id: 'local', name: shared.thisMachine }, ...others]
  if (others.length === 0 && chosen === null) return null
  const now = chosen ?? all.map(({ id }) => id)
  const toggle = (id: string) => {
    const next = now.includes(id) ? now.filter((one) => one !== id) : [...now, id]
    onChange(all.every((one) => next.includes(one.id)) ? null : next)
  }
  return (
    <fieldset class="on-machines">
      <legend>{strings.on}</legend>
      <div class="row">
        {all.map(({ id, name }) => (
          <label key={id} class="tick">
            <input type="checkbox" checked={now.includes(id)} onChange={() => toggle(id)} />
            <span class="text" dir="auto">
              {name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** `group`: of the radio buttons; extra: a further field beside the limits */
export function RightsFields({
  group,
  value,
  extra,
  onChange,
}: {
  group: string
  value: Rights
  extra?: unknown
  onChange: (more: Partial<Rights>) => void
}) {
  return (
    <>
      <fieldset class="roles">
        <legend>{strings.columns.may}</legend>
        {Object.entries(strings.roleHints).map(([role, hint]) => (
          <label key={role}>
            <input type="radio" name={group} value={role} checked={value.role === role} onChange={() => onChange({ role: role as Role })} />
            <span>
              <strong>{frame.roles[role as Role]}</strong>
              <small>{hint}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <Machines chosen={value.machines} onChange={(machines) => onChange({ machines })} />
      <div class="limit-fields">
        {LIMITS.map(([name, label, values, textOf]) => (
          <Choice
            key={name}
            label={label}
            none={strings.noLimit}
            value={value.limits[name] ?? null}
            values={values}
            textOf={textOf}
            onChoose={(one) => onChange({ limits: { ...value.limits, [name]: one } })}
          />
        ))}
        {extra}
      </div>
    </>
  )
}
