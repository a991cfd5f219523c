// The pages Projects and Files in a real browser: find, rename, duplicate, play, download and delete; hostile names stay text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseTheme, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, HOSTILE, isNarrow } from '#test/support/web/machines-page.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ fixedPort: true })

test('projects and files are found, changed, played and deleted, in both themes and on a phone', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/projects`, { width: 1440, height: 900 })
  await page.getByText('No projects yet.').waitFor()
  await world.post('/projects', { name: 'Harbour interview', duration: 75, state: { lines: 3 } })
  await world.post('/projects', { name: HOSTILE, state: {} })
  await world.post('/generate', form({ text: 'The harbour was quiet at five.' }))
  await page.reload()
  const rows = page.getByRole('row')
  await page.getByText('Harbour interview', { exact: true }).waitFor()
  await button(page, 'Duplicate: Harbour interview').click()
  await page.getByText('Harbour interview (copy)', { exact: true }).waitFor()
  const [copy] = (await world.get('/projects')).json()
  assert.deepEqual((await world.get(`/projects/${copy.id}`)).json().state, { lines: 3 })
  await button(page, 'Rename: Harbour interview (copy)').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Lighthouse')
  await page.keyboard.press('Enter')
  await page.getByText('Lighthouse', { exact: true }).waitFor()
  await page.getByRole('searchbox', { name: 'Find a project' }).fill('light')
  await eventually(async () => (await rows.count()) === 2)
  await page.reload()
  await page.getByText('Lighthouse', { exact: true }).waitFor()
  assert.equal(await rows.count(), 2, 'the search survives a reload')
  await button(page, 'Delete Lighthouse').click()
  await page.getByText('\u2068Lighthouse\u2069 was deleted.').waitFor()
  await button(page, 'Undo').click()
  await button(page, 'Delete Lighthouse').click()
  await page.getByText('No project matches.').waitFor()
  await button(page, 'Clear filters').click()
  await eventually(async () => (await rows.count()) === 3)
  await button(page, 'Delete Harbour interview').press('Enter')
  await eventually(async () => (await rows.count()) === 2)
  const focused = await page.evaluate("document.activeElement?.closest('tr')?.querySelector('th')?.textContent ?? ''")
  assert.ok(String(focused).startsWith(HOSTILE), `a person without a mouse goes on at the next row, not at ${focused}`)
  await button(page, 'Undo').last().click()
  await eventually(async () => (await rows.count()) === 3)

  const looks = [
    [1440, 'light'],
    [380, 'dark'],
  ] as const
  for (const [hash, text] of [
    ['projects', 'Harbour interview'],
    ['files', 'The harbour was quiet at five.'],
  ] as const) {
    await page.evaluate(`location.hash = '#/${hash}'`)
    for (const [width, theme] of looks) {
      await page.setViewportSize({ width, height: 900 })
      await chooseTheme(page, theme)
      await page.getByText(text, { exact: true }).waitFor()
      await shot(`${hash}-${theme}-${width}`)
      await clean(page, `${hash}, ${theme}, ${width}`)
      await isNarrow(page, `${hash}, ${width}`)
    }
  }
  // On a phone the name is cut off, and shown whole under the pointer.
  const name = page.getByText('The harbour was quiet at five.', { exact: true })
  await name.hover()
  assert.equal(await name.getAttribute('title'), 'The harbour was quiet at five.')
  await page.locator('td', { hasText: /^\d+ KB$/ }).waitFor({ state: 'attached' }) // of a desktop; a phone has it below the name
  await button(page, 'Play The harbour was quiet at five.').click()
  await button(page.getByRole('cell'), 'Pause The harbour was quiet at five.').waitFor()
  await button(page, 'Download: The harbour was quiet at five.').click()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^MP3/ }).click()])
  assert.equal(download.suggestedFilename(), 'The harbour was quiet at five.mp3')
  await page.getByRole('searchbox', { name: 'Find a file' }).fill('QUIET harbour')
  await page.getByText('1 file', { exact: true }).waitFor()
  await button(page, 'Starred').click()
  await page.getByText('No file matches.').waitFor()
  await page.reload()
  await button(page, 'Clear filters').click()
  await button(page, 'Delete The harbour was quiet at five.').click()
  await page.getByText('No files yet.').waitFor()
  assert.deepEqual(complaints, [])
  for (const { id } of (await world.get('/projects')).json()) await world.delete(`/projects/${id}`)
})
