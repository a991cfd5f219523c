// The page of the first run, in a real browser: what works is said, and a model comes from a real server with its progress on the page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openModelServer, weights } from '#test/support/doubles/model-server.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { openWorld } from '#test/support/world/world.ts'

const REPO = 'voice-studio/tone'
const FILES = { 'config.json': Buffer.from('{"hz":440}'), 'model.onnx': weights('tone', 3_000_000), 'voices/a.bin': weights('a', 4_000) }

test('a model is installed with its progress on the page, cancelled, resumed and removed', { skip: NO_BROWSER }, async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const world = await openWorld(t, { env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' } })
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/start`)
  const now = page.getByRole('region', { name: 'What works now' })
  await now.getByText('works with a stand-in').waitFor()
  await now.getByText('processor only').or(now.getByText('graphics card')).waitFor()
  await page.getByRole('region', { name: 'Checks' }).getByText('Free disk space').waitFor()
  await page.getByRole('region', { name: 'Recommended' }).getByText('Kokoro').first().waitFor()
  await shot('panel-start')
  assert.deepEqual(await axeComplaints(page), [])

  await now.getByRole('button', { name: 'Load the voice now' }).click()
  await page.getByText('The voice is loaded').waitFor()

  const find = page.getByRole('searchbox', { name: 'Find a model' })
  const row = page.locator(`[data-model="${REPO}"]`)
  await find.fill('tone')
  await row.getByText('not here').waitFor()
  await row.getByText('licence Apache-2.0').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  const held = Promise.withResolvers<void>()
  server.fail(server.fileOf(REPO, 'voices/a.bin'), { kind: 'wait', until: held.promise })
  await row.getByRole('button', { name: /^Install/ }).click()
  await row.getByText('being fetched').waitFor()
  await row.getByText(/of 3\.0 MB, \d of 3 files/).waitFor()
  await row.locator('progress:not([value="0"])').waitFor()
  const value = await row.getByRole('progressbar').getAttribute('value')
  assert.ok(Number(value) > 0.9 && Number(value) <= 1, `the bar is at ${value}`)
  await shot('panel-start-fetching')
  assert.deepEqual(await axeComplaints(page), [])

  await page.reload()
  await row.getByText('being fetched').waitFor()
  await row.getByRole('button', { name: /^Cancel/ }).click()
  await row.getByText('partly here').waitFor()
  held.resolve()
  await row.getByRole('button', { name: /^Fetch the rest/ }).click()
  await row.getByText('here', { exact: true }).waitFor()
  await row.getByText(/on the disk/).waitFor()
  assert.equal(server.count(server.fileOf(REPO, 'model.onnx')), 1, 'what had come is not fetched again')

  await row.getByRole('button', { name: /^Remove/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove this model?' })
  assert.deepEqual(await axeComplaints(page), [])
  await shot('panel-start-remove')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await row.getByText('not here').waitFor()

  server.failAlways(server.fileOf(REPO, 'model.onnx'), { kind: 'status', status: 403 })
  await row.getByRole('button', { name: /^Install/ }).click()
  await row.getByText(/the server refuses .*403/).waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  assert.deepEqual(complaints, [])
})

test('what cannot be installed says why before anybody presses, whatever it is called', { skip: NO_BROWSER }, async (t) => {
  const server = await openModelServer(t, {})
  const world = await openWorld(t, { env: { STUDIO_MODELS_URL: server.url } })
  const { page, complaints, shot } = await openPage(t, `${world.url}/`, { width: 380, height: 900 })
  const label = `<script>alert(1)</script>\u202eright to left ${'y'.repeat(10_000)}`
  // The answers of the studio, as they are on a machine that is nearly full and at one that is not of this kind.
  await page.route('**/models', async (route) => {
    const answer = await route.fetch()
    const list = await answer.json()
    const [first, second, third] = list.models
    Object.assign(first, { label, note: label })
    Object.assign(second, { size_gb: 700, supported: true })
    Object.assign(third, { supported: false, platforms: ['darwin'] })
    await route.fulfill({ json: { ...list, disk_free_gb: 12 } })
  })
  await page.getByRole('link', { name: 'First run' }).click()
  await page.getByText(/^Speaking: \d+/).click()
  const rows = page.getByRole('region', { name: 'All models' }).getByRole('listitem')
  await rows.nth(0).getByText('<script>alert(1)</script>').first().waitFor()
  await rows.nth(0).getByText('less than the 10 GB that must stay free').waitFor()
  await rows.nth(1).getByText('Larger than the free disk: it needs 700.0 GB and 12.0 GB are free.').waitFor()
  await rows.nth(2).getByText('it runs on darwin only').waitFor()
  for (const at of [1, 2])
    assert.equal(
      await rows
        .nth(at)
        .getByRole('button', { name: /^Install/ })
        .isDisabled(),
      true,
    )
  assert.equal(await page.locator('main script').count(), 0)
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  for (const theme of ['light', 'dark']) {
    await page.getByLabel('Theme').selectOption(theme)
    assert.deepEqual(await axeComplaints(page), [], theme)
    await shot(`panel-start-cannot-${theme}`)
  }

  await page.getByRole('searchbox', { name: 'Find a model' }).fill('supertonic')
  await page
    .getByRole('region', { name: 'All models' })
    .getByRole('button', { name: /^Install .*: Supertonic 3/ })
    .click()
  await page.getByRole('dialog', { name: 'A licence with conditions' }).getByText('OpenRAIL-M').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('panel-start-licence')
  await page.getByRole('button', { name: 'Do not install it' }).click()
  assert.deepEqual(complaints, [])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
