// Takes the pictures of the tutorials: `node test/documents/pictures.ts` starts a studio with an empty data folder, works as the tutorials say, and
// writes docs/pictures/*.webp. It needs Chromium, ffmpeg and the programs of a dub, and no network.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { isLive, openPage } from '#test/support/web/browser.ts'
import { REPOSITORY } from '#test/support/world/cli.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'

const OUT = join(REPOSITORY, 'docs/pictures')
const MAX_BYTES = 60 * 1024
const SIZE = { width: 1440, height: 900 }
const BOOK = `# The harbour

The harbour was quiet at five in the morning. A single lamp burned above the door of the office, and the gulls had not woken yet.

Mara counted the boats as she did every day. There were eleven. Yesterday there had been twelve.

# The twelfth boat

It came back at noon, with its sails torn and with no one on board.
`

const endings: (() => unknown)[] = []
const t = { after: (run: () => unknown) => void endings.push(run) }
const folder = mkdtempSync(join(tmpdir(), 'pictures-'))

async function picture(page: Page, name: string): Promise<void> {
  const [png, webp] = [join(folder, `${name}.png`), join(OUT, `${name}.webp`)]
  writeFileSync(png, await page.screenshot())
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', png, '-c:v', 'libwebp', '-quality', '82', '-compression_level', '6', webp])
  const { size } = statSync(webp)
  if (size > MAX_BYTES) throw new Error(`${name}.webp has ${size} bytes.`)
  console.log(`${name}.webp ${size}`)
}

/** A film in which two sentences are spoken by the embedded voice. */
async function film(speak: (text: string) => Promise<Buffer>): Promise<string> {
  const sound = join(folder, 'harbour.wav')
  writeFileSync(sound, await speak('Good morning. The harbour was quiet at five. We counted the boats, and one of them was gone.'))
  const path = join(folder, 'harbour.mp4')
  const source = 'gradients=size=640x360:rate=12:c0=0x0b3d4a:c1=0xd98a4e:x0=0:y0=0:x1=640:y1=360:speed=0.01'
  execFileSync('ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    '-y',
    '-f',
    'lavfi',
    '-i',
    source,
    '-i',
    sound,
    '-af',
    'apad',
    '-t',
    '7',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    path,
  ])
  return path
}

try {
  mkdirSync(OUT, { recursive: true })
  const world = await openWorld(t, { remote: true, env: { STUDIO_DEVELOPMENT: undefined } })
  const { page } = await openPage(t, `${world.page}/#/speak`, SIZE)
  await isLive(page)

  await page.locator('form.speak textarea').fill('Good morning. The harbour was quiet at five, and the gulls had not woken yet.')
  await page
    .getByRole('button', { name: /^Speak/ })
    .first()
    .click()
  await page.locator('.making[data-phase="done"]').waitFor()
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await page.getByText(/1\s*job/).waitFor({ state: 'detached' })
  await picture(page, 'first-voice')

  await page.evaluate(
    `localStorage.setItem('voice-studio-book', ${JSON.stringify(JSON.stringify({ text: BOOK, title: 'The harbour', at: 1 }))})`,
  )
  await page.goto(`${world.page}/#/audiobook/draft`)
  await page.locator('.outline li').first().waitFor()
  await picture(page, 'first-book')

  const spoken = async (input: string) => (await world.post('/v1/audio/speech', { input, response_format: 'wav' })).body
  const form = new FormData()
  form.set('video', new Blob([readFileSync(await film(spoken))]), 'Harbour.mp4')
  form.set('langs', 'es')
  const { job_id: dub } = (await world.post('/batch/enqueue', form)).json()
  await eventually(async () => (await world.get(`/batch/jobs/${dub}`)).json().status === 'done')
  await page.goto(`${world.page}/#/dub/${dub}`)
  await page.getByText('harbour', { exact: false }).first().waitFor()
  await eventually(async () => Number(await page.evaluate('document.querySelector("video")?.readyState ?? 0')) >= 2)
  await page.waitForLoadState('networkidle')
  await picture(page, 'first-dub')

  await page.goto(`${world.page}/#/machines`)
  await world.machine('attic')
  await page.getByText('attic').first().waitFor()
  await page.waitForLoadState('networkidle')
  await picture(page, 'first-lender')
} finally {
  for (const end of endings.reverse()) await end()
  rmSync(folder, { recursive: true, force: true })
}
