// The Jobs page in a real browser: progress, reasons of waiting tasks, hints of failed ones; over a reload and a restart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { COMMANDS_AGENT } from '#shared/protocol/version.ts'
import { axeComplaints } from '../support/web/axe.ts'
import { chooseTheme, isLive, NO_BROWSER, openPage } from '../support/web/browser.ts'
import { form } from '../support/world/http.ts'
import { slowly, startOn, tasksOf } from '../support/world/tasks.ts'
import { eventually, sharedWorld } from '../support/world/world.ts'

const HOSTILE = `<script>document.title='owned'</script><img src=x onerror="document.title='owned'">\u202Egnp.exe ${'long'.repeat(2500)}`
// The port is fixed because the last test restarts the studio.
const open = sharedWorld({ remote: true, fixedPort: true })
const rowOf = (page: Page, id: string) => page.locator(`[data-task="${id}"]`)
const percentOf = async (page: Page, id: string) =>
  Number(
    await rowOf(page, id)
      .locator('progress')
      .getAttribute('value')
      .catch(() => 0),
  )
async function clean(page: Page, where: string) {
  for (const theme of ['light', 'dark']) {
    await chooseTheme(page, theme)
    assert.deepEqual(await axeComplaints(page), [], `${where}, ${theme}`)
  }
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  assert.ok(Number(beyond) <= 0, `${where} is wider than the screen`)
}

test('a task shows progress, survives a reload of the page, and is cancelled there', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { id, reply } = await startOn(world, 'local', { params: slowly(60_000) })
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/jobs/work`)
  const row = rowOf(page, id)
  await row.getByText('Running', { exact: true }).waitFor()
  await eventually(async () => (await percentOf(page, id)) > 0)
  const before = await percentOf(page, id)
  await eventually(async () => (await percentOf(page, id)) > before)
  await row.getByText(/ left$/).waitFor()
  await row.getByText('on this machine').waitFor()

  await page.reload()
  await row.waitFor()
  const after = await percentOf(page, id)
  assert.ok(after > before, `${after} comes after ${before}`)
  await eventually(async () => (await percentOf(page, id)) > after)
  await shot('tasks-running')
  await clean(page, 'a running task')

  await row.getByRole('button', { name: /^Cancel/ }).click()
  await shot('tasks-cancel')
  await clean(page, 'the confirmation')
  await page.getByRole('button', { name: 'Cancel job' }).click()
  await row.getByText('Cancelled', { exact: true }).first().waitFor()
  assert.equal((await reply).status, 409)
  assert.deepEqual(complaints, [])
})

test('a failed task has a hint, a waiting task has reasons, and both are shown as text', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const before = (await tasksOf(world)).filter(({ state }) => state !== 'completed').length // failed or cancelled in this studio
  const box = await world.machine('box')
  const bad = world.task({ engine: 'no-such-engine', params: { segments: [{ text: 'x' }] }, model_id: HOSTILE.slice(0, 128) })
  assert.equal((await bad).status >= 400, true)
  await world.task({ engine: 'tone', params: { segments: [{ text: 'x' }], fault: { kind: 'fail', code: 'WORKER_FAILED' } } })
  await world.patch(`/workers/${box.workerId}`, { name: HOSTILE.slice(0, 120) })
  // All slots of both machines are taken, so that a task waits.
  await world.approve(box)
  const first = await startOn(world, box.workerId, { params: slowly(110_000, 1) })
  const all = Array.from({ length: 8 }, (_, seed) => world.task({ engine: 'tone', params: slowly(110_000, 2 + seed) }))
  for (const one of all) one.catch(() => {})
  const waiting = await eventually(async () => (await tasksOf(world)).find(({ state }) => state === 'queued'))

  const { page, complaints, shot } = await openPage(t, `${world.page}/#/jobs/work`)
  await rowOf(page, waiting.task_id)
    .getByText(/: busy$/)
    .first()
    .waitFor()
  await page.getByText('NO_CAPABLE_WORKER').first().waitFor({ state: 'attached' })
  await page.getByText('What to do:').first().waitFor()
  await shot('tasks-mixed')
  for (const summary of await page.locator('.task summary').all()) await summary.click()
  await page.getByText('Attempt 3 of 3, 3 failed').waitFor()
  assert.equal(await page.locator('.attempts .callout').getByText('WORKER_FAILED').count(), 3)
  await page.getByLabel('Show').selectOption('failed')
  await eventually(async () => (await page.locator('.task').count()) === before + 2)
  await shot('tasks-failed')
  await clean(page, 'failures')
  await page.getByLabel('Show').selectOption('waiting')
  await eventually(async () => (await page.locator('.task').count()) > 0 && (await page.getByText('Failed', { exact: true }).count()) === 0)
  await clean(page, 'waiting')
  await page.getByLabel('Show').selectOption('all')
  await page.getByLabel('Find').fill(first.id)
  await eventually(async () => (await page.locator('.task').count()) === 1)
  await page.getByLabel('Find').fill('no such task')
  await page.getByText('No matching jobs.').waitFor()
  await page.getByLabel('Find').fill('')
  await page.setViewportSize({ width: 380, height: 800 })
  await shot('tasks-380')
  await clean(page, 'a narrow screen')

  // A message of the maximum length.
  await page.route('**/workers/tasks?*', async (route) => {
    const reply = await route.fetch()
    const { tasks, ...more } = await reply.json()
    const error = { error_class: HOSTILE, code: HOSTILE.slice(0, 60), message: HOSTILE, hint: HOSTILE, retryable: false }
    await route.fulfill({ response: reply, json: { ...more, tasks: tasks.map((task: object) => ({ ...task, error })) } })
  })
  await page.reload()
  await page.getByRole('group', { name: 'Full text' }).first().waitFor()
  assert.ok((await page.getByRole('group', { name: 'Full text' }).first().textContent())!.includes(HOSTILE))
  await clean(page, 'ten thousand characters')
  await shot('tasks-long')
  assert.equal(await page.title(), 'Jobs · Voice Studio')
  assert.deepEqual(complaints, [])
  await Promise.all((await tasksOf(world)).map(({ task_id }) => world.post(`/workers/tasks/${task_id}/cancel`)))
  await Promise.allSettled([first.reply, ...all])
  await world.remove(box)
})

