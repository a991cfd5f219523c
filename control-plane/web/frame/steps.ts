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

/**
 * A drawing sets controlled fields to what the page knows, and a browser has already entered there what the event is about when no key or pointer came
 * first: a tool for accessibility, a form that fills itself, dictation. It is entered again, so that the handler of the event reads it. Before other
 * events nothing has been entered, and what the drawing brings stays.
 */
function drawBefore({ type, target }: Event) {
  const field = target as HTMLInputElement
  const { value, checked } = field
  drawAtOnce()
  const isEntered = type === 'input' || type === 'change'
  if (isEntered && field.value !== value) field.value = value
  if ((isEntered || type === 'click') && field.checked !== checked) field.checked = checked
}

export function drawInSteps() {
  options.debounceRendering = (next) => {
    draw = next
    setTimeout(next)
  }
  for (const action of ACTIONS) addEventListener(action, drawBefore, { capture: true, once: true })
}
