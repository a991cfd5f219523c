// The components that pages use most, by themselves in a browser: state, keyboard, names, refusals and failures. The pages that use them have
// their own tests.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { axeComplaints } from '#test/support/web/axe.ts'
import { NO_BROWSER } from '#test/support/web/browser.ts'
import { createStories } from '#test/support/web/components.ts'

const open = createStories('test/e2e/components/stories.tsx')
const skip = NO_BROWSER
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const finish = (page: Page) => page.evaluate('finish()')
const fail = (page: Page, text: string) => page.evaluate(`fail(${JSON.stringify(text)})`)
const focused = (page: Page) => page.evaluate('document.activeElement.textContent || document.activeElement.id')
const opened = async (t: TestContext, story: string) => {
  const look = await open(t, story)
  assert.deepEqual(await axeComplaints(look.page), [], story)
  return look
}

test('an action runs once while it is busy, and its failure becomes a notice', { skip }, async (t) => {
  const { page, log, complaints } = await opened(t, 'actions')
  await button(page, 'Import').press('Enter')
  const busy = page.locator('button[aria-busy=true]')
  await busy.waitFor()
  assert.equal(await busy.isDisabled(), true)
  await busy.click({ force: true })
  assert.deepEqual(await log(), ['pressed'])
  await finish(page)
  await busy.waitFor({ state: 'detached' })
  await button(page, 'Import').press('Space')
  await busy.waitFor()
  await fail(page, 'The disk is full.')
  await page.getByRole('status').getByText('The disk is full.').waitFor()
  assert.equal(await button(page, 'Import').isEnabled(), true, 'it can be tried again')
  await button(page, 'Export').click({ force: true })
  await button(page, 'Download').click()
  assert.deepEqual(await log(), ['pressed', 'pressed', 'downloaded'])
  assert.deepEqual(complaints, [])
})

test('a field has its label as its name, its hint with it, and is marked when it is wrong', { skip }, async (t) => {
  const { page, log } = await opened(t, 'fields')
  await page.getByText('Name', { exact: true }).click()
  await page.keyboard.type('Tom')
  assert.deepEqual(await log(), ['T', 'To', 'Tom'])
  await page.getByRole('textbox', { name: 'Name You can change it later.' }).waitFor()
  assert.equal(await page.getByRole('textbox', { name: /^Seed/ }).getAttribute('aria-invalid'), 'true')
  await page.getByRole('combobox', { name: 'Voice' }).selectOption('Mara')
  assert.deepEqual((await log()).at(-1), 'Mara')
  assert.equal(await page.getByRole('textbox', { name: 'Old' }).isDisabled(), true)
})

test('what is entered while a drawing is open reaches its handler, with the newest state', { skip }, async (t) => {
  for (const [enter, entered] of [
    ["field.value = 'Tom'; tell('input')", 'Tom after 1'],
    ["field.value = 'Mara'; tell('input'); tell('change')", 'Mara after 1'],
    ['field.click()', 'true after 1'],
  ] as const) {
    const { page, log } = await opened(t, 'steps')
    const name = { Tom: 'Text', Mara: 'Choice', true: 'Mark' }[entered.split(' ')[0]!]
    // A tool for accessibility enters it: no key or pointer comes first.
    await page.evaluate(`{
      const field = document.querySelector('[aria-label=${name}]')
      const tell = (name) => field.dispatchEvent(new Event(name, { bubbles: true }))
      wait()
      ${enter}
    }`)
    assert.deepEqual(await log(), [entered])
  }
})

test('what a drawing brings into a field stays when a person presses it or a key in it', { skip }, async (t) => {
  for (const action of ['pointerdown', 'keydown', 'beforeinput', 'click']) {
    const { page } = await opened(t, 'steps')
    const shown = await page.evaluate<string>(`{
      const field = document.querySelector('[aria-label=Draft]')
      wait()
      field.dispatchEvent(new Event('${action}', { bubbles: true }))
      field.value
    }`)
    assert.equal(shown, 'Kept', action)
  }
})

