// Accessibility violations that axe-core finds in a page, one line each.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const SCRIPT = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Found = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[]
}

/** `within`: selector of the part that is checked; otherwise the whole page. */
export async function axeComplaints(page: Page, within?: string): Promise<string[]> {
  // Through the debugger, which the content security policy does not restrict. Loaded once per document.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(SCRIPT)
  // Without the style sheets of shadow trees: axe copies them into a style element, which the policy blocks.
  const part = within === undefined ? 'document' : JSON.stringify(within)
  const found = await page.evaluate<Found[]>(
    `axe.run(${part}, { resultTypes: ['violations'], preload: { assets: ['media'] } }).then(({ violations }) => violations)`,
  )
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help} (${target.join(' ')}) ${html.slice(0, 160)}`),
  )
}
