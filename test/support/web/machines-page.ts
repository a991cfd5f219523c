// What tests of the machines page say again and again: buttons and windows by their names, no complaint of axe, nothing beyond the screen.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { axeComplaints } from './axe.ts'

export const HOSTILE = '<script>document.title="owned"</script> \u202eevil\u0007 name'
/** The browser's own line for an answer that refuses, which the test asked for. */
export const isRefusal = (line: string): boolean => line.startsWith('Failed to load resource: the server responded with a status of 4')

export const button = (on: Page | Locator, name: string | RegExp): Locator => on.getByRole('button', { name })
export const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
export const clean = async (page: Page, what: string): Promise<void> => assert.deepEqual(await axeComplaints(page), [], what)
export async function isNarrow(page: Page, what: string): Promise<void> {
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${what} is wider than the screen`)
}