test('an hour of activity is shown as a chart, a sentence and a table, in both themes', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const { page, complaints, shot } = await openPage(t, world.url)
  const now = Math.floor(Date.now() / 60_000) * 60
  const minutes = Array.from({ length: 60 }, (_, index) => ({
    at: now - (59 - index) * 60,
    done: 20 + Math.round(15 * Math.sin(index / 6)),
    failed: index % 7 === 0 ? 2 : 0,
    waiting: Math.max(0, 40 - Math.abs(30 - index) * 2),
  }))
  await page.route('**/workers/activity', (route) => route.fulfill({ json: { minutes } }))
  await page.goto(`${world.page}/#/jobs/work`)
  await page.getByRole('img', { name: /^Last 60 minutes: [\d,]+ done, 18 failed or cancelled, at most 40 waiting\.$/ }).waitFor()
  await shot('tasks-activity-light')
  await page.getByText('Show as table').click()
  await page.getByRole('columnheader', { name: 'Peak waiting' }).waitFor()
  await clean(page, 'the table') // leaves the dark theme
  await page.getByText('Show as table').click()
  await shot('tasks-activity-dark')
  await page.setViewportSize({ width: 380, height: 800 })
  await clean(page, 'the chart on a narrow screen')
  await shot('tasks-activity-380')
  assert.deepEqual(complaints, [])
})

// Others cannot take the places of the owner's page; its own programs can.
const OWN = { 'user-agent': COMMANDS_AGENT }
const FULL = /One client has at most 64 places for connections that follow tasks/

test('a page without an event stream says why, falls back to polling, and goes live when there is room', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const done = (await world.task({ engine: 'tone', params: slowly(100) })).json()
  const others = Array.from({ length: 64 }, () => new AbortController())
  t.after(() => others.map((one) => one.abort()))
  // A response without a reference is garbage collected, and its connection with it.
  const held = await Promise.all(others.map(({ signal }) => fetch(`${world.url}/workers/events`, { signal, headers: OWN })))
  const refused = await world.send('GET', '/workers/events', undefined, OWN)
  assert.equal(refused.status, 429)
  assert.match(refused.body.toString(), FULL)

  const { page, complaints, shot } = await openPage(t, `${world.page}/#/jobs/work`)
  await page.getByText(FULL).waitFor()
  await rowOf(page, done.task_id).waitFor()
  await shot('tasks-refused')
  assert.ok(held.every(({ bodyUsed }) => !bodyUsed))
  for (const one of others) one.abort()
  await isLive(page)
  await page.getByText(FULL).waitFor({ state: 'detached' })
  assert.deepEqual(
    complaints.filter((one) => !/429/.test(one)),
    [],
  )
})

const NO_CLIPBOARD = `Object.defineProperty(navigator, 'clipboard', { value: undefined })
addEventListener('copy', ({ target }) => (globalThis.copied = target.value))`

