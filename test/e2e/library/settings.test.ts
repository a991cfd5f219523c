// Settings and Health in a real browser: a setting is found, changed, undone and kept over a reload, and secrets are never shown; the worst fact in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '#test/support/models/model-studio.ts'
import { chooseTheme, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, isNarrow } from '#test/support/web/machines-page.ts'
import { eventually } from '#test/support/world/world.ts'

const SECTIONS = [
  'General',
  'Engines and models',
  'Pronunciation',
  'Translation',
  'Dictation',
  'API',
  'Storage',
  'Privacy',
  'Access',
  'Doctor',
  'About',
]
const SECRET = 'key-of-a-test-that-is-never-shown'

test('settings are found, changed, undone and pinned, in both themes and on a phone', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/settings`, { width: 1440, height: 900 })
  const setting = (key: string) => page.locator(`[data-setting="${key}"]`)
  // The link is current in the same rendering that shows its section; until then, the page shows the one before.
  const openSection = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).click()
    await page.locator('nav a[aria-current="page"]').getByText(name, { exact: true }).waitFor({ state: 'attached' })
    await page.locator('.chosen section').first().waitFor()
  }
  let figures = 0
  const stored = async (key: string) => (await world.get(`/api/settings/values/${key}`)).json()

  const retention = setting('history.retention')
  await retention.getByRole('spinbutton').fill('50')
  await retention.getByRole('spinbutton').press('Enter')
  await button(retention, /^Undo/).waitFor()
  assert.equal((await stored('history.retention')).value, 50)
  await page.reload()
  assert.equal(await retention.getByRole('spinbutton').inputValue(), '50')
  await button(retention, /^Use the default/).click()
  await eventually(async () => (await stored('history.retention')).value === 200)
  await button(retention, /^Undo/).click()
  await eventually(async () => (await stored('history.retention')).value === 50)

  const search = page.getByRole('searchbox', { name: 'Find a setting' })
  await search.fill('inaudible')
  const mark = setting('watermark.invisible')
  await mark.getByRole('switch').uncheck()
  await mark.getByRole('status').getByText('Saved.').waitFor()
  assert.equal((await stored('watermark.invisible')).value, false)
  await search.fill('mcp')
  await setting('mcp.enabled').getByText('Set by the environment').waitFor()
  assert.equal(await setting('mcp.enabled').getByRole('switch').isDisabled(), true)
  await search.fill('no setting has this')
  await page.getByText('No setting has these words.').waitFor()

  await page.getByRole('link', { name: 'Translation', exact: true }).click()
  const deepl = setting('env.DEEPL_API_KEY')
  await deepl.getByLabel('DeepL key').fill(SECRET)
  await button(deepl, 'Save').click()
  await button(deepl, 'Remove: DeepL key').waitFor()
  assert.equal((await stored('env.DEEPL_API_KEY')).is_set, true)
  assert.ok(!(await page.content()).includes(SECRET), 'a stored key is not in the page')

  await page.getByRole('link', { name: 'Pronunciation', exact: true }).click()
  await page.getByLabel('Word or phrase').fill('<b>Nguyen</b>')
  await page.getByLabel('Spoken as').fill('win')
  await button(page, 'Add').click()
  const entries = page.getByRole('list', { name: 'Entries' })
  await entries.getByText('<b>Nguyen</b>').waitFor()
  // A switch that was refused shows what is stored.
  await page.route('**/pronunciation/*', (route) => route.fulfill({ status: 503, json: { detail: 'The disk is busy.' } }), { times: 1 })
  await entries.getByRole('checkbox').click()
  await page.getByText('The disk is busy.').waitFor()
  assert.ok(await entries.getByRole('checkbox').isChecked())
  await button(entries, /^Remove/).click()
  await page.getByText('The dictionary is empty.').waitFor()
  // A text is shown as it is read, and a word of it goes into the dictionary.
  await page.getByText('Try a text').click()
  const sample = page.getByLabel('Text', { exact: true })
  await sample.fill('Nguyen came on **4/15**.')
  await button(page, 'Show how it is read').click()
  await page.getByText('Nguyen came on 4/15.', { exact: true }).waitFor()
  await sample.press('Control+Home')
  for (const _letter of 'Nguyen') await sample.press('Shift+ArrowRight')
  await button(page, 'Add “Nguyen” to the dictionary').click()
  assert.equal(await page.getByLabel('Word or phrase').inputValue(), 'Nguyen')
  await page.keyboard.type('win')
  assert.equal(await page.getByLabel('Spoken as').inputValue(), 'win')

  await page.goto(`${world.page}/#/settings/access`)
  await button(page, 'Share').click()
  await page.locator('[data-part="pin"]').waitFor()
  await button(page, 'Stop sharing').click()
  await button(page, 'Share').waitFor()
  // An address of a row shows it.
  await page.goto(`${world.page}/#/settings/privacy?row=watermark.visible_video`)
  await page.locator('.found[data-setting="watermark.visible_video"]').waitFor()

  // The bounds of each control are those of the studio.
  const { settings } = (await world.get('/api/settings/values')).json()
  for (const section of ['General', 'Dictation', 'Storage']) {
    await openSection(section)
    for (const { key, page: shown, form } of settings) {
      if (form.kind !== 'number' || !shown) continue
      const control = setting(key).getByRole('spinbutton', { name: shown.controls[0].title, exact: true })
      if ((await control.count()) === 0) continue
      const bounds = [await control.getAttribute('min'), await control.getAttribute('max'), await control.getAttribute('step')]
      assert.deepEqual(bounds, [String(form.least), String(form.most), form.is_whole ? '1' : 'any'], key)
      figures++
    }
  }
  assert.equal(figures, 8)

  for (const [width, theme] of [
    [1440, 'light'],
    [380, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    for (const name of SECTIONS) {
      await page.goto(`${world.page}/#/settings`)
      await openSection(name)
      if (name === 'Storage') await button(page, 'Measure again').waitFor()
      if (name === 'Doctor') await page.getByText(/^(Ready|\d+ problem)/).waitFor()
      await shot(`settings-${name.toLowerCase().replaceAll(' ', '-')}-${theme}-${width}`)
      await clean(page, `${name}, ${theme}, ${width}`)
      await isNarrow(page, `${name}, ${width}`)
    }
  }
  assert.deepEqual(
    complaints.filter((one) => !/status of 503/.test(one)),
    [],
  )
  assert.equal((await world.put('/api/settings/values/history.retention', { value: 200 })).status, 200)
  assert.equal((await world.post('/watermark/settings?invisible=true')).status, 200)
})

test('health says the worst fact in words, and its figures are those of the metrics', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/`, { width: 1440, height: 900 })
  // Other tests may have filled the memory of this machine, which the studio reports.
  await page.route(/\/system\/(?:diagnose|notifications)|\/api\/settings\/storage/, async (route) => {
    const { checks = [], ...reply } = await (await route.fetch()).json()
    const well = checks.map((one: object) => ({ ...one, status: 'ok' }))
    await route.fulfill({ json: { ...reply, ...(well.length > 0 && { checks: well }), notifications: [], warnings: [] } })
  })
  await page
    .getByRole('heading', { name: /^(Ready|Something needs you)/ })
    .getByRole('link')
    .click()
  await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
  const made = async () => {
    const text = String((await world.get('/metrics')).body)
    return [...text.matchAll(/^studio_tasks_ended_total\{.*end="succeeded"\} (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0)
  }
  const tile = page.getByRole('link', { name: /^Made / })
  await eventually(async () => (await tile.locator('b').textContent()) === String(await made()))
  // The tiles count what the chart shows, and say so.
  await tile.getByText('1 hour').waitFor()
  // The counts have everything that ended without success, as the chart.
  await page.getByRole('link', { name: /^Failed or cancelled / }).waitFor()
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  await page.route('**/workers/activity?days=7', async (route) => {
    await isRead
    await route.continue()
  })
  const asked = page.waitForRequest('**/workers/activity?days=7')
  await button(page, '7 days').click()
  await asked
  assert.equal(await button(page, '7 days').getAttribute('aria-pressed'), 'true')
  assert.match((await tile.textContent())!, /1 hour/, 'the figures that are shown keep their time')
  read()
  await tile.getByText('7 days').waitFor()
  const ofDays = async () =>
    (await world.get('/workers/activity?days=7')).json().spans.reduce((sum: number, { done }: { done: number }) => sum + done, 0)
  await eventually(async () => (await tile.locator('b').textContent()) === String(await ofDays()))
  // Wherever nothing must be done, nothing is red.
  await page.getByText('All is well.').waitFor()
  assert.equal(await page.locator('main .bad').count(), 0)
  await page.route('**/system/notifications', async (route) => {
    const notice = { id: 'jobs-set-aside', level: 'error', title: 'A job was set aside', message: '', action: null }
    await route.fulfill({ json: { notifications: [notice], count: 1 } })
  })
  await page.reload()
  const worst = page.getByRole('status').getByRole('link', { name: 'A job was set aside' })
  await worst.waitFor()
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`health-${theme}`)
    await clean(page, theme)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  await worst.click()
  await page.getByRole('heading', { name: 'Jobs', level: 1 }).waitFor()
  await page.goto(`${world.page}/#/health`)
  for (const [name, to] of [
    [/^Disk /, 'settings/storage'],
    [/^Certificates /, 'machines/security'],
    [/^First sound /, 'speak'],
  ] as const) {
    assert.equal(await page.getByRole('link', { name }).getAttribute('href'), `#/${to}`)
  }
  assert.deepEqual(complaints, [])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
