// The Setup page in a real browser: what works now, and a model download from a real server with its progress.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNetwork } from '../support/chaos/cut.ts'
import { OTHER_CARDED, open, REPO, server } from '../support/models/model-studio.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage, withoutConnection } from '../support/web/browser.ts'
import { eventually } from '../support/world/world.ts'

const KOKORO = 'onnx-community/Kokoro-82M-v1.0-ONNX'

test('a model is installed with its progress on the page, cancelled, resumed and removed', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const earlier = server.count(server.fileOf(REPO, 'model.onnx'))
  const network = await openNetwork(t, new URL(world.url).host)
  const { page, complaints, shot } = await openPage(t, `http://${network.address}/#/setup`)
  const now = page.getByRole('region', { name: 'Status' })
  await now.getByText('Embedded voice', { exact: true }).waitFor()
  await now
    .getByText('CPU only')
    .or(now.getByText('GPU', { exact: true }))
    .waitFor()
  await page.getByRole('region', { name: 'Checks' }).getByText('Free disk space').waitFor()
  await page.getByRole('region', { name: 'Recommended' }).getByText('Kokoro').first().waitFor()
  await shot('setup')
  assert.deepEqual(await axeComplaints(page), [])

  await now.getByRole('button', { name: 'Preload' }).click()
  await page.getByText('The voice is loaded').waitFor()

  const find = page.getByRole('searchbox', { name: 'Find a model' })
  const row = page.locator(`[data-model="${REPO}"]`)
  await find.fill('tone')
  await row.getByText('Not installed').waitFor()
  await row.getByText('licence Apache-2.0').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  const held = Promise.withResolvers<void>()
  server.failAlways(server.fileOf(REPO, 'voices/a.bin'), { kind: 'wait', until: held.promise })
  await row.getByRole('button', { name: /^Install/ }).click()
  await row.getByText('Downloading').waitFor()
  await row.getByText(/of 3\.0 MB, \d of 3 files/).waitFor()
  await row.locator('progress:not([value="0"])').waitFor()
  const value = await eventually(async () => {
    const now = Number(await row.getByRole('progressbar').getAttribute('value'))
    return now > 0.9 && now
  })
  assert.ok(value <= 1, `the bar is at ${value}`)
  await shot('setup-fetching')
  assert.deepEqual(await axeComplaints(page), [])

  // A machine downloads one model after the other.
  const { models } = (await world.get('/models')).json()
  const other = models.find(
    (one: Record<string, unknown>) => one['supported'] && !one['gated'] && !one['installed'] && one['repo_id'] !== REPO,
  )
  assert.equal((await world.post('/models/install', { repo_id: other.repo_id })).status, 200)
  await find.fill('')
  const next = page.getByRole('region', { name: 'All models' }).locator(`[data-model="${other.repo_id}"]`)
  await next.getByText('Queued', { exact: true }).waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('setup-queued')
  await next.getByRole('button', { name: /^Cancel/ }).click()
  await next.getByText('Not installed', { exact: true }).waitFor()
  await row.getByText('Downloading').waitFor()

  // The download goes on over a reload, a lost connection and a kill of the studio.
  await page.reload()
  await row.getByText('Downloading').waitFor()
  const shown = page.url()
  const projects = page.getByRole('heading', { name: 'Projects', level: 1 })
  await page.goto(`${new URL(shown).origin}/#/projects`)
  await projects.waitFor()
  await page.goto(shown)
  await row.getByText('Downloading').waitFor()
  const unread = page.getByText("Couldn't reach the studio")
  await withoutConnection(page, network, async () => {
    await page.evaluate("location.hash = '#/projects'")
    await unread.first().waitFor()
  })
  // What could not be read is read by itself.
  await unread.first().waitFor({ state: 'detached' })
  await page.goto(shown)
  await row.getByText('Downloading').waitFor()
  await world.restart('SIGKILL')
  await isLive(page)
  await row.getByText('Downloading').waitFor()
  complaints.splice(0) // of the time without a studio
  await row.getByRole('button', { name: /^Cancel/ }).click()
  await row.getByText('Partly downloaded').waitFor()
  const beside = await page.context().newPage()
  await beside.goto(`http://${network.address}/#/models`)
  await beside.getByRole('link', { name: /^Installed\s*0$/ }).waitFor()
  await beside.close()
  server.heal()
  held.resolve()
  await row.getByRole('button', { name: /^Resume download/ }).click()
  await row.getByText('Installed', { exact: true }).waitFor()
  await row.getByText(/on disk/).waitFor()
  assert.equal(server.count(server.fileOf(REPO, 'model.onnx')) - earlier, 1, 'complete files are not downloaded again')

  await row.getByRole('button', { name: /^Remove/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove this model?' })
  assert.deepEqual(await axeComplaints(page), [])
  await shot('setup-remove')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await row.getByText('Not installed').waitFor()

  server.failAlways(server.fileOf(REPO, 'model.onnx'), { kind: 'status', status: 403 })
  await row.getByRole('button', { name: /^Install/ }).click()
  const failed = async () => {
    await row.getByText('Download failed', { exact: true }).waitFor()
    await row.getByText(/The server refuses .*403/).waitFor()
  }
  await failed()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('setup-failed')
  // The reason is kept over a reload and over a restart of the studio, and a new attempt begins at once.
  await page.reload()
  await failed()
  assert.deepEqual(complaints, [])
  const refused = server.count(server.fileOf(REPO, 'model.onnx'))
  await row.getByRole('button', { name: /^Try again/ }).click()
  // It may fail faster than the download is shown.
  await eventually(() => server.count(server.fileOf(REPO, 'model.onnx')) > refused)
  // The page still has the reason of the first attempt. An installation that runs at the restart would go on after it.
  await eventually(async () => (await world.get('/jobs?status=active&type=model_install')).json().length === 0)
  await failed()
  await world.restart()
  await page.goto(`http://${network.address}/#/setup`)
  await failed()
  complaints.splice(0) // of the time without a studio
  server.heal()
  await row.getByRole('button', { name: /^Try again \(\d/ }).click()
  await row.getByText('Installed', { exact: true }).waitFor()
  assert.deepEqual(complaints, [])
  assert.equal((await world.delete(`/models/${encodeURIComponent(REPO)}`)).status, 200)
})

test('a model that cannot be installed says why, and its hostile name is text', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/`, { width: 380, height: 900 })
  const label = `<script>alert(1)</script>\u202eright to left ${'y'.repeat(10_000)}`
  // Answers of a machine with a nearly full disk, and of one of another platform.
  await page.route('**/models', async (route) => {
    const answer = await route.fetch()
    const list = await answer.json()
    const [first, second, third] = list.models
    const kokoro = list.models.find((one: Record<string, unknown>) => one['repo_id'] === KOKORO)
    Object.assign(first, { label, note: label, supported: true })
    Object.assign(second, { size_gb: 700, supported: true })
    Object.assign(third, { supported: false, platforms: ['darwin'] })
    const damaged = { state: 'failed', error: 'The downloaded a.bin does not match its digest.', code: 'INPUT_CORRUPT', position: null }
    Object.assign(kokoro, { supported: true, gated: false, download: damaged })
    await route.fulfill({ json: { ...list, disk_free_gb: 12 } })
  })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name: 'Setup' }).click()
  // The group of a failed download is open.
  const rows = page.getByRole('region', { name: 'All models' }).getByRole('listitem')
  await rows.nth(0).getByText('<script>alert(1)</script>').first().waitFor()
  await rows.nth(0).getByText('less than 10 GB of free disk space').waitFor()
  await rows.nth(1).getByText('It needs 700.0 GB and 12.0 GB are free.').waitFor()
  await rows.nth(1).getByRole('link', { name: 'Manage storage' }).waitFor()
  const damaged = page.getByRole('region', { name: 'All models' }).locator(`[data-model="${KOKORO}"]`)
  await damaged.getByText('Checksum mismatch').waitFor()
  await damaged.getByRole('button', { name: /^Download again/ }).waitFor()
  await page.getByRole('button', { name: /^Show \d+ that don't run here/ }).click()
  await rows.nth(2).getByText('It runs on darwin only.').waitFor()
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
    await chooseTheme(page, theme)
    assert.deepEqual(await axeComplaints(page), [], theme)
    await shot(`setup-cannot-${theme}`)
  }

  await page.getByRole('searchbox', { name: 'Find a model' }).fill('supertonic')
  await page
    .getByRole('region', { name: 'All models' })
    .getByRole('button', { name: /^Install .*: Supertonic 3/ })
    .click()
  await page.getByRole('dialog', { name: 'A licence with conditions' }).getByText('OpenRAIL-M').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('setup-licence')
  await page.route('**/models/install', (route) => route.fulfill({ json: { status: 'install_started', repo_id: '' } }))
  const [request] = await Promise.all([
    page.waitForRequest('**/models/install'),
    page.getByRole('button', { name: 'Accept and install' }).click(),
  ])
  assert.deepEqual(request.postDataJSON(), { repo_id: 'Supertone/supertonic-3', accept_licence: true })
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('an installation that ends before the stream of downloads opens is shown', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page } = await openPage(t, `${world.page}/#/tools`)
  await isLive(page)
  const [held, connected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  server.failAlways(server.fileOf(REPO, 'voices/a.bin'), { kind: 'wait', until: held.promise })
  t.after(() => server.heal())
  await page.route('**/setup/download-stream', async (route) => {
    await connected.promise
    await route.continue()
  })
  await page.goto(`${world.page}/#/setup`)
  const row = page.locator(`[data-model="${REPO}"]`)
  await page.getByRole('searchbox', { name: 'Find a model' }).fill('tone')
  await row.getByRole('button', { name: /^Install/ }).click()
  await row.getByText('Downloading').waitFor()
  held.resolve()
  server.heal()
  await eventually(async () => {
    const { models } = (await world.get('/models')).json()
    return models.find((one: Record<string, unknown>) => one['repo_id'] === REPO).installed
  })
  connected.resolve()
  await row.getByText('Installed', { exact: true }).waitFor()
  assert.equal((await world.delete(`/models/${encodeURIComponent(REPO)}`)).status, 200)
})

test('the licence card of a voice is shown before it is installed, also after the server could not be reached', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/models/all`)
  const card = server.fileOf('rhasspy/piper-voices', 'de/de_DE/thorsten/low/MODEL_CARD')
  const graph = server.fileOf('rhasspy/piper-voices', 'de/de_DE/thorsten/low/de_DE-thorsten-low.onnx')
  await page.getByText(/^Speech \(/).click()
  await page.getByText('Piper voices: German (10)').click()
  const row = page.locator(`[data-model="${OTHER_CARDED}"]`)
  const install = () => row.getByRole('button', { name: /^Install/ }).click()
  const dialog = page.getByRole('dialog', { name: 'The licence of this voice' })
  const accept = dialog.getByRole('button', { name: 'Accept and install' })

  server.fail(card, { kind: 'status', status: 503 })
  await install()
  await dialog
    .getByRole('alert')
    .getByText(/The licence card of Piper: German .* cannot be read \(the server answered with status 503\)/)
    .waitFor()
  assert.ok(await accept.isDisabled())
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByText('License: CC0').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('licence-card')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(server.count(graph), 0)
  assert.equal((await world.post('/models/install', { repo_id: OTHER_CARDED })).status, 409)

  await install()
  await dialog.getByText('License: CC0').waitFor()
  await accept.click()
  // The server of this test has the card alone.
  await row
    .getByRole('alert')
    .getByText(/The server has no piper\/de_DE-thorsten-low \(status 404\)/)
    .waitFor()
  assert.ok(server.count(graph) > 0)
  // The browser reports the answer of the first attempt.
  assert.deepEqual(
    complaints.filter((one) => !one.includes('502')),
    [],
  )
})
