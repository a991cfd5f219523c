// Steps that tests of the Machines page share: buttons and dialogs by name, no axe violations, no horizontal scrolling.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { axeComplaints } from './axe.ts'

export const HOSTILE = '<script>document.title="owned"</script> \u202eevil\u0007 name'
/** The browser's console line for a refused request that the test provoked. */
export const isRefusal = (line: string): boolean => line.startsWith('Failed to load resource: the server responded with a status of 4')

export const button = (on: Page | Locator, name: string | RegExp): Locator => on.getByRole('button', { name })
export const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
/** `within`: selector of the part that is checked. */
export const clean = async (page: Page, what: string, within?: string): Promise<void> =>
  assert.deepEqual(await axeComplaints(page, within), [], what)
export async function isNarrow(page: Page, what: string): Promise<void> {
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${what} is wider than the screen`)
}
