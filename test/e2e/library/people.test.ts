// People and keys in real browsers: a key is created and shown once, its person signs in elsewhere, sees what the role allows, and is signed out
// when the key ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { chooseTheme, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, dialog, isNarrow, isRefusal } from '#test/support/web/machines-page.ts'
import { unreachable } from '#test/support/web/walk.ts'
import { form } from '#test/support/world/http.ts'
import { openWorld } from '#test/support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const OWN_TEXT = 'The harbour was quiet at five.'
const OTHER_TEXT = 'The ferry left at six.'
const LOOKS = [
  ['light', 1440],
  ['dark', 1440],
  ['dark', 320],
] as const

const GAP_FROM_RIGHT_TO_LEFT = `(() => {
  document.documentElement.dir = 'rtl'
  const range = document.createRange()
  range.selectNodeContents(document.querySelector('aside.details h2').firstChild)
  const gap = document.querySelector('aside.details .face').getBoundingClientRect().left - range.getBoundingClientRect().right
  document.documentElement.dir = 'ltr'
  return gap
})()`

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
async function signIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API key').fill(key)
  await button(page, 'Sign in').click()
}
const places = async (page: Page) =>
  (await page.locator('.rail .place .label').allTextContents()).filter((name) => !['Collapse', 'Expand'].includes(name))