test('jobs are one table: found, opened by address and keyboard, cancelled, and drawn near the view only', {
  skip: NO_BROWSER,
}, async (t) => {
  const world = await open()
  const take = { engine: 'tone', text: 'A sentence that takes its time to be made. '.repeat(4_000), max_chunk_chars: 50, seed: 7 }
  const accepted = await world.send('POST', '/generate', form(take), { prefer: 'respond-async' })
  assert.equal(accepted.status, 202, accepted.body.toString())
  const { id } = accepted.json()
  await world.send(
    'POST',
    '/audiobook',
    JSON.stringify({ text: 'x', title: HOSTILE.slice(0, 200), voice_map: {}, default_voice: 'no such voice' }),
    {
      'content-type': 'application/json',
    },
  )
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/jobs`)
  const row = page.locator(`tr[data-job="${id}"]`)
  await row.waitFor()
  await shot('jobs')
  await clean(page, 'the table of jobs')
  await row.getByRole('link').focus()
  await page.keyboard.press('Enter')
  const details = page.getByRole('complementary')
  await details.getByRole('heading', { level: 2 }).waitFor()
  assert.match(page.url(), new RegExp(`#/jobs/${id}$`))
  await shot('job-details')
  await clean(page, 'a job beside the table')
  // A read that fails is said, and the next one comes by itself.
  await page.route(`**/jobs/${id}/events`, (route) => route.fulfill({ status: 503, json: { detail: 'Busy.', hint: 'Wait a moment.' } }), {
    times: 1,
  })
  await details.getByText('Busy. Wait a moment.').waitFor()
  await details.getByText('Busy. Wait a moment.').waitFor({ state: 'detached' })
  // Over plain HTTP browsers give pages no clipboard.
  await page.evaluate(NO_CLIPBOARD)
  await details.getByRole('button', { name: 'Copy details' }).press('Enter')
  await page.getByText('Details copied.').waitFor()
  assert.match(await page.evaluate<string>('copied'), new RegExp(`^${id}\ngenerate\n`))
  await page.reload()
  await details.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Cancel job' }).click()
  await eventually(async () => (await world.get(`/jobs/${id}`)).json().status === 'cancelled')
  await row.locator('.state').getByText('Cancelled').waitFor()
  await page.getByRole('button', { name: /^Couldn't finish/ }).click()
  await row.waitFor({ state: 'detached' })
  assert.match(page.url(), /state=failed/)
  // The view follows the address, also on the page that is shown.
  await page.evaluate("location.hash = '#/jobs?state=cancelled&kind=generate'")
  await row.waitFor()
  assert.equal(await page.getByLabel('Kind').inputValue(), 'generate')
  await page.goBack()
  await row.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^All / }).click()
  await row.waitFor()

  // Ten thousand jobs, as the route returns them page by page.
  const { meta_json: meta, ...known } = (await world.get(`/jobs/${id}`)).json()
  const jobs = Array.from({ length: 10_000 }, (_, at) => ({
    ...known,
    id: `many-${10_000 - at}`,
    status: 'done',
    finished_at: known.created_at + 1,
    meta_json: meta,
  }))
  await page.route('**/jobs?*', (route) => {
    const from = 1 + jobs.findIndex((job) => job.id === new URL(route.request().url()).searchParams.get('before'))
    return route.fulfill({ json: jobs.slice(from, from + 100) })
  })
  await page.goto(`${world.page}/#/jobs`)
  await page.reload()
  await page.locator('tr[data-job="many-10000"]').waitFor()
  // Each page is read when the view comes near the end of the one before.
  const oldest = () =>
    page.evaluate<number>("Math.min(...[...document.querySelectorAll('tr[data-job]')].map((row) => Number(row.dataset.job.split('-')[1])))")
  await eventually(async () => {
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
    return (await oldest()) <= 9_601
  })
  const drawn = await page.locator('tr[data-job]').count()
  assert.ok(drawn < 60, `${drawn} rows are drawn`)
  await clean(page, 'many jobs')
  await page.setViewportSize({ width: 380, height: 800 })
  await page.evaluate('scrollTo(0, 0)')
  await clean(page, 'jobs on a narrow screen')
  await shot('jobs-380')
  assert.deepEqual(
    complaints.filter((one) => !/status of 503/.test(one)),
    [],
  )
})

test('the page shows a lost connection and continues by itself when the studio is back', { skip: NO_BROWSER }, async (t) => {
  const world = await open()
  const done = (await world.task({ engine: 'tone', params: slowly(100) })).json()
  const { page, complaints, shot } = await openPage(t, `${world.page}/#/jobs/work`)
  await rowOf(page, done.task_id).getByText('Done', { exact: true }).first().waitFor()
  await world.studio.end('SIGKILL')
  await page.getByText('Reconnecting… What you see may be out of date.').waitFor()
  await shot('tasks-broken')
  await clean(page, 'a broken connection')
  await world.restart()
  await isLive(page)
  const next = (await world.task({ engine: 'tone', params: slowly(100, 1) })).json()
  await rowOf(page, next.task_id).getByText('Done', { exact: true }).first().waitFor()
  assert.equal(await page.getByText('Reconnecting… What you see may be out of date.').count(), 0)
  // The browser logs the failed connections; there must be no other complaint.
  assert.deepEqual(
    complaints.filter((one) => !/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE|Failed to load resource/.test(one)),
    [],
  )
})
