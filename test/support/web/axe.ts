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

export async function axeComplaints(page: Page): Promise<string[]> {
  // Through the debugger, which the content security policy does not restrict.
  await page.evaluate(SCRIPT)
  // Without the style sheets of shadow trees: axe copies them into a style element, which the policy blocks.
  const found = await page.evaluate<Found[]>("axe.run(document, { preload: { assets: ['media'] } }).then(({ violations }) => violations)")
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help} (${target.join(' ')}) ${html.slice(0, 160)}`),
  )
}
