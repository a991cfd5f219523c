// The pages in each of their languages, in a browser that prefers it: every page fits and is drawn in fonts with its letters, and failures are
// explained in the language, with what the studio wrote as details.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { ServerTexts } from '#control-plane/web/messages/server.ts'
import { axeComplaints } from '#test/support/web/axe.ts'
import { isLive, NO_BROWSER, openPage } from '#test/support/web/browser.ts'
import { shortDub } from '#test/support/web/short-dub.ts'
import { followAnswers } from '#test/support/web/untranslated.ts'
import { ROOT } from '#test/support/world/process.ts'
import { slowly, startOn, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { misfits } from './fits.ts'

const open = sharedWorld({ withoutAgent: true })
/** Facts about hardware, a sentence of the test voice, and a word that is German, too. */
const ENGLISH = [/processors?, /, /: A test tone, not speech\.$/, /: offline$/]
const LONG = 'The long evening in the harbour before the last ferry left for the islands agai'
const openStudio = sharedWorld({ remote: true, fixedPort: true })
const CATALOGUES = join(ROOT, 'control-plane/web/messages')
const TAGS = readdirSync(CATALOGUES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const PAGES = [
  'home',
  'speak',
  'audiobook',
  'dub',
  'transcribe',
  'tools',
  'projects',
  'voices',
  'files',
  'jobs',
  'machines',
  'models',
  'settings',
  'setup',
  'health',
]
const textsOf = async (tag: string, file: string) => await import(join(CATALOGUES, tag, file))
const overflow = async (page: Page) => Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))

/** Every page in the longest language, from right to left, and in the scripts of the widest letters; a fifth of the pages in each other one. */
const pagesOf = (tag: string) =>
  ['ar', 'de', 'hi', 'ja'].includes(tag) ? PAGES : PAGES.filter((_, at) => at % 5 === TAGS.indexOf(tag) % 5)

/** Texts that do not fit at these widths, one after the other. */
async function misfitsAt(page: Page, widths: readonly number[]): Promise<string[]> {
  const found: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    for (const one of await misfits(page)) found.push(`${width}: ${one}`)
  }
  return found
}

/** Families of the fonts in which the text of an element is drawn. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  const client = await page.context().newCDPSession(page)
  await client.send('DOM.enable')
  await client.send('CSS.enable')
  const { root } = await client.send('DOM.getDocument')
  const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId })
  await client.detach()
  return fonts.map(({ familyName }) => familyName)
}

test('every page is shown in every language, fits a phone, and explains failures in it', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints } = await openPage(t, `${world.page}/#/home`, { width: 390, height: 844 })
  const cut: string[] = []
  for (const tag of TAGS) {
    const [{ strings: frame }, { server }, { direction }] = await Promise.all(
      ['frame.ts', 'server.ts', 'language.ts'].map((file) => textsOf(tag, file)),
    )
    // A page of a studio for development loads itself again when the language changes.
    await page.goto('about:blank')
    await page.context().addCookies([{ name: 'studio-language', value: tag, url: world.page }])
    for (const name of pagesOf(tag)) {
      await page.goto(`${world.page}/?${tag}#/${name}`)
      await page
        .locator('h1')
        .filter({ hasText: name === 'home' ? /./ : frame.titles[name] })
        .waitFor()
      assert.ok((await overflow(page)) <= 0, `${tag} ${name} is wider than a phone`)
      for (const one of await misfitsAt(page, [1280, 1440])) cut.push(`${tag} ${name} ${one}`)
      await page.setViewportSize({ width: 390, height: 844 })
    }
    assert.deepEqual(await page.evaluate('[document.documentElement.lang, document.documentElement.dir]'), [tag, direction])
    const fonts = await fontsOf(page, 'h1')
    assert.ok(fonts.length > 0 && !fonts.some((font) => /last ?resort|unifont/i.test(font)), `${tag}: ${fonts}`)
    if (['ja', 'zh-Hans'].includes(tag)) assert.match(fonts.join(), /CJK|Gothic|Hei|Song/i, tag)

    // A studio that refuses: the sentence of the code, and the English one as details.
    const code = 'STORAGE_FULL'
    const [sentence] = (server as ServerTexts).failures[code] ?? ['']
    await page.route('**/projects', (route) => route.fulfill({ status: 507, json: { detail: 'The disk is full.', code } }))
    await page.goto(`${world.page}/?${tag}2#/projects`)
    const alert = page.getByRole('alert').first()
    await alert.getByText(/The disk is full\./).waitFor()
    if (tag !== 'en') assert.ok((await alert.textContent())!.includes(String(sentence)), tag)
    await page.unroute('**/projects')
  }
  assert.deepEqual(cut, [], 'words of the page are cut off')
  assert.deepEqual(
    // Without an agent some reads are refused.
    complaints.filter((text) => !/^Failed to load resource/.test(text)),
    [],
  )
})

