// Dictation in a real browser with Chromium's microphone for tests: words while one speaks, the final text, a lost connection, a refused microphone.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import { plantedStreaming } from '#test/agent/engine/runtimes/sherpa/planted-streaming.ts'
import { spokenWav } from '#test/support/audio/spoken.ts'
import { openNetwork } from '#test/support/chaos/cut.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage, useMicrophone } from '#test/support/web/browser.ts'
import { button, clean, isNarrow } from '#test/support/web/machines-page.ts'
import { eventually, freePort, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const env: Record<string, string> = { STUDIO_PORT: String(await freePort()), STUDIO_BASE_PATH: '/voice' }
const open = sharedWorld({ env })
// After the world, which ends before its folder is removed.
env['STUDIO_DATA_DIR'] = temporaryFolder({ after })
placeModel(join(env['STUDIO_DATA_DIR'], 'local-agent/models'), SHERPA_ID, 'zipformer-en-20m', plantedStreaming())
const sound = join(temporaryFolder({ after }), 'microphone.wav')
writeFileSync(sound, spokenWav())
useMicrophone(sound)

/** Milliseconds between the last sound on the open socket and the first one on the next, and the bytes that the next one got in half a second. */
const NOTE_GAP = `{
  window.gap = { closed: 0, opened: 0, bytes: 0, rate: 0 }
  const send = WebSocket.prototype.send
  let first, second
  WebSocket.prototype.send = function (data) {
    if (this.url.includes('/ws/transcribe')) {
      first ??= this
      const now = performance.now()
      if (this === first) gap.closed = now
      else if (this === (second ??= this)) {
        gap.opened ||= now
        gap.rate = Number(new URL(this.url).searchParams.get('sr'))
        if (now - gap.opened < 500) gap.bytes += data.byteLength ?? 0
      }
    }
    send.call(this, data)
  }
}`

test('words appear while they are spoken and stay after a lost connection and a reload; a refused microphone is explained', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const network = await openNetwork(t, new URL(world.url).host)
  const { page, complaints, shot } = await openPage(t, `http://${network.address}/voice/#/transcribe`, { width: 1440, height: 900 })
  await isLive(page)
  await page.getByRole('link', { name: 'Dictate', exact: true }).click()
  await page.context().grantPermissions(['microphone', 'clipboard-read', 'clipboard-write'])
  const text = page.getByRole('log', { name: 'Dictated text' })
  // Words that are not final are replaced soon, so each is noted when it appears.
  await page.evaluate(`{
    window.partials = []
    new MutationObserver(() => {
      const shown = document.querySelector('[role="log"] .partial')?.textContent
      if (shown) window.partials.push(shown)
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  }`)
  const wordsShown = async () => ((await text.textContent()) ?? '').match(/l[ai]/gi)?.length ?? 0
  await button(page, 'Start dictation').click()
  await eventually(async () => (await wordsShown()) > 0)
  // On a machine that is behind, words may be final before they are shown.
  for (const partial of await page.evaluate<string[]>('partials')) assert.match(partial, /^l[ai]/)
  await shot('dictate-listening')
  await clean(page, 'while it listens')
  network.cut()
  await page.getByText(/^The connection was lost/).waitFor()
  await isLive(page)
  const first = await wordsShown()
  await button(page, 'Continue').click()
  await eventually(async () => (await wordsShown()) > first)
  await world.restart('SIGKILL')
  await page.getByText(/^The connection was lost/).waitFor()
  await isLive(page)
  const kept = (await text.locator('p:not(.partial)').first().textContent())!
  assert.match(kept, /^l[ai]/i)

  const before = await wordsShown()
  await button(page, 'Continue').click()
  await eventually(async () => (await wordsShown()) > before)
  // An orderly stop loses no word, and the dictation goes on by itself.
  await page.locator('.dictation[data-phase="listening"]').waitFor()
  await page.evaluate(NOTE_GAP)
  await world.restart()
  await page.locator('.dictation[data-phase="listening"]').waitFor()
  // What was said meanwhile was sent at once.
  const [spokenBytes, sentBytes] = await page.evaluate<[number, number]>('[((gap.opened - gap.closed) / 1000) * gap.rate * 2, gap.bytes]')
  assert.ok(spokenBytes > 0 && sentBytes > 0.8 * spokenBytes, `${sentBytes} of ${spokenBytes}`)
  const again = await wordsShown()
  assert.ok(again > before)
  await eventually(async () => (await wordsShown()) > again)
  assert.equal(await page.getByText(/^The connection was lost/).count(), 0)
  await button(page, 'Stop').click()
  await eventually(async () => (await text.locator('p:not(.partial)').count()) >= 2)
  await page.locator('.dictation[data-phase="idle"]').waitFor()
  // A studio that hangs sends no last words: the wait has an end of its own, and the person can end it before.
  for (const end of ['Cancel', null]) {
    const shown = await wordsShown()
    await button(page, 'Continue').click()
    await eventually(async () => (await wordsShown()) > shown)
    if (end === null) await page.evaluate('{ const set = setTimeout; window.setTimeout = (run, ms) => set(run, Math.min(ms, 200)) }')
    world.studio.signal('SIGSTOP')
    await button(page, 'Stop').click()
    if (end) {
      await page.getByText('Recognising the last words…').waitFor()
      await shot('dictate-ending')
      await button(page, end).click()
    } else await page.getByText(/^The studio doesn't answer, so the last words weren't recognised\./).waitFor()
    await button(page, 'Continue').waitFor()
    assert.ok((await wordsShown()) > shown, 'what was shown stays')
    world.studio.signal('SIGCONT')
  }
  // A reload in the middle keeps every word that was shown.
  await page.reload()
  await isLive(page)
  const spoken = await wordsShown()
  await button(page, 'Continue').click()
  await eventually(async () => (await wordsShown()) > spoken)
  const middle = await wordsShown()
  await page.reload()
  await isLive(page)
  assert.ok((await wordsShown()) >= middle, 'after a reload while it listens')
  await page.context().grantPermissions(['microphone', 'clipboard-read', 'clipboard-write'])
  await button(page, 'Copy text').click()
  await page.getByText('Copied.').waitFor()
  const said = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.equal(said.split('\n')[0], kept)
  await page.reload()
  await page.getByText(kept).first().waitFor()
  for (const [width, theme] of [
    [1440, 'light'],
    [380, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await chooseTheme(page, theme)
    await shot(`dictate-${theme}-${width}`)
    await clean(page, `${theme}, ${width}`)
    await isNarrow(page, `${width}`)
  }
  await page.evaluate("navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('', 'NotAllowedError') }")
  await button(page, 'Continue').click()
  await page.getByText(/^The microphone is blocked/).waitFor()
  await button(page, 'Send to Speak').click()
  await page.getByRole('heading', { level: 1, name: 'Speak' }).waitFor()
  assert.equal(await page.getByLabel('Text', { exact: true }).inputValue(), said)
  assert.deepEqual(
    complaints.filter((line) => !/ERR_|status of 503|WebSocket connection/.test(line)),
    [],
    'nothing but the time without a studio',
  )
})
