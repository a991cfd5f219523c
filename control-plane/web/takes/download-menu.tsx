// The menu that downloads a take in a format.
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { Popover } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/library/takes.ts'
import type { TakeCounts } from './take-pages.ts'

const List = whenOpened(() => import('./formats.tsx').then(({ Formats }) => Formats), { isSoon: true })

/** `formats`: those that the studio can make now, null until they are known. name: of the take */
export function DownloadMenu({
  take,
  name,
  formats,
}: {
  take: Pick<HistoryTake, 'id'>
  name: string
  formats: TakeCounts['formats'] | null
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      id={`download-${take.id}`}
      label={strings.downloadOf(name)}
      title={strings.downloadAs}
      kind="quiet icon-only"
      face={<Icon of="download" />}
      look="formats"
      onToggle={setOpen}
    >
      {isOpen && <List.View take={take} formats={formats} />}
    </Popover>
  )
}
