// The web pages in a real browser: they load completely under their policy, in both themes and on a narrow screen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenWav } from '../support/audio/spoken.ts'
import { isLongRun } from '../support/long-run.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '../support/web/browser.ts'
import { button, dialog } from '../support/web/machines-page.ts'
import { shortDub } from '../support/web/short-dub.ts'
import { internalWords, unreachable } from '../support/web/walk.ts'
import { form } from '../support/world/http.ts'
import { sharedWorld, type World } from '../support/world/world.ts'

const open = sharedWorld({ remote: true, fixedPort: true, env: { STUDIO_BASE_PATH: '/voice' } })
const CREATE = ['Home', 'Speak', 'Dub', 'Audiobook', 'Transcribe', 'Tools']
const PAGES = [...CREATE, 'Projects', 'Voices', 'Files', 'Jobs', 'Machines', 'Models', 'Settings', 'Setup']

/** One of each thing that the pages list. */
async function fill(world: World): Promise<void> {
  await world.post('/generate', form({ text: 'The harbour was quiet at five.' }))
  await world.post('/projects', { name: 'Harbour interview', duration: 75, state: { lines: 3 } })
  await world.post('/profiles', form({ name: 'Mara', kind: 'clone', ref_audio: spokenWav(), ref_text: 'Hello.', language: 'English' }))
}

// Other tests check a state of their page once: the tokens have their contrast in both themes, and each page is checked here in both, and narrow.
test('every page loads under its policy, is accessible in both themes and at 380 pixels, by keyboard, and has plain words', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  await fill(world)
  for (const width of [1280, 380]) {
    // A narrow page has the colours of the wide one.
    const themes = width === 1280 || isLongRun ? ['light', 'dark'] : ['dark']
    const { page, complaints, shot } = await openPage(t, `${world.page}/`, { width, height: 900 })
    await isLive(page)
    for (const name of PAGES) {
      const link = page.getByRole('link', { name, exact: true })
      // A phone shows the first places.
      if (!(await link.isVisible())) await page.getByRole('button', { name: 'More', exact: true }).click()
      await link.click()
      await page.getByRole('heading', { level: 1, name: name === 'Home' ? /^Good / : name }).waitFor()
      await page.getByText('Loading…', { exact: true }).first().waitFor({ state: 'detached' })
      for (const theme of themes) {
        await chooseTheme(page, theme)
        await shot(`web-${name.toLowerCase()}-${theme}-${width}`)
        assert.deepEqual(await axeComplaints(page), [], `${name}, ${theme}, ${width}`)
        const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        assert.ok(Number(beyond) <= 0, `${name} is wider than a screen of ${width}`)
      }
      if (width !== 1280) continue
      assert.deepEqual(internalWords(await page.locator('main').innerText()), [], name)
      assert.deepEqual(await unreachable(page), [], name)
    }
    for (const [old, name] of [
      ['workers', 'Machines'],
      ['start', 'Setup'],
      ['tasks', 'Jobs'],
    ]) {
      await page.goto(`${world.page}/#/${old}`)
      await page.getByRole('heading', { level: 1, name: name! }).waitFor()
    }
    assert.deepEqual(complaints, [])
  }
})