test('a key is given, used in another browser, limited, replaced and ended', { skip: NO_BROWSER }, async (t) => {
  const world = await openWorld(t, { env: { STUDIO_API_KEY: KEY, STUDIO_SERVER_MODE: '1' } })
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/settings/people`, { width: 1440, height: 900 })
  await signIn(page, KEY)
  await heading(page, 'Settings')
  await page.getByText('Owner of the studio').waitFor()

  await button(page, 'Invite a person').click()
  const asking = dialog(page, 'Invite a person')
  assert.equal(await asking.getByRole('combobox', { name: 'For', exact: true }).inputValue(), 'person')
  for (const [theme, width] of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    await shot(`people-new-${theme}-${width}`)
    await clean(page, `dialog, ${theme}, ${width}`)
    await isNarrow(page, `dialog, ${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  // With the keyboard alone.
  await asking.getByLabel('Name', { exact: true }).focus()
  await page.keyboard.type('Reading room')
  await asking.getByLabel('E-mail for sign-in').fill('Room@example.org')
  await page.keyboard.press('Enter')
  const shown = asking.getByRole('textbox', { name: 'Key: Reading room' })
  await shown.waitFor()
  const invitation = await shown.inputValue()
  assert.ok(invitation.includes(`${world.url}/`), invitation)
  const key = /svk_\S+/.exec(invitation)![0]
  await shot('people-given')
  await clean(page, 'the key')
  await button(asking, 'Done').click()
  const row = page.getByRole('row', { name: /Reading room/ })
  await row.waitFor()
  assert.ok(!(await page.content()).includes(key), 'a key is shown once')

  // What the person makes is its own, and it sees nothing else.
  await world.post('/generate', form({ text: OTHER_TEXT }))
  assert.equal((await world.send('POST', '/generate', form({ text: OWN_TEXT }), { authorization: `Bearer ${key}` })).status, 200)
  const { page: other, complaints: otherComplaints, shot: otherShot } = await openPage(t, `${world.url}/#/files`)
  await signIn(other, key)
  await other.getByText(OWN_TEXT, { exact: true }).waitFor()
  assert.equal(await other.getByText(OTHER_TEXT, { exact: true }).count(), 0)
  assert.deepEqual(await places(other), ['Home', 'Speak', 'Dub', 'Audiobook', 'Transcribe', 'Tools', 'Projects', 'Voices', 'Files'])
  await button(other, 'This device').click()
  await other.getByText('Reading room · Create').waitFor()
  await otherShot('people-who')
  await other.keyboard.press('Escape')
  await other.goto(`${world.url}/#/settings/people`)
  await other.getByText('This page works only for the owner').waitFor()

  // A limit refuses new work with a sentence.
  await row.getByRole('link').click()
  const details = page.getByRole('complementary', { name: 'Reading room' })
  const email = details.getByLabel('E-mail for sign-in')
  assert.equal(await email.inputValue(), 'room@example.org')
  await email.fill('reading@example.org')
  await details.getByRole('combobox', { name: 'GPU time a month' }).selectOption('20 h')
  await button(details, 'Save').click()
  await row.locator('.of-used').getByText('0 h of 20 h').waitFor()
  const { id, sign_in: signedInBy } = (await world.get('/people')).json()[0]
  assert.deepEqual(signedInBy, { email: 'reading@example.org', issuer: null, subject: null })
  await world.patch(`/people/${id}`, { limits: { sound_minutes_a_day: 0 } })
  await other.goto(`${world.url}/#/speak`)
  await other.getByRole('textbox', { name: 'Text' }).fill('The lamp was lit.')
  await button(other, /^Speak$/).click()
  await other.getByText('The limit is 0 minutes of sound a day.').first().waitFor()

  for (const [theme, width] of LOOKS) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    for (const hash of ['', `/${id}`]) {
      await page.goto(`${world.url}/#/settings/people${hash}`)
      await (hash === '' ? row : details).waitFor()
      await shot(`people${hash && '-details'}-${theme}-${width}`)
      await clean(page, `people${hash}, ${theme}, ${width}`)
      await isNarrow(page, `people${hash}, ${width}`)
      if (width === 1440) assert.equal(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), 0, `people${hash} fits`)
      if (width === 1440 && theme === 'light') assert.deepEqual(await unreachable(page), [], hash)
    }
  }
  // On a page from right to left the name begins at the picture beside it.
  assert.ok(Number(await page.evaluate(GAP_FROM_RIGHT_TO_LEFT)) < 20)
  await page.setViewportSize({ width: 1440, height: 900 })
  await details.waitFor()

  // A lower role ends what is signed in; then nothing on the pages makes anything.
  await details.getByRole('radio', { name: /^Listen/ }).check()
  await button(details, 'Save').click()
  await other.getByText('You were signed out.').waitFor()
  await signIn(other, key)
  await other.goto(`${world.url}/#/`)
  await other.getByText(OTHER_TEXT, { exact: true }).waitFor()
  assert.deepEqual(await places(other), ['Home', 'Voices', 'Files'])
  assert.equal(await other.locator('main').getByRole('textbox').count(), 0)
  assert.equal(await button(other, 'Speak').count(), 0)
  await clean(other, 'Home of a person who listens')
  await otherShot('people-listen')
  await other.goto(`${world.url}/#/files`)
  await button(other, `Play ${OTHER_TEXT}`).waitFor()
  assert.equal(await button(other, /^Delete/).count(), 0)

  // The old key works on beside the new one, until it is ended here.
  await button(details, /^Replace: /).click()
  const replacing = page.getByRole('dialog', { name: /^Replace: / })
  await replacing.getByRole('combobox', { name: 'The old key ends' }).selectOption('In 24 hours')
  await button(replacing, 'Create key').click()
  await button(replacing, 'Done').click()
  await details.getByRole('listitem').nth(1).waitFor()
  const old = details.getByRole('listitem').filter({ hasText: key.slice(0, 8) })
  await button(old, /^End key: /).click()
  await page
    .getByRole('dialog', { name: /^End key: / })
    .getByRole('button', { name: 'End key' })
    .click()
  await other.getByText('You were signed out.').waitFor()
  await signIn(other, key)
  await other.getByText("That key doesn't match.").waitFor()

  await button(details, 'End access').click()
  await button(dialog(page, 'End access: \u2068Reading room\u2069'), 'End access').click()
  await details.getByText(/^Ends: /).waitFor()
  await page.getByRole('link', { name: 'Close' }).click()
  await page.getByRole('button', { name: /^Ended/ }).click()
  await row.waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Usage as CSV' }).click()])
  assert.match(file.suggestedFilename(), /^usage-\d{4}-\d{2}-01\.csv$/)

  // A person who operates sees what it may not change, and why.
  const { key: operating } = (await world.post('/people', { name: 'Operator', role: 'operate' })).json()
  const { page: third } = await openPage(t, `${world.url}/#/settings/engines`)
  await signIn(third, operating)
  await heading(third, 'Settings')
  for (const [section, own, others] of [
    ['engines', 'hub.token', 'compute.device'],
    ['storage', 'backup.keep', 'voices.most_gigabytes'],
  ] as const) {
    await third.goto(`${world.url}/#/settings/${section}`)
    const setting = third.locator(`[data-setting="${own}"]`)
    await setting.getByText('Only the role Own can change this.').waitFor()
    assert.ok(await setting.locator('input').isDisabled(), own)
    assert.ok(await third.locator(`[data-setting="${others}"] :is(input, select)`).isEnabled(), others)
  }

  // The palette leads there.
  await page.goto(`${world.url}/#/`)
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('people')
  await page.getByRole('option', { name: /Manage people and keys/ }).click()
  await page.getByText('Owner of the studio').waitFor()
  assert.deepEqual(
    complaints.filter((one) => !isRefusal(one)),
    [],
  )
  assert.deepEqual(
    otherComplaints.filter((one) => !isRefusal(one)),
    [],
  )
})
