// People with known keys, as rows of the database of a studio that does not run.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openDatabase } from '#control-plane/store/database.ts'
import type { PersonRole } from '#shared/protocol/access/person.ts'

/** The key of a planted person. */
export const keyOfPlanted = (id: string): string => `svk_${createHash('sha256').update(id).digest('base64url')}`

/** Before the start of the studio. The name of each is its id. */
export function plantPeople(dataDir: string, people: Readonly<Record<string, PersonRole>>): void {
  const db = openDatabase(join(dataDir, 'studio.db'))
  try {
    const person = db.prepare("insert into person (id, name, folded, kind, role, created_at) values (@id, @id, @id, 'person', @role, 1)")
    const key = db.prepare(`insert into person_key (id, person_id, label, digest, begins, created_at)
      values ('key-' || @id, @id, '', @digest, 'svk_test', 1)`)
    for (const [id, role] of Object.entries(people)) {
      person.run({ id, role })
      key.run({ id, digest: createHash('sha256').update(keyOfPlanted(id)).digest('hex') })
    }
  } finally {
    db.close()
  }
}