test('the page of each object is accessible, complete by keyboard, and has plain words', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  await fill(world)
  await world.post('/audiobook', { text: '# One\n\nThe lamp was lit at five.' })
  const [job] = (await world.get('/jobs')).json()
  const [voice] = (await world.get('/profiles')).json()
  const [take] = (await world.get('/history')).json()
  const { page, complaints, shot } = await openPage(t, `${world.page}/`, { width: 1440, height: 900 })
  await page.route('**/dub/history/short', (route) => route.fulfill({ json: shortDub() }))
  const book = JSON.stringify({ text: '# One\n\nThe lamp was lit.\n\n# Two\n\nThe radio spoke.', title: 'Two chapters', at: Date.now() })
  await page.evaluate(`localStorage.setItem('voice-studio-book', ${JSON.stringify(book)})`)
  const objects = {
    take: [`speak?take=${take.id}`, '.transport[data-ready="true"]'],
    voice: [`voices/${voice.id}`, 'aside.details h2'],
    job: [`jobs/${job.id}`, 'aside.details h2'],
    machine: ['machines/local', 'aside.details h2'],
    book: ['audiobook/draft', '.outline li + li'],
    dub: ['dub/short?lang=fr', '.dub-rows textarea'],
  } as const
  for (const [width, theme] of [
    [1440, 'light'],
    [380, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    for (const [name, [address, shows]] of Object.entries(objects)) {
      await page.goto(`${world.page}/#/${address}`)
      await page.locator(shows).first().waitFor()
      await shot(`web-one-${name}-${theme}`)
      assert.deepEqual(await axeComplaints(page), [], `${name}, ${theme}`)
      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${name} is wider than ${width}`)
      if (width !== 1440) continue
      assert.deepEqual(internalWords(await page.locator('main').innerText()), [], name)
      assert.deepEqual(await unreachable(page), [], name)
    }
  }
  // The film of the dub does not exist.
  assert.deepEqual(
    complaints.filter((one) => !/status of 404/.test(one)),
    [],
  )
})

test('the page for developers shows the components, accessible in both themes', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/design`)
  await page.getByRole('region', { name: 'Buttons' }).waitFor()
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    await shot(`web-design-${theme}`)
    assert.deepEqual(await axeComplaints(page), [], theme)
  }
  await button(page, 'Open a popover').click()
  await button(page, 'Automatic (fastest)').click()
  assert.equal(await button(page, 'Automatic (fastest)').count(), 0, 'a choice closes it')
  assert.deepEqual(complaints, [])
})

test('a failure in a dialog is shown above it, and the focus returns when it closes', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, shot } = await openPage(t, `${world.page}/#/machines`)
  await page.route('**/workers/enabled', (route) => route.fulfill({ status: 409, json: { detail: 'not just now' } }))
  await button(page, 'Turn off…').click()
  const asking = dialog(page, 'Turn off remote machines?')
  await button(asking, 'Turn off').click()
  const notice = page.locator('.notices').getByText('not just now')
  await notice.waitFor()
  // No script can tell which of two elements of the top layer is above the other, as a modal dialog takes every click: see the screenshot.
  await page.locator('.notices:popover-open').waitFor()
  assert.deepEqual(await axeComplaints(page), [])
  await shot('web-notice')
  await page.keyboard.press('Escape')
  await asking.waitFor({ state: 'detached' })
  assert.match(String(await page.evaluate('document.activeElement.textContent')), /^Turn off/)
})

test('a page that fails while it is drawn says so, and the frame goes on', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/`)
  await page.route('**/pages/files/page.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `export const Files = () => { throw new Error('<b>drawn</b> wrong') }` }),
  )
  const places = page.getByRole('navigation', { name: 'Pages' })
  await places.getByRole('link', { name: 'Files' }).click()
  await page.getByRole('alert').getByText("This page can't be shown.").waitFor()
  await page.getByText('Error: <b>drawn</b> wrong').waitFor()
  await shot('page-failed')
  assert.deepEqual(await axeComplaints(page), [])
  await places.getByRole('link', { name: 'Voices' }).click()
  await page.getByRole('heading', { level: 1, name: 'Voices' }).waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('link', { name: 'Go to Home' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.goBack()
  await page.unroute('**/pages/files/page.js')
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
  assert.ok(complaints.length > 0 && complaints.every((line) => line.includes('drawn')), complaints.join())
})

test('a page whose modules do not arrive says so, and comes with the next try', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, shot } = await openPage(t, `${world.page}/#/tools`)
  await page.route('**/pages/files/page.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await shot('web-not-loaded')
  assert.deepEqual(await axeComplaints(page), [])
  await page.unroute('**/pages/files/page.js')
  await button(page, 'Try again').click()
  await page.getByText('The harbour was quiet at five.').first().waitFor()
})

test('a page whose texts were lost before it was opened comes without a press', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page } = await openPage(t, `${world.page}/#/tools`)
  const link = page.getByRole('link', { name: 'Models', exact: true })
  const isLost = (url: URL) => url.pathname.endsWith('/system-models.js')
  await page.route(isLost, (route) => route.abort())
  const lost = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/system-models.js'))
  await link.hover()
  await lost
  await page.unroute(isLost)
  await link.click()
  await page.getByRole('heading', { level: 2, name: 'All models' }).waitFor()
})
