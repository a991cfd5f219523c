// Below the table: undo and redo, and what changes the lines themselves; with their keys.
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { areLettersOn } from '#control-plane/web/palette/keys.ts'
import { strings } from '#messages/create/dub.ts'
import type { Undoing } from '../dub/draft.ts'

/** Fields whose typing is undone by the editor; others undo their own. */
const EDITED = '.dub-rows textarea, .line-details :is(input, textarea, select)'
/** It uses the arrow keys alone. */
const TIMELINE = '.timeline [role="slider"]'
const FIELDS = 'input, textarea, select, [role="slider"]'

/** Seconds by which a key moves a line. */
const NUDGE = 0.01

export type EditActions = {
  split: () => unknown
  join: () => unknown
  insert: () => unknown
  edge: (edge: 'start' | 'end') => unknown
  nudge: (seconds: number) => unknown
  /** the speaker with this number */
  speak: (number: number) => unknown
  shuttle: (key: 'j' | 'k' | 'l') => unknown
}

/** Action of a key of one letter. */
function letterAction({ split, join, insert, edge, speak, shuttle }: EditActions, key: string): (() => unknown) | undefined {
  if (key === 's') return split
  if (key === 'm') return join
  if (key === '+') return insert
  if (key === '[' || key === ']') return () => edge(key === '[' ? 'start' : 'end')
  if (key === 'j' || key === 'k' || key === 'l') return () => shuttle(key)
  if (key >= '1' && key <= '9') return () => speak(Number(key))
  return undefined
}

export function useEditKeys(actions: Pick<Undoing, 'undo' | 'redo'> & EditActions) {
  const newest = useRef(actions)
  newest.current = actions
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return
      const key = event.key.toLowerCase()
      const isField = target?.closest(FIELDS) != null && target.closest(TIMELINE) === null
      if (event.altKey) {
        if (isField || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
        newest.current.nudge(event.key === 'ArrowUp' ? NUDGE : -NUDGE)
        return event.preventDefault()
      }
      if (event.ctrlKey || event.metaKey) {
        if (isField && !target?.closest(EDITED)) return
        if (key === 'z' && !event.shiftKey) newest.current.undo()
        else if (key === 'y' || (key === 'z' && event.shiftKey)) newest.current.redo()
        else return
      } else {
        const action = !isField && areLettersOn() ? letterAction(newest.current, key) : undefined
        if (!action) return
        action()
      }
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Screen readers are told what an undo and other edits did. */
export function useAnnounced(quietly: Undoing) {
  const [said, say] = useState('')
  const undoing: Undoing = {
    ...quietly,
    undo() {
      if (quietly.canUndo) say(strings.undone)
      quietly.undo()
    },
    redo() {
      if (quietly.canRedo) say(strings.redone)
      quietly.redo()
    },
  }
  return { undoing, said, say }
}

/** said: what was done last, for screen readers. */
export const Bar = ({
  undoing,
  canSplit,
  canJoin,
  said,
  onSplit,
  onJoin,
  onInsert,
}: {
  undoing: Undoing
  canSplit: boolean
  canJoin: boolean
  said: string
  onSplit: () => void
  onJoin: () => void
  onInsert: () => void
}) => (
  <div class="row dub-bar" role="toolbar" aria-label={strings.editing}>
    <button
      type="button"
      class="quiet icon-only"
      aria-label={strings.undo}
      title={strings.undoKeys}
      aria-keyshortcuts="Control+Z"
      disabled={!undoing.canUndo}
      onClick={undoing.undo}
    >
      <Icon of="undo" />
    </button>
    <button
      type="button"
      class="quiet icon-only"
      aria-label={strings.redo}
      title={strings.redoKeys}
      aria-keyshortcuts="Control+Y"
      disabled={!undoing.canRedo}
      onClick={undoing.redo}
    >
      <Icon of="redo" />
    </button>
    <span class="rule" aria-hidden="true"></span>
    <button type="button" class="quiet" title={strings.splitHint} aria-keyshortcuts="S" disabled={!canSplit} onClick={onSplit}>
      <Icon of="split" />
      {strings.split}
    </button>
    <button type="button" class="quiet" title={strings.joinHint} aria-keyshortcuts="M" disabled={!canJoin} onClick={onJoin}>
      <Icon of="join" />
      {strings.join}
    </button>
    <button type="button" class="quiet" title={strings.insertHint} aria-keyshortcuts="+" onClick={onInsert}>
      <Icon of="plus" />
      {strings.insert}
    </button>
    <p class="hidden" role="status">
      {said}
    </p>
  </div>
)
