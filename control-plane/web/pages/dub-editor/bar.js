// @ts-check
// Below the table: undo and redo, and what changes the lines themselves; with their keys.
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { areLettersOn } from '../../palette/keys.js'
import { strings } from '../dub/strings.js'

/** @import { Undoing } from '../dub/draft.js' */

/** Fields whose typing is undone by the editor; others undo their own. */
const EDITED = '.dub-rows textarea, .line-details :is(input, textarea, select)'
/** It uses the arrow keys alone. */
const TIMELINE = '.timeline [role="slider"]'
const FIELDS = 'input, textarea, select, [role="slider"]'

/** Seconds by which a key moves a line. */
const NUDGE = 0.01

/** @param {Pick<Undoing, 'undo' | 'redo'> & { split: () => unknown, join: () => unknown, edge: (edge: 'start' | 'end') => unknown, nudge: (seconds: number) => unknown }} actions */
export function useEditKeys(actions) {
  const newest = useRef(actions)
  newest.current = actions
  useEffect(() => {
    const press = (/** @type {KeyboardEvent} */ event) => {
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
      } else if (!isField && areLettersOn() && ['s', 'm', '[', ']'].includes(key)) {
        if (key === 's') newest.current.split()
        else if (key === 'm') newest.current.join()
        else newest.current.edge(key === '[' ? 'start' : 'end')
      } else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Screen readers are told what an undo and other edits did. @param {Undoing} quietly */
export function useAnnounced(quietly) {
  const [said, say] = useState('')
  /** @type {Undoing} */
  const undoing = {
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

/** said: what was done last, for screen readers. @param {{ undoing: Undoing, canSplit: boolean, canJoin: boolean, said: string, onSplit: () => void, onJoin: () => void }} props */
export const Bar = ({
  undoing,
  canSplit,
  canJoin,
  said,
  onSplit,
  onJoin,
}) => html`<div class="row dub-bar" role="toolbar" aria-label=${strings.editing}>
  <button type="button" class="quiet icon-only" aria-label=${strings.undo} title=${strings.undoKeys} aria-keyshortcuts="Control+Z" disabled=${!undoing.canUndo} onClick=${undoing.undo}><${Icon} of="undo" /></button>
  <button type="button" class="quiet icon-only" aria-label=${strings.redo} title=${strings.redoKeys} aria-keyshortcuts="Control+Y" disabled=${!undoing.canRedo} onClick=${undoing.redo}><${Icon} of="redo" /></button>
  <span class="rule" aria-hidden="true"></span>
  <button type="button" class="quiet" title=${strings.splitHint} aria-keyshortcuts="S" disabled=${!canSplit} onClick=${onSplit}><${Icon} of="split" />${strings.split}</button>
  <button type="button" class="quiet" title=${strings.joinHint} aria-keyshortcuts="M" disabled=${!canJoin} onClick=${onJoin}><${Icon} of="join" />${strings.join}</button>
  <p class="hidden" role="status">${said}</p>
</div>`
