// Every control of a page is reached with Tab and shows that it has the focus; no text for people has routes, flags or internal ids.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

const CONTROLS =
  'a[href], button:not(:disabled), input:not(:disabled):not([type="hidden"]), select:not(:disabled), textarea:not(:disabled), summary, audio[controls], video[controls], [tabindex="0"]'
/** More presses than any page has controls; a trap would never end. */
const MAX_PRESSES = 400
/** Presses between two questions whether the focus has left the page. The page ignores those that follow. */
const AT_ONCE = 10

/** Marks every control that can be seen, presses Tab until the focus has left the page, and names those that were not reached or not marked. */
export async function unreachable(page: Page): Promise<string[]> {
  await page.evaluate(`{
    document.activeElement?.blur()
    getSelection()?.removeAllRanges()
    window.walk?.abort() // the one before, on another page of this document
    window.walk = new AbortController()
    const { signal } = window.walk
    window.reached = new Set()
    window.unmarked = []
    window.expected = [...document.querySelectorAll(${JSON.stringify(CONTROLS)})].filter((one) =>
      one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0 && !one.closest('[popover]:not(:popover-open), dialog:not([open]), [inert]') &&
      // Of a group of radio buttons the chosen one is reached.
      !(one.type === 'radio' && !one.checked))
    addEventListener('focusin', ({ target }) => {
      window.reached.add(target)
      // The ring is around the control, or around the field or row that it belongs to.
      const marked = [target, ...['label', 'li', 'tr', '.composer', '.dub-line'].map((around) => target.closest(around))].some((one) => {
        const { outlineStyle, boxShadow } = one ? getComputedStyle(one) : { outlineStyle: 'none', boxShadow: 'none' }
        return outlineStyle !== 'none' || boxShadow !== 'none'
      })
      if (!marked) window.unmarked.push(target)
    }, { signal })
    addEventListener('keydown', (event) => {
      if (event.key === 'Tab' && document.activeElement === document.body) event.preventDefault()
    }, { signal })
  }`)
  await page.evaluate('void document.querySelector(".skip").focus()')
  for (let press = 0; ; press += AT_ONCE) {
    const isOver = await page.evaluate<boolean>('document.activeElement === document.body || !document.hasFocus()')
    if (isOver) break
    assert.ok(press < MAX_PRESSES, 'the focus never leaves the page')
    for (let more = 0; more < AT_ONCE; more++) await page.keyboard.press('Tab')
  }
  return await page.evaluate<string[]>(`[
    ...window.expected.filter((one) => one.isConnected && !window.reached.has(one)).map((one) => 'not reached: ' + one.outerHTML.slice(0, 160)),
    ...window.unmarked.map((one) => 'focus not visible: ' + one.outerHTML.slice(0, 160)),
  ]`)
}

/** Names that only programs use: routes, flags, variables, ids and names of fields. */
const INTERNAL = [
  /\b(?:GET|POST|PUT|PATCH|DELETE) \//,
  /(?:^|\s)\/(?:v1|api|dub|workers|models|setup|jobs|profiles|history|system|audiobook|engines|tasks|projects)\b/,
  /(?:^|\s)--[a-z]/,
  /\bSTUDIO_[A-Z_]+/,
  /\b(?:[0-9a-f]{12,}|[0-9a-f]{8}-[0-9a-f]{4}-)/,
  /\b(?:svc-engine|tts-1|espeak-ng|whisper-1)\b/,
  /\b[a-z]+_[a-z_]+\b/,
]
/** Models are called by their public names. */
const MODEL = /\b[\w.-]+\/[\w.-]+(?::\w+)?/g
/** Lines of the shown text that have one of them. Pure. */
export const internalWords = (text: string): string[] =>
  text.split('\n').filter((line) => INTERNAL.some((one) => one.test(line.replaceAll(MODEL, ''))))
