// The form while the film of a dub is uploaded.

import { strings } from '#messages/dub/parts.ts'
import { Begin } from './begin.tsx'
import type { Choice } from './choice.ts'

export const Asked = ({ wanted, onStart }: { wanted: Choice | null; onStart: (choice: Choice) => void }) =>
  wanted ? (
    <p class="soft" role="status">
      {strings.afterUpload}
    </p>
  ) : (
    <Begin id="" onStart={async (choice) => onStart(choice)} />
  )