test('a long title ends with an ellipsis and shows its end in a tooltip; what is beside it keeps one line', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const { page } = await openPage(t, `${world.page}/#/home`, { width: 1280, height: 900 })
  const words = [[0, 1, 'Hello.']]
  for (const title of [LONG.padEnd(80, '.'), LONG.replaceAll(' ', '').padEnd(80, 'x')]) {
    const project = async (kind: string, state: object) => (await world.post('/projects', { name: title, kind, state })).json().id as string
    await page.unroute('**/dub/history/short')
    await page.route('**/dub/history/short', (route) => route.fulfill({ json: { ...shortDub(), filename: title } }))
    const objects = [
      `speak?draft=${await project('speech', { text: title })}`,
      `audiobook/${await project('book', { title, text: '# One\n\nThe harbour was quiet.' })}`,
      `transcribe/${await project('transcript', { file: title, duration: 4, segments: [{ speaker: '', words }] })}`,
      'dub/short',
    ]
    for (const object of objects) {
      await page.goto(`${world.page}/?${title.length}#/home`)
      await page.goto(`${world.page}/#/${object}`)
      const crumbs = page.locator('.crumbs')
      await crumbs.getByText(title.slice(0, 30)).waitFor()
      assert.deepEqual(await misfitsAt(page, [1440, 1280, 1024]), [], object)

      if (object.startsWith('dub')) {
        await page.locator('.dub-rows .speaker').first().waitFor()
        const cut = '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".dub-rows .speaker"))'
        assert.equal(await page.evaluate(cut), 0, 'the name of a speaker')
      }
      await crumbs.hover()
      const isCut = await page.evaluate<boolean>(
        '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector(".crumbs"))',
      )
      assert.equal((await crumbs.getAttribute('title'))?.includes(title.slice(0, 40)) ?? false, isCut, object)
      await page.setViewportSize({ width: 390, height: 844 })
      assert.ok((await overflow(page)) <= 0, `${object} is wider than a phone`)
      await page.setViewportSize({ width: 1280, height: 900 })
    }
  }
})

test('Arabic is mirrored, and clean for screen readers', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, shot } = await openPage(t, `${world.page}/#/settings`, { width: 1280, height: 900 })
  await page.locator('main').getByRole('combobox', { name: 'Language' }).selectOption('ar')
  await page.locator('html[dir="rtl"] h1').waitFor()
  const rail = (await page.locator('.rail').boundingBox())!
  assert.ok(rail.x > 600, 'the rail is at the right')
  assert.deepEqual(await axeComplaints(page), [])
  await shot('settings-arabic')
})

test('what the studio writes about work that runs, waits and fails is shown in the language of the page', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await openStudio()
  const attic = await world.machine('attic')
  await world.approve(attic)
  await world.task({ engine: 'no-such-engine', params: { segments: [{ text: 'x' }] } })
  await world.task({ engine: 'tone', params: { segments: [{ text: 'x' }], fault: { kind: 'fail', code: 'WORKER_FAILED' } } })
  const running = await startOn(world, 'local', { params: slowly(500_000) })
  await world.post('/workers/target', { target: 'auto' })
  // More than both machines run at once.
  const more = Array.from({ length: 9 }, (_, seed) => world.task({ engine: 'tone', params: slowly(500_000, 1 + seed) }))
  for (const one of more) one.catch(() => {})
  await eventually(async () => (await tasksOf(world)).find(({ state }) => state === 'queued'))
  const { page, shot } = await openPage(t, `${world.page}/#/home`)
  const answers = followAnswers(page)
  await page.goto('about:blank')
  await page.context().addCookies([{ name: 'studio-language', value: 'de', url: world.page }])
  await page.goto(`${world.page}/?de#/jobs/work`)
  await isLive(page)
  // The machine goes away, and is still the chosen one.
  await world.post('/workers/target', { target: attic.workerId })
  await attic.program.end('SIGKILL')
  const left = new Set<string>()
  // Where work is, first: it does not wait for long.
  for (const name of ['jobs/work', 'machines', 'jobs', 'settings/doctor', 'health', 'models', 'speak', 'home']) {
    await page.goto(`${world.page}/?de-${name}#/${name}`)
    await isLive(page)
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    for (const path of ['/workers/tasks?limit=50', '/workers', '/jobs']) answers.add(path, (await world.get(path)).json())
    if (name === 'jobs/work')
      await page
        .getByText(/attic.*: offline$/)
        .first()
        .waitFor()
    if (name === 'machines') await page.getByText('attic: offline; dieser Rechner wird verwendet').first().waitFor()
    await shot(`german-${name.replace('/', '-')}`)
    for (const one of await answers.left()) if (!ENGLISH.some((known) => known.test(one))) left.add(`${name}: ${one}`)
  }
  assert.deepEqual([...left], [])
  // The texts of the studio arrive late: what was drawn before is drawn again, in every view.
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/texts/de/server.js', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`${world.page}/?de-late#/machines`)
  await page.getByText('attic is offline — running locally').first().waitFor()
  await page
    .getByRole('button', { name: /Läuft auf|Ausführung/ })
    .first()
    .click()
  await page
    .locator('#runs-on')
    .getByText(/attic is offline/)
    .first()
    .waitFor()
  release()
  await page.locator('#runs-on').getByText('attic: offline; dieser Rechner wird verwendet').first().waitFor()
  await page.getByText('attic is offline').first().waitFor({ state: 'detached' })
  await page.unroute('**/texts/de/server.js')
  await Promise.all((await tasksOf(world)).map(({ task_id }) => world.post(`/workers/tasks/${task_id}/cancel`)))
  await Promise.allSettled([running.reply, ...more])
  await world.remove(attic)
})
