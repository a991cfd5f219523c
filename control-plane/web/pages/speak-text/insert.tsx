// The menus above the text: marks for silence and for how a word is said, and the drafts. What they show is loaded when one is opened.
import type { ComponentChildren, RefObject } from 'preact'
import { Popover } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/speak.ts'
import { draftKeeper, newDraft, SPEECH } from './kept.ts'

const load = () => import('./menus.tsx')
const Pauses = whenOpened(() => load().then(({ PauseMenu }) => PauseMenu), { isSoon: true })
const Said = whenOpened(() => load().then(({ SayAs }) => SayAs), { isSoon: true })
const Drafts = whenOpened(() => load().then(({ DraftList }) => DraftList), { isSoon: true })

function Menu({
  id,
  label,
  title = label,
  icon,
  look = '',
  children,
}: {
  id: string
  label: string
  title?: string
  icon: IconName
  look?: string
  children?: ComponentChildren
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      id={id}
      label={label}
      title={title}
      kind="quiet"
      look={look}
      onToggle={setOpen}
      face={
        <>
          <Icon of={icon} />
          <span>{label}</span>
        </>
      }
    >
      {isOpen && children}
    </Popover>
  )
}

/** `project`: of the draft in the field, '' for none */
export const TextMenus = ({ place, project }: { place: RefObject<HTMLTextAreaElement | null>; project: string }) => (
  <>
    <Menu id="insert-pause" label={strings.pauseMark} title={strings.insertPause} icon="clock" look="menu">
      <Pauses.View place={place} />
    </Menu>
    <Menu id="insert-said" label={strings.sayAs} title={strings.sayAsNote} icon="draft">
      <Said.View place={place} />
    </Menu>
    <Menu id="drafts" label={strings.drafts} icon="folder">
      <Drafts.View project={project} kind={SPEECH} onOpen={draftKeeper.open} onNew={newDraft} />
    </Menu>
  </>
)
