// Models in a real browser: a download from a real server with its progress, and what cannot be installed; and Setup: a sentence that is really spoken,
// a bundle with one press.
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
  const { page, complaints, shot } = await openPage(t, `http://${network.address}/#/models`)
  const find = page.getByRole('searchbox', { name: 'Find a model' })
  const row = page.locator(`[data-model="${REPO}"]`)
  await find.fill('tone')
  await row.getByText('Not installed').waitFor()
  await row.getByRole('button', { name: 'Apache-2.0: licence of Test tone' }).click()
  await page.getByRole('dialog', { name: 'Licence and version' }).getByText('For tests of the installation itself.').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await page.keyboard.press('Escape')
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
  await beside
    .getByRole('button', { name: /^Installed\s*0$/ })
    .or(beside.getByRole('button', { name: /^Installed\s*1$/ }))
    .waitFor()
  await beside.close()
  server.heal()
  held.resolve()
  await row.getByRole('button', { name: /^Resume download/ }).click()
  await row.getByText('Installed', { exact: true }).waitFor()
  await row.locator('[title$=" on disk"]').waitFor()
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
  await page.goto(`http://${network.address}/#/models`)
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
  await page.route(/\/models\?target=local$/, async (route) => {
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
  await page.getByRole('link', { name: 'Models' }).click()
  // The failed download comes first.
  const rows = page.getByRole('region', { name: 'All models' }).getByRole('listitem')
  await rows.nth(1).getByText('<script>alert(1)</script>').first().waitFor()
  await rows.nth(1).getByText('less than 10 GB of free disk space').waitFor()
  await rows.nth(2).getByText('It needs 700.0 GB and 12.0 GB are free.').waitFor()
  await rows.nth(2).getByRole('link', { name: 'Manage storage' }).waitFor()
  const damaged = page.getByRole('region', { name: 'All models' }).locator(`[data-model="${KOKORO}"]`)
  await damaged.getByText('Checksum mismatch').waitFor()
  await damaged.getByRole('button', { name: /^Download again/ }).waitFor()
  await page.getByRole('button', { name: /^Show \d+ that don't run here/ }).click()
  await rows.nth(3).getByText('It runs on darwin only.').waitFor()
  for (const at of [2, 3])
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
  assert.deepEqual(request.postDataJSON(), { repo_id: 'Supertone/supertonic-3', accept_licence: true, target: 'local' })
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
  await page.route('**/setup/download-stream?*', async (route) => {
    await connected.promise
    await route.continue()
  })
  await page.goto(`${world.page}/#/models`)
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
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/models`)
  const card = server.fileOf('rhasspy/piper-voices', 'de/de_DE/thorsten/low/MODEL_CARD')
  const graph = server.fileOf('rhasspy/piper-voices', 'de/de_DE/thorsten/low/de_DE-thorsten-low.onnx')
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

test('setup speaks a sentence by itself, installs a bundle with one press, and is no gate', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/`, { width: 1440, height: 900 })
  // The bundle of this test is the model that its server has.
  await page.route(/\/models\?target=local$/, async (route) => {
    const answer = await route.fetch()
    const list = await answer.json()
    for (const one of list.models) one.curated_on = one.repo_id === REPO ? ['cpu', 'gpu'] : []
    await route.fulfill({ json: list })
  })
  let spoken = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/selftest')) spoken++
  })
  // While speech is made on another machine, nothing is sent there by itself, and nothing is said of this one.
  const target = /\/workers\/target\?op=tts&limit=0$/
  await page.route(target, async (route) => {
    const view = await (await route.fetch()).json()
    const active = { remote: true, worker_id: 'box', label: '<b>Attic</b>', reason: 'chosen' }
    await route.fulfill({ json: { ...view, target: 'box', active } })
  })
  await page.goto('about:blank')
  await page.goto(`${world.page}/#/setup`)
  await page.locator('[data-spoken="untested"]').getByText('Running on \u2068<b>Attic</b>\u2069').waitFor()
  assert.equal(await page.getByText(/^(Processor|Graphics card) works$/).count(), 0)
  assert.equal(spoken, 0)
  await page.unroute(target)
  await page.goto('about:blank')
  await page.goto(`${world.page}/#/setup`, { waitUntil: 'commit' })
  await page.evaluate(`window.shift = 0
    new PerformanceObserver((list) => list.getEntries().forEach((one) => (window.shift += one.value))).observe({ type: 'layout-shift', buffered: true })`)
  const step = (name: RegExp) => page.getByRole('region', { name })
  // Before anything is installed or tested, a sentence can be heard.
  await step(/^Hear it$/)
    .getByRole('button', { name: 'Speak' })
    .waitFor()
  await page.locator('[data-spoken="spoken"]').waitFor()
  await step(/^This machine$/)
    .getByText(/^(Processor|Graphics card) works$/)
    .waitFor()
  await step(/^This machine$/)
    .getByText(/\d× as fast as speech/)
    .waitFor()
  const bundle = step(/ bundle$/)
  await bundle.getByText('Test tone').waitFor()
  assert.equal(spoken, 1)
  assert.ok((await page.evaluate<number>('window.shift')) <= 0.01)
  assert.equal(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Setup' }).count(), 0)
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`setup-${theme}`)
    assert.deepEqual(await axeComplaints(page), [], theme)
  }
  const held = Promise.withResolvers<void>()
  server.failAlways(server.fileOf(REPO, 'voices/a.bin'), { kind: 'wait', until: held.promise })
  await bundle.getByRole('button', { name: 'Install 1.0 MB' }).click()
  await bundle.getByText(/^[\d.]+ [KM]B of 3\.0 MB/).waitFor()
  await bundle.getByRole('progressbar').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  held.resolve()
  server.heal()
  await bundle.getByText('All of it is installed.').waitFor()
  await page.getByText('Test tone speaks from now on.').waitFor()
  await page.setViewportSize({ width: 320, height: 800 })
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
  await step(/^Hear it$/)
    .getByRole('button', { name: 'Speak' })
    .click()
  await eventually(async () =>
    (await world.get('/history')).json().some(({ text }: { text: string }) => text === 'The harbour was quiet at five.'),
  )
  assert.deepEqual(complaints, [])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' })
  assert.equal((await world.delete(`/models/${encodeURIComponent(REPO)}`)).status, 200)
})

