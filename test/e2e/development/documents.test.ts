// The site of documents in a real browser: from a folder and below a path of a server, with its search, in both themes and on a narrow screen.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { axeComplaints } from '#test/support/web/axe.ts'
import { NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { buildSite } from '#tools/docs/site/build.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}
const BASE = '/some/where'

test('the documents are read and searched from a folder and from a server', { skip: NO_BROWSER }, async (t) => {
  const out = join(temporaryFolder(t), 'site')
  buildSite(REPOSITORY, out)
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname
    try {
      if (!path.startsWith(`${BASE}/`)) throw new Error(path)
      const body = readFileSync(join(out, path.slice(BASE.length)))
      const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'"
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain', 'content-security-policy': policy }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())

  const { port } = server.address() as AddressInfo
  for (const root of [pathToFileURL(out).href, `http://127.0.0.1:${port}${BASE}`]) {
    const { page, complaints } = await openPage(t, `${root}/index.html`)
    await page.getByRole('navigation', { name: 'Documents' }).getByRole('link', { name: 'Failure codes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Failure codes' }).waitFor()
    assert.equal(page.url(), `${root}/docs/errors.html`)
    await page.keyboard.press('/')
    await page.keyboard.type('grace period')
    const found = page.getByRole('link', { name: /^Glossary: Assignment/ })
    await found.waitFor()
    assert.deepEqual(await axeComplaints(page), [])
    await page.keyboard.press('ArrowDown')
    assert.ok(await page.evaluate(`document.activeElement.matches('#results a')`))
    await found.click()
    await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor()
    assert.equal(page.url(), `${root}/docs/glossary.html#assignment`)
    await page.getByRole('searchbox').fill('no such words anywhere')
    await page.getByText('Nothing was found.').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto(`${root}/docs/first-lender.html`)
    assert.deepEqual(await axeComplaints(page), [])
    assert.equal(await page.evaluate('document.querySelector("main img").naturalWidth'), 1440)
    await page.setViewportSize({ width: 320, height: 700 })
    await page.reload()
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0)
    await page.locator('summary').getByText('Documents', { exact: true }).click()
    await page.getByRole('link', { name: 'Your first book' }).first().waitFor()
    // The base of the complaints is the folder of the first page.
    assert.deepEqual(complaints, [])
  }
})
