// The picture of a row: the letters of a person, or the key of a program.
import type { Person } from '#control-plane/web/lib/api-types.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { initialsOf, tintOf } from './rows.ts'

/** `person`: null for the owner of the studio */
export function Face({ person }: { person: Person | null }) {
  // The style sheet has the key.
  if (person?.kind === 'program') return <span class="kind face"></span>
  return (
    <span class={`kind face round k${person ? tintOf(person.id) : 1}`} aria-hidden="true">
      {person ? initialsOf(person.name) : <Icon of="person" />}
    </span>
  )
}
