// Own files on the Models page in a real browser: a voice is chosen, recognised, checked, listed as one's own and removed; what other programs left is
// copied; what is no model says so.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { graphOf, PIPER_FILES } from '#test/support/models/own/own-files.ts'
import { piperConfig, piperGraph } from '#test/support/models/piper-model.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const chosen = (name: string, content: Uint8Array | string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(content),
})

test('own files become a model on the page', { skip: NO_BROWSER, timeout: 300_000 }, async (t) => {
  const cache = temporaryFolder({ after })
  const snapshot = join(cache, 'models--rhasspy--piper-voices', 'snapshots', 'c'.repeat(40))
  mkdirSync(snapshot, { recursive: true })
  for (const [name, bytes] of Object.entries(PIPER_FILES)) writeFileSync(join(snapshot, name), bytes)
  const world = await openWorld(t, { env: { STUDIO_MODELS_CACHE: cache } })
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/models/installed`)
  const own = page.getByRole('region', { name: 'Your own files' })
  const installed = page.getByRole('region', { name: 'All models' })
  const files = own.getByLabel('Files of a model')
  await own.getByText('Found on this machine').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('models-own')

  await files.setInputFiles([chosen('cat.onnx', graphOf(['pixels'], ['label']))])
  await own
    .getByRole('alert')
    .getByText(/No engine takes the inputs of these graphs\. Found: cat\.onnx/)
    .waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await files.setInputFiles(Array.from({ length: 9 }, (_, at) => chosen(`${at}.json`, '{}')))
  await own.getByText(/Choose 1 to 8 files/).waitFor()
  complaints.splice(0) // of the refused request

  await files.setInputFiles([chosen('mara.onnx', piperGraph()), chosen('mara.onnx.json', piperConfig())])
  await page.getByText('is added and works').waitFor()
  const row = installed.locator('[data-model="own/mara"]')
  await row.getByText('added from files, not verified against a publisher').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await row.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('dialog', { name: 'Remove this model?' }).getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })

  await own.getByRole('button', { name: /^Copy: .*en_US-someone-medium/ }).click()
  await installed.locator('[data-model="own/en_US-someone-medium"]').getByText('Installed', { exact: true }).waitFor()
  assert.deepEqual(complaints, [])
})
