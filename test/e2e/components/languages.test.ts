// Components in a second language: another catalogue in the place of the English one, with the plural forms of Polish.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { NO_BROWSER } from '#test/support/web/browser.ts'
import { createStories } from '#test/support/web/components.ts'
import { makeSecondLanguage } from '#test/support/web/second-language.ts'

const folder = mkdtempSync(join(tmpdir(), 'studio-test-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const open = createStories('test/e2e/components/stories.tsx', {
  messages: () => {
    makeSecondLanguage(folder)
    return folder
  },
})

test('components show the texts and plural forms of a second language', { skip: NO_BROWSER }, async (t) => {
  const { page, complaints } = await open(t, 'texts')
  const forms = ['one: 1 job', 'few: 2 jobs', 'many: 5 jobs', 'few: 22 jobs', 'few: 1234 jobs']
  assert.equal(await page.locator('#counts').innerText(), forms.join(', '))
  assert.match(await page.locator('summary').first().innerText(), /…\s*few: \(all 402 characters\)$/)
  await page.locator('summary', { hasText: /many: +\(all 405 characters\)/ }).click()
  await page.getByRole('region', { name: '[Full text]' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('a dialog in a second language is closed by its own words', { skip: NO_BROWSER }, async (t) => {
  const { page } = await open(t, 'question')
  await page.getByRole('button', { name: 'Open' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('button', { name: '[Close]' }).waitFor()
  await question.getByRole('button', { name: '[Cancel]' }).click()
  await question.waitFor({ state: 'detached' })
})