test('a form is sent once by Enter, and keeps a refusal in view until the next try', { skip }, async (t) => {
  const { page, log } = await opened(t, 'form')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Mara')
  await name.press('Enter')
  await page.locator('button[aria-busy=true]').waitFor()
  await name.press('Enter')
  assert.deepEqual(await log(), ['sent Mara'])
  await fail(page, 'This name is taken.')
  const refusal = page.getByRole('alert')
  assert.equal(await refusal.innerText(), 'This name is taken.')
  assert.deepEqual(await axeComplaints(page), [])
  assert.equal(await name.inputValue(), 'Mara', 'what was typed stays')
  await name.fill('Tom')
  assert.equal(await refusal.count(), 1)
  await button(page, 'Save').click()
  await refusal.waitFor({ state: 'detached' })
  await finish(page)
  await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' })
  assert.deepEqual(await log(), ['sent Mara', 'sent Tom'])
  assert.equal(await button(page, 'More').isEnabled(), true)
})

test('a dialog holds the focus, closes by Escape and by its button, and returns the focus', { skip }, async (t) => {
  const { page, log } = await opened(t, 'dialog')
  for (const close of [() => page.keyboard.press('Escape'), () => button(page, 'Close').click()]) {
    await button(page, 'Open').click()
    const dialog = page.getByRole('dialog', { name: 'Rename' })
    await dialog.waitFor()
    assert.deepEqual(await axeComplaints(page), [])
    for (let presses = 0; presses < 4; presses++) {
      await page.keyboard.press('Tab')
      assert.notEqual(await focused(page), 'Behind', 'nothing behind it is reached')
    }
    await close()
    await page.locator('dialog').waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Open')
  }
  assert.deepEqual(await log(), ['closed', 'closed'])
})

test('the focus goes to the page when what opened a dialog is gone', { skip }, async (t) => {
  const { page } = await opened(t, 'dialog')
  await button(page, 'Open').click()
  await button(page, 'Approve').click()
  await page.locator('text="Open"').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.locator('#main:focus').waitFor()
})

test('a question stays open when its action fails, and closes when it is done or kept', { skip }, async (t) => {
  const { page, log } = await opened(t, 'question')
  const question = page.getByRole('dialog', { name: 'Delete this take?' })
  await button(page, 'Open').click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await fail(page, 'not just now')
  // Above the dialog, in the top layer.
  await page.locator('.notices:popover-open').getByText('not just now').waitFor()
  assert.equal(await question.count(), 1)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  await button(page, 'Open').click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await finish(page)
  await question.waitFor({ state: 'detached' })
  assert.deepEqual(await log(), ['deleting', 'closed', 'deleting', 'closed'])
})

test('a popover closes by a choice, by Escape and by a press beside it', { skip }, async (t) => {
  const { page, log } = await opened(t, 'popover')
  const face = button(page, 'More actions')
  const open = page.locator('#menu:popover-open')
  await face.press('Enter')
  await open.waitFor()
  await page.getByRole('region', { name: 'Actions' }).waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await page.getByText('Machine', { exact: true }).click()
  assert.equal(await open.count(), 1, 'a press inside is no choice')
  await button(page, 'Rename').click()
  await open.waitFor({ state: 'detached' })
  // Browsers report two changes at once as one.
  const times = (count: number) => page.locator('#log', { hasText: new RegExp(`(?:opened[^]*){${count}}`) }).waitFor()
  await face.click()
  await times(2)
  await page.keyboard.press('Escape')
  await open.waitFor({ state: 'detached' })
  assert.equal(await focused(page), '…')
  await face.click()
  await times(3)
  await page.getByRole('heading', { name: 'Stories' }).click()
  await open.waitFor({ state: 'detached' })
  await page.locator('#log', { hasText: /closed\s*$/ }).waitFor()
  assert.deepEqual(await log(), ['opened', 'chosen', 'closed', 'opened', 'closed', 'opened', 'closed'])
})

test('progress has a name and a value, and pictures are for the eye only', { skip }, async (t) => {
  const { page } = await opened(t, 'marks')
  const progressOf = (name: string) => page.getByRole('progressbar', { name }).evaluate((bar) => (bar as HTMLProgressElement).position)
  assert.equal(await progressOf('Half'), 0.5)
  assert.equal(await progressOf('Unknown'), -1)
  assert.equal(await page.locator('#story svg:not([aria-hidden=true])').count(), 0)
  assert.equal(await page.locator('.badge.warn').innerText(), 'Needs approval')
  const prints = await page.locator('.voice-print').evaluateAll((all) => all.map(({ outerHTML }) => outerHTML))
  assert.equal(prints[0], prints[1], 'a voice looks the same everywhere')
  assert.notEqual(prints[0], prints[2])
})

