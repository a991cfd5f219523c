// The Models page in a real browser: a model is found, installed from a real server, listed and removed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openModelServer, weights } from '#test/support/doubles/model-server.ts'
import { chooseTheme, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { button, clean, isNarrow } from '#test/support/web/machines-page.ts'
import { openWorld } from '#test/support/world/world.ts'

const REPO = 'voice-studio/tone'
const FILES = { 'config.json': Buffer.from('{"hz":440}'), 'model.onnx': weights('tone', 300_000), 'voices/a.bin': weights('a', 4_000) }

test('a model is found, installed, listed and removed, in both themes and on a phone', { skip: NO_BROWSER }, async (t) => {
  const server = await openModelServer(t, { [REPO]: FILES })
  const world = await openWorld(t, { env: { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' } })
  const { page, complaints, shot } = await openPage(t, `${world.url}/#/models`, { width: 1440, height: 900 })
  await page.getByText('No models are installed.').waitFor()
  await clean(page, 'no models')
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Find a model' }).fill('tone')
  const row = page.locator(`[data-model="${REPO}"]`)
  await button(row, /^Install/).click()
  await row.getByText('Installed', { exact: true }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: /^Installed/ }).click()
  await row.waitFor()
  for (const [width, theme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [380, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    await shot(`models-${theme}-${width}`)
    await clean(page, `${theme}, ${width}`)
    await isNarrow(page, String(width))
  }
  await page.getByRole('link', { name: 'Recommended' }).click()
  await page.getByRole('region', { name: 'Recommended' }).waitFor()
  await page.getByRole('link', { name: /^Installed/ }).click()
  await button(row, /^Remove/).click()
  await button(page.getByRole('dialog'), 'Remove').click()
  await page.getByText('No models are installed.').waitFor()
  assert.deepEqual(complaints, [])
})
