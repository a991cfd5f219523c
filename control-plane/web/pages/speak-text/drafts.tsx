// The state of the draft, the list of all drafts, and the question when two browsers changed one.

import { SavedElsewhere, SavedState } from '#control-plane/web/kept-project/conflict.tsx'
import { get, messageOf } from '#control-plane/web/lib/api.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'
import { Popover } from '#control-plane/web/lib/controls.tsx'
import { ago } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/speak.ts'
import { draftKeeper, newDraft, SPEECH } from './kept.ts'

/** `project`: of the draft in the field, '' for none */
export function Drafts({ project }: { project: string }) {
  const [drafts, setDrafts] = useState<Gets['/projects']>([])
  const failed = (error: unknown) => notify(messageOf(error), 'error')
  const opened = (isOpen: boolean) => {
    if (!isOpen) return
    get('/projects').then((all) => setDrafts(all.filter(({ kind }) => kind === SPEECH)), failed)
  }
  const open = (id: string) => draftKeeper.open(id).catch(failed)
  return (
    <Popover
      id="drafts"
      label={strings.drafts}
      kind="quiet"
      onToggle={opened}
      face={
        <>
          <Icon of="folder" />
          <span>{strings.drafts}</span>
        </>
      }
    >
      <div class="body">
        <button type="button" class="item" data-close onClick={() => newDraft().catch(failed)}>
          <Icon of="plus" />
          <span>{strings.newDraft}</span>
        </button>
        {drafts.map(({ id, name, updated_at }) => (
          <button
            key={id}
            type="button"
            class="item"
            data-close
            aria-current={id === project ? 'true' : undefined}
            onClick={() => open(id)}
          >
            <Icon of={id === project ? 'check' : 'draft'} />
            <span class="text">
              {name}
              <small>{ago(updated_at)}</small>
            </span>
          </button>
        ))}
      </div>
    </Popover>
  )
}

export const DraftState = () => <SavedState keeper={draftKeeper} states={strings.draftStates} />

export const DraftConflict = () => (
  <SavedElsewhere keeper={draftKeeper} question={strings.changedElsewhere} beginningOf={({ text }) => text} />
)
