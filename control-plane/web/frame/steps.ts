// The first view is drawn in steps: each drawing is a task of its own. In one task with the effects and answers that cause the next drawing, it
// would keep the page from answering for too long.
import { options } from '../lib/html.ts'

/** The first of them ends the steps: what handles an event must see the newest state, which is drawn before the next event otherwise. */
const ACTIONS = ['pointerdown', 'keydown', 'beforeinput', 'input', 'change', 'click', 'submit']

let draw = () => {}

/** From now on all is drawn before the next event. */
export function drawAtOnce() {
  if (options.debounceRendering === undefined) return
  delete options.debounceRendering
  draw()
}

export function drawInSteps() {
  options.debounceRendering = (next) => {
    draw = next
    setTimeout(next)
  }
  for (const action of ACTIONS) addEventListener(action, drawAtOnce, { capture: true, once: true })
}