test('the newest four notices are shown, an action is done once, and a failure stays longer', { skip }, async (t) => {
  const { page, log } = await opened(t, 'messages')
  const notices = page.locator('.notices p')
  await page.clock.install()
  for (const name of ['Save', 'Save', 'Save', 'Fail', 'Delete']) await button(page, name).click()
  assert.deepEqual(await notices.allInnerTexts(), ['Saved.', 'Saved.', "Couldn't save.", 'Deleted. Undo'])
  assert.deepEqual(await axeComplaints(page), [])
  await page.clock.runFor(6000)
  await page.getByText('Saved.').first().waitFor({ state: 'detached' })
  assert.deepEqual(await notices.allInnerTexts(), ["Couldn't save.", 'Deleted. Undo'])
  await button(page, 'Undo').click()
  assert.deepEqual(await log(), ['undone'])
  assert.deepEqual(await notices.allInnerTexts(), ["Couldn't save."])
  await page.clock.runFor(7000)
  await notices.waitFor({ state: 'detached' })
})

test('a long text is shown on request, and is reached by the keyboard', { skip }, async (t) => {
  const { page } = await opened(t, 'texts')
  const whole = page.getByRole('region', { name: 'Full text' })
  assert.equal(await whole.count(), 0)
  await page.getByText('(all 402 characters)').press('Enter')
  await whole.waitFor()
  assert.equal((await whole.innerText()).length, 402)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Full text')
  assert.equal(await page.locator('#counts').innerText(), '1 job, 2 jobs, 5 jobs, 22 jobs, 1,234 jobs')
})

test('times go on by themselves, and a countdown ends', { skip }, async (t) => {
  const { page } = await open(t, 'marks')
  await page.clock.install({ time: 1_800_000_000_000 })
  await page.goto(page.url().replace('#marks', '?#times'))
  const [left, since] = [page.locator('#left'), page.locator('#since')]
  await page.locator('text="now"').waitFor()
  assert.match(await left.innerText(), /^1 min [12] s$/)
  await page.clock.runFor(4000)
  await page.getByText('58 s').waitFor()
  assert.equal(await since.innerText(), '4 s ago')
  await page.clock.runFor(60_000)
  await page.getByText('expired').waitFor()
  assert.equal(await since.innerText(), '1 min ago')
})

test('the position of a sound is a slider for the keyboard, and off until the length is known', { skip }, async (t) => {
  const { page, log } = await opened(t, 'track')
  const slider = page.getByRole('slider', { name: 'Position' })
  await slider.press('Home')
  assert.equal(await slider.getAttribute('aria-valuetext'), '0 s')
  await slider.press('End')
  assert.equal(await slider.getAttribute('aria-valuetext'), '8 s')
  assert.equal(
    await page
      .locator('.track path.played')
      .first()
      .getAttribute('d')
      .then((path) => path?.match(/M/g)?.length),
    3,
  )
  assert.equal(await page.getByRole('slider', { name: 'Unread' }).isDisabled(), true)
  assert.deepEqual(await log(), [])
})

test('of a long list only the rows in view are drawn, wherever it is scrolled', { skip }, async (t) => {
  const { page } = await opened(t, 'rows')
  const drawn = page.locator('li')
  await page.getByText('row 0', { exact: true }).waitFor()
  assert.ok((await drawn.count()) < 100, `${await drawn.count()} rows`)
  await page.keyboard.press('End')
  await page.getByText('row 9999', { exact: true }).waitFor()
  assert.ok((await drawn.count()) < 100, `${await drawn.count()} rows`)
  await page.keyboard.press('Home')
  await page.getByText('row 0', { exact: true }).waitFor()
})

test('a part that fails while it is drawn says so, and another address draws again', { skip }, async (t) => {
  const { page } = await opened(t, 'failing')
  const alert = page.getByRole('alert')
  assert.match(await alert.innerText(), /This page can't be shown\.[\s\S]*Error: drawn wrong/)
  await button(page, 'Voices').click()
  await page.getByText('Voices are here').waitFor()
  assert.equal(await alert.count(), 0)
})