test('a failed job offers the model that it lacks, and failed speech another try', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints } = await openPage(t, `${world.page}/#/jobs`, { width: 1440, height: 900 })
  const [need] = (await world.get('/models/needs')).json().needs.filter((one: { for: string }) => one.for === 'cloning')
  const text = 'The gulls woke first.'
  const failed = {
    ...{
      id: 'f1',
      type: 'generate',
      project_id: null,
      status: 'failed',
      created_at: 1,
      updated_at: 2,
      finished_at: 2,
      step: null,
      progress: null,
    },
    ...{
      error: 'Install it with ./studio models install a/b.',
      code: 'ENGINE_UNAVAILABLE',
      needs: need,
      seconds_left: null,
      set_aside: false,
    },
    meta_json: JSON.stringify({ title: text }),
  }
  await page.route(/\/jobs\/f1\/events$/, (route) => route.fulfill({ json: { job: failed, events: [] } }))
  await page.goto(`${world.page}/#/jobs/f1`)
  const details = page.getByRole('complementary', { name: text })
  await details.getByText('A model that speaks in your voices is not installed yet.').waitFor()
  await details.getByRole('button', { name: /^Install OmniVoice/ }).waitFor()
  assert.equal(await details.getByText('./studio').count(), 0)
  assert.deepEqual(await axeComplaints(page), [])
  await details.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Speak', level: 1 }).waitFor()
  await eventually(async () => (await world.get('/history')).json().some((one: { text: string }) => one.text === text))
  assert.deepEqual(complaints, [])
})
