// A real browser for tests: Debian's Chromium, driven through playwright-core, which brings none of its own.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { temporaryForSockets } from '#shared/runtime/socket-folder.ts'
import { ROOT } from '../world/process.ts'

const PROGRAMS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Screenshots for people; ignored by git. */
const OUT = join(ROOT, 'test/out')

const program = PROGRAMS.find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
})
/** Why browser tests cannot run here; false when they can. */
export const NO_BROWSER = program ? false : 'no Chromium on this machine; ./studio setup --tests installs it'

/** A test, or whoever else tells when it is over. */
export type Ending = { readonly after: (run: () => Promise<void>) => void }
export type Look = {
  readonly page: Page
  /** Everything the page complained about: failed scripts, refused by the policy, requests to elsewhere. */
  readonly complaints: string[]
  readonly shot: (name: string) => Promise<void>
}

/** Opens `url`; at the end of the test the browser is closed. */
export async function openPage(t: Ending, url: string, size = { width: 1280, height: 900 }): Promise<Look> {
  const browser: Browser = await chromium.launch({
    executablePath: program!,
    env: { ...process.env, TMPDIR: temporaryForSockets() } as Record<string, string>, // it has a socket of its own there
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required'],
  })
  t.after(() => browser.close())
  // Without transitions: a colour that is on its way is none that anybody chose.
  const context = await browser.newContext({ viewport: size, acceptDownloads: true, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(new URL(url).origin) && !/^(blob|data):/.test(to)) complaints.push(`a request to ${to}`)
  })
  await page.goto(url)
  return { page, complaints, shot: async (name) => void (await page.screenshot({ path: join(OUT, `${name}.png`), fullPage: true })) }
}
