// A real browser for tests: Debian's Chromium, without its windows where that program is installed, driven through playwright-core, which contains no browser.
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { socketParentFolder } from '#shared/runtime/socket-folder.ts'
import { type Ending, ROOT } from '../world/process.ts'

const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Screenshots for people; ignored by git. They take processor time and no test reads them, so they are made on request only. */
const OUT = join(ROOT, 'test/out')
const areShotsOn = process.env['VOICE_STUDIO_SCREENSHOTS'] !== undefined

const program = PROGRAMS.find((path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
})
/** Reason why browser tests are skipped; false when they can run. */
export const NO_BROWSER = program ? false : 'no Chromium on this machine; ./studio setup --tests installs it'

export type Look = {
  readonly page: Page
  /** Script errors, policy violations and requests to other sites, or beside the path of the page. */
  readonly complaints: string[]
  /** Takes a screenshot for people, if the environment variable VOICE_STUDIO_SCREENSHOTS is set. */
  readonly shot: (name: string) => Promise<void>
}

/** Flags of Chromium for the tests of this process. */
const more: string[] = []
/** A recording takes the place of the microphone, over and over. Called before the first page opens, in a file with a process of its own. */
export function useMicrophone(wav: string): void {
  more.push('--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', `--use-file-for-fake-audio-capture=${wav}`)
}

const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: program!,
    env: { ...process.env, TMPDIR: socketParentFolder() } as Record<string, string>, // it has a socket of its own there
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--autoplay-policy=no-user-gesture-required', ...more],
  })

// The test files of a process share one browser; each page has a context of its own, with its own storage. Other programs have no end of tests.
const isTestFile = process.env['NODE_TEST_CONTEXT'] !== undefined || process.execArgv.includes('--test')
let shared: Promise<Browser> | undefined
if (isTestFile) after(async () => (await shared)?.close())

/** Opens `url`; at the end of the test the page is closed with everything that it stored. */
export async function openPage(t: Ending, url: string, size = { width: 1280, height: 900 }): Promise<Look> {
  if (isTestFile) shared ??= launch()
  const browser = await (shared ?? launch())
  // Without transitions: axe would measure a colour in the middle of one.
  const context = await browser.newContext({ viewport: size, acceptDownloads: true, reducedMotion: 'reduce' })
  t.after(() => (isTestFile ? context : browser).close())
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const complaints: string[] = []
  // A page that is still empty may go anywhere.
  const base = URL.canParse('.', url) ? new URL('.', url).href : ''
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (request) => {
    const to = request.url()
    if (!to.startsWith(base) && !/^(blob|data):/.test(to)) complaints.push(`a request to ${to}`)
  })
  await page.goto(url)
  const shot = async (name: string) => {
    if (areShotsOn) await page.screenshot({ path: join(OUT, `${name}.png`), fullPage: true })
  }
  return { page, complaints, shot }
}

/** Waits until the page follows the events of the studio. */
export const isLive = (page: Page): Promise<void> => page.locator('[data-live="true"]').waitFor()

/**
 * The browser loses its connection and says so; it has one again after `meanwhile`. `network`: between them, because a browser that is offline
 * keeps the connections that it has.
 */
export async function withoutConnection(
  page: Page,
  network: { readonly cut: () => unknown },
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<void> {
  const lost = page.getByText('Reconnecting… What you see may be out of date.')
  await isLive(page) // a stream that begins now could come after the cut
  await page.context().setOffline(true)
  network.cut()
  await lost.waitFor()
  await meanwhile()
  await page.context().setOffline(false)
  await isLive(page)
  await lost.waitFor({ state: 'detached' })
}

/** Chooses a theme in the device menu, without opening it: a dialog may be open. */
export async function chooseTheme(page: Page, theme: string): Promise<void> {
  await page.locator('#device select').first().waitFor({ state: 'attached' })
  await page.evaluate(`{
    const select = document.querySelector('#device select')
    select.value = '${theme}'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }`)
}
