// From the first start to a voice in three presses, and the Models page, in a real browser: a model is found, installed from a real server
// beside another that waits, preloaded, made the default, unloaded and removed. The first file of its group, because it begins with a new studio.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, REPO, server } from '#test/support/models/model-studio.ts'
import { chooseTheme, isLive, type Look, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, isNarrow } from '#test/support/web/machines-page.ts'
import { eventually, type World } from '#test/support/world/world.ts'

/** From an empty folder to a take of an installed voice in three presses. The model that is recommended here is one that this server has. */
async function firstStart(world: World, { page, complaints, shot }: Look, release: () => void): Promise<void> {
  await page.route('**/setup/recommendations', async (route) => {
    const answer = await route.fetch()
    const advice = await answer.json()
    await route.fulfill({ json: { ...advice, models: [{ ...advice.models[0], repo_id: REPO, role: 'TTS' }, ...advice.models] } })
  })
  await button(page, 'Good evening. Here are the headlines at nine.').click()
  await page.locator('.making[data-phase="done"]').waitFor()
  assert.equal(await page.getByText('Using the voice Heart').count(), 1, 'said once')
  await clean(page, 'the embedded voice')
  await shot('first-start')
  await button(page, /^Install Test tone \(/).click()
  await page.getByText(/^Downloading Test tone, \d+ %\.$/).waitFor()
  await clean(page, 'a voice on its way')
  release()
  await page.getByText('Test tone speaks from now on.').waitFor()
  // The voice of this test says of itself what it is.
  await page.locator('[data-substitute]').getByText('A test tone, not speech.').waitFor()
  await page.getByText('Using the voice Heart').waitFor({ state: 'detached' })
  // Neither a reload nor a killed studio between the download and the first sentence loses the voice or the text.
  await page.reload()
  await page.locator('[data-substitute]').getByText('A test tone, not speech.').waitFor()
  // A reply that is being changed is completed first.
  await page.unrouteAll({ behavior: 'wait' })
  await world.restart('SIGKILL')
  await isLive(page)
  complaints.splice(0) // of the time without a studio
  await page.locator('[data-substitute]').getByText('A test tone, not speech.').waitFor()
  assert.match(await page.locator('form.speak textarea').inputValue(), /^Good evening\. Here are the headlines/)
  await button(page, /^Speak/).click()
  const engines = async () => (await world.get('/history')).json().map(({ engine }: { engine: string }) => engine)
  await eventually(async () => (await engines()).length === 2)
  assert.equal((await engines())[0], 'tone')
  await world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' })
  assert.equal((await world.send('DELETE', `/models/${encodeURIComponent(REPO)}`)).status, 200)
}

test('a model is found, installed, loaded, made the default and removed, in both themes and on a phone', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const look = await openPage(t, `${world.page}/`, { width: 1440, height: 900 })
  const { page, complaints, shot } = look
  const held = Promise.withResolvers<void>()
  server.failAlways(server.fileOf(REPO, 'voices/a.bin'), { kind: 'wait', until: held.promise })
  await firstStart(world, look, held.resolve)
  server.heal()
  await page.goto(`${world.page}/#/models/installed`)
  await page.getByText('No models are installed.').waitFor()
  await clean(page, 'no models')
  await button(page, /^All\s*\d/).click()
  await page.getByRole('searchbox', { name: 'Find a model' }).fill('tone')
  const row = page.locator(`[data-model="${REPO}"]`)
  const later = Promise.withResolvers<void>()
  server.failAlways(server.fileOf(REPO, 'voices/a.bin'), { kind: 'wait', until: later.promise })
  await button(row, /^Install/).click()
  await row.getByText('Downloading').waitFor()
  const { models } = (await world.get('/models')).json()
  const [other, third] = models.filter(
    (one: Record<string, unknown>) => one['supported'] && !one['gated'] && !one['installed'] && one['repo_id'] !== REPO,
  )
  for (const { repo_id } of [other, third]) assert.equal((await world.post('/models/install', { repo_id })).status, 200)
  const queue = page.getByRole('region', { name: 'Downloads' })
  const entries = queue.getByRole('listitem')
  await queue.locator(`li:nth-child(1)[data-download="${REPO}"]`).waitFor()
  await entries.nth(1).getByText('Waiting, next').waitFor()
  await entries
    .nth(0)
    .getByText(/^[\d.]+ [KM]B of 3\.0 MB$/)
    .waitFor()
  await entries.nth(2).getByText('Waiting, 2 before it').waitFor()
  await shot('models-queue')
  await clean(page, 'a queue')
  // The last one is downloaded before the other.
  assert.equal(await queue.getByRole('button', { name: /^Download next/ }).count(), 1, 'neither the running one nor the next')
  const refusal = {
    detail: 'The agent of this machine is too old to change the order of its downloads.',
    hint: 'Update Voice Studio on that machine. Its downloads keep their order.',
  }
  await page.route('**/models/install/next', (route) => route.fulfill({ status: 400, json: refusal }), { times: 1 })
  await button(entries.nth(2), `Download next: ${third.label}`).click()
  await page.getByText(`${refusal.detail} ${refusal.hint}`).waitFor()
  await entries.nth(2).getByText('Waiting, 2 before it').waitFor()
  await button(entries.nth(2), `Download next: ${third.label}`).click()
  await queue.locator(`li:nth-child(2)[data-download="${third.repo_id}"]`).waitFor()
  // The queue is read again with the page.
  await page.goto(`${world.page}/#/models`)
  await page.reload()
  await queue.locator(`li:nth-child(2)[data-download="${third.repo_id}"]`).waitFor()
  for (const left of [2, 1]) {
    await button(entries.nth(left), /^Cancel/).click()
    await entries.nth(left).waitFor({ state: 'detached' })
  }
  later.resolve()
  await queue.waitFor({ state: 'detached' })
  await row.getByText('Installed', { exact: true }).waitFor()
  await button(row, /^Preload/).click()
  await row.getByText('In memory', { exact: true }).waitFor()
  await button(row, /^Make default/).click()
  await row.getByText('Default for speech', { exact: true }).waitFor()
  assert.equal((await world.get('/engines/tts')).json().active, 'tone')
  await page.reload()
  await button(page, /^Installed\s*1$/).click()
  await row.waitFor()
  for (const [width, theme] of [
    [1440, 'light'],
    [380, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    await shot(`models-${theme}-${width}`)
    await clean(page, `${theme}, ${width}`)
    await isNarrow(page, String(width))
  }
  await page.locator('[data-job="speech"]').getByText('It works on this machine.').waitFor()
  await button(row, /^Unload/).click()
  await button(row, /^Preload/).waitFor()
  await button(row, /^Remove/).click()
  await button(page.getByRole('dialog'), 'Remove').click()
  await page.getByText('No models are installed.').waitFor()
  assert.deepEqual(
    complaints.filter((one) => !/status of 400/.test(one)),
    [],
    'nothing but the order that was refused',
  )
  await world.post('/engines/select', { family: 'tts', backend_id: 'svc-engine' })
  server.heal()
})
