// The note about lines that came from a file.

import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/dub/parts.ts'
import type { Imported } from '../dub-editor/runs.ts'

const OwnEncoding = whenOpened(() => import('../tools/encoding.tsx').then(({ EncodingField }) => EncodingField), { isQuiet: true })

/** Notices about a file of subtitles, and the choice of its encoding, until the lines are translated. */
export const ImportNote = ({ of: { file, encoding, notices, read }, onClose }: { of: Imported; onClose: () => void }) => (
  <div class="side-note" role="status">
    <div class="row">
      <strong class="text one-line grow">{strings.imported(file.name)}</strong>
      <button type="button" class="quiet icon-only" aria-label={strings.closeNote} onClick={onClose}>
        <Icon of="close" />
      </button>
    </div>
    <p class="text">
      {notices.map(serverSentence).join(' ')} {strings.readAgainHint}
    </p>
    {encoding && <OwnEncoding.View value={encoding} onChoose={read} />}
  </div>
)
