// The form before a dub has lines, and what it says once the dub has begun while the film is still prepared.

import { strings } from '#messages/dub/parts.ts'
import type { Work } from '../dub/work.ts'
import { Begin } from './begin.tsx'
import { beginDub } from './choice.ts'

export const StartDub = ({ id, work, onImport }: { id: string; work: Work; onImport?: (file: File) => unknown }) =>
  work.isBegun ? (
    <p class="soft" role="status">
      {strings.follows}
    </p>
  ) : (
    <Begin id={id} onStart={(choice) => beginDub(id, choice).then(work.again)} {...(onImport && { onImport })} />
  )
