// `./studio dev` in a checkout of its own: an open page loads itself again after an edit of its source, shows why it cannot, and the studio starts
// again after an edit of its own.
import assert from 'node:assert/strict'
import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { makeSecondLanguage } from '#test/support/web/second-language.ts'
import { ROOT, startProgram } from '#test/support/world/process.ts'
import { eventually, freePort, temporaryFolder } from '#test/support/world/world.ts'

const COPIED = ['package.json', 'package-lock.json', 'control-plane', 'shared', 'agent', 'cli', 'proto', 'tools']
const NAME = 'control-plane/web/messages/en/frame.ts'

test('an open page loads itself again after an edit, and the studio starts again after an edit of its own', {
  skip: NO_BROWSER,
}, async (t) => {
  const root = temporaryFolder(t)
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const edit = (path: string, before: string, after: string) => {
    const text = readFileSync(join(root, path), 'utf8')
    assert.ok(text.includes(before), `${path} has no ${before}`)
    // At once, as editors do: a half-written file would be bundled, too.
    writeFileSync(join(root, `${path}.new`), text.replace(before, after))
    renameSync(join(root, `${path}.new`), join(root, path))
  }
  const own = { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_PORT: String(await freePort()), STUDIO_WORKER_PORT: String(await freePort()) }
  const studio = startProgram(t, ['cli/main.ts', 'dev'], own, { cwd: root })
  try {
    await studio.says(/listens on http/)
    const { page } = await openPage(t, `http://127.0.0.1:${own.STUDIO_PORT}/#/jobs`)
    await isLive(page)
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await title('Jobs')

    edit(NAME, "jobs: 'Jobs'", "jobs: 'Work'")
    await title('Work')
    assert.match(page.url(), /#\/jobs$/, 'the page stays where it was')

    edit(NAME, "jobs: 'Work'", "jobs: 'Work")
    await page.getByText('The pages cannot be shown').waitFor()
    await page.getByText('frame.ts').waitFor()
    edit(NAME, "jobs: 'Work", "jobs: 'Tasks'")
    await title('Tasks')

    edit('control-plane/web/styles/tokens.css', ':root {', ':root { --edited: yes;')
    const edited = () => page.evaluate<string>("getComputedStyle(document.documentElement).getPropertyValue('--edited')").catch(() => '')
    await eventually(async () => (await edited()) === 'yes')
    await title('Tasks')

    // A language that has texts is offered, and is kept for this browser.
    makeSecondLanguage(join(root, 'control-plane/web/messages/pl'))
    const language = page.locator('#device').getByLabel('Language')
    await language.locator('option', { hasText: 'Polski' }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'This device' }).click()
    await language.selectOption('Polski')
    await page.getByRole('heading', { level: 1, name: '[Jobs]' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.lang'), 'pl')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: '[Jobs]' }).waitFor()
    await page.goto(`http://127.0.0.1:${own.STUDIO_PORT}/#/files`)
    await page.getByRole('heading', { level: 1, name: '[Files]' }).waitFor()
    await page.getByRole('button', { name: '[This device]' }).click()
    await page.locator('#device').getByLabel('[Language]').selectOption('English')
    await page.getByRole('heading', { level: 1, name: 'Files', exact: true }).waitFor()

    await isLive(page)
    const from = studio.output().length
    edit('control-plane/main.ts', '\n', "\nprocess.stdout.write('edited\\n')\n")
    await studio.says(/edited[\s\S]*listens on http/, { from })
    await isLive(page)
  } finally {
    assert.notEqual(await studio.end(), 'SIGKILL')
  }
})
