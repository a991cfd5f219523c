// Accessibility violations that axe-core finds in a page, one line each.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { isLongRun } from '../long-run.ts'

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Found = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[]
}

/** The rules whose outcome depends on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Everything but colours that the rules depend on: the width, the elements, and what is open, which no attribute shows. A document that has
 * passed all rules in one theme is checked for its colours only in the other one, except in a long run.
 */
const STATE = `[
  innerWidth,
  ...[...document.querySelectorAll(':popover-open, :modal')].map(({ tagName, id }) => tagName + id),
  document.title,
  document.body.outerHTML,
].join(' ')`
const TOPMOST_MODAL = isLongRun ? 'null' : "[...document.querySelectorAll(':modal')].at(-1) ?? null"

/**
 * `within`: selector of the part that is checked. Without it an open modal dialog, which is all that a person can reach then, and otherwise the
 * whole page; in a long run the whole page.
 */
export async function axeComplaints(page: Page, within?: string): Promise<string[]> {
  // Through the debugger, which the content security policy does not restrict. Loaded once per document.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(SCRIPT)
  // Without the style sheets of shadow trees: axe copies them into a style element, which the policy blocks.
  const found = await page.evaluate<Found[]>(`(async () => {
    const passed = (window.passedInTheme ??= new Map())
    const part = ${within === undefined ? TOPMOST_MODAL : JSON.stringify(within)}
    const state = ${within === undefined ? STATE : 'null'}
    const theme = document.documentElement.dataset.theme ?? 'system'
    const before = state === null ? undefined : passed.get(state)
    const onlyColours = ${!isLongRun} && before !== undefined && before !== theme ? { runOnly: ${JSON.stringify(OF_COLOURS)} } : {}
    const options = { resultTypes: ['violations'], preload: { assets: ['media'] }, ...onlyColours }
    const { violations } = await axe.run(part ?? document, options)
    // Elements that changed meanwhile may not have been checked.
    if (state !== null && violations.length === 0 && before === undefined && state === ${STATE}) passed.set(state, theme)
    return violations
  })()`)
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help} (${target.join(' ')}) ${html.slice(0, 160)}`),
  )
}
