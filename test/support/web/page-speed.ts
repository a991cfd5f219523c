// Speed of the web pages, measured inside the page with performance marks: from the request to the first drawing of the content, and from an
// action to the drawing that shows it.
import type { Page } from 'playwright-core'

export type Speed = { readonly firstMs: number; readonly keyMs: number; readonly openMs: number; readonly longestTaskMs: number }
type PageUnderTest = {
  readonly url: string
  /** Selector of an element that exists once the content is shown. */
  readonly shows: string
  readonly filter: string
  readonly typed: string
  readonly details: string
}

const WATCH = `
  window.slow = []
  new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => window.slow.push(duration))).observe({ type: 'longtask', buffered: true })
  window.drawn = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = resolve
    port2.postMessage(0)
  }))
  window.measured = async (name, act) => {
    performance.mark(name + ' begins')
    act()
    await window.drawn()
    return performance.measure(name, name + ' begins').duration
  }
  window.appears = async (selector) => {
    while (!document.querySelector(selector)) {
      if (performance.now() > 60_000) throw new Error(location.hash + ' shows no ' + selector)
      await window.drawn()
    }
    await window.drawn()
    performance.mark('first view')
    return performance.now()
  }`
const worst = (values: readonly number[]): number => Math.max(0, ...values)

/** The worst of each, which is what a person notices. */
export async function pageSpeed(page: Page, { url, shows, filter, typed, details }: PageUnderTest): Promise<Speed> {
  await page.goto('about:blank') // otherwise only the fragment changes and nothing is loaded
  await page.goto(url, { waitUntil: 'commit' })
  await page.evaluate(WATCH)
  const firstMs = await page.evaluate<number>(`appears(${JSON.stringify(shows)})`)
  const keys = await page.evaluate<number[]>(`(async () => {
    const input = document.querySelector(${JSON.stringify(filter)})
    const each = []
    if (!input) throw new Error('the page has no field to type in')
    for (const letter of ${JSON.stringify([...typed, ''])}) {
      each.push(await measured('key', () => {
        input.value = letter === '' ? '' : input.value + letter
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }))
    }
    return each
  })()`)
  const opened = await page.evaluate<number[]>(`(async () => {
    const each = []
    const summaries = [...document.querySelectorAll(${JSON.stringify(details)})].slice(0, 10)
    if (summaries.length === 0) throw new Error('the page has no details to open')
    for (const summary of summaries)
      each.push(await measured('open', () => summary.click()))
    return each
  })()`)
  const slow = await page.evaluate<number[]>('window.slow')
  return { firstMs, keyMs: worst(keys), openMs: worst(opened), longestTaskMs: worst(slow) }
}

export type FirstView = {
  readonly firstMs: number
  readonly longestTaskMs: number
  readonly rows: number
  /** Shift of the layout, as browsers sum it up. */
  readonly shift: number
  /** Begun before the content was drawn. Bytes as they were sent; 0 for those that the browser had. */
  readonly requests: readonly { readonly name: string; readonly bytes: number }[]
}
/** One page from a fresh document: until its content is drawn. `shows` and `rows`: selectors. */
export async function firstView(page: Page, { url, shows, rows }: { url: string; shows: string; rows: string }): Promise<FirstView> {
  await page.goto('about:blank')
  await page.goto(url, { waitUntil: 'commit' })
  await page.evaluate(WATCH)
  const firstMs = await page.evaluate<number>(`appears(${JSON.stringify(shows)})`)
  return await page.evaluate<FirstView>(`(async () => {
    const firstMs = ${firstMs}
    let shift = 0
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (shift += entry.value))).observe({ type: 'layout-shift', buffered: true })
    // Requests are listed when they have ended.
    const sent = () => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    for (let before = 0; before < sent().length; ) {
      before = sent().length
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    return {
      firstMs,
      shift,
      longestTaskMs: Math.max(0, ...window.slow),
      rows: document.querySelectorAll(${JSON.stringify(rows)}).length,
      requests: sent().filter((one) => one.startTime <= firstMs).map((one) => ({ name: new URL(one.name).pathname, bytes: one.encodedBodySize })),
    }
  })()`)
}

/** Milliseconds of each frame while what `selector` names scrolls by 160 px a frame. */
export const scrolling = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate<number[]>(`(async () => {
    const place = document.querySelector(${JSON.stringify(selector)})
    const each = []
    let last = await new Promise(requestAnimationFrame)
    for (let frame = 0; frame < 120; frame++) {
      place.scrollTop += 160
      const now = await new Promise(requestAnimationFrame)
      each.push(now - last)
      last = now
    }
    return each
  })()`)

/** Milliseconds of work for each of 40 letters typed at the end of a field, which first gets `text` unless that is empty. */
export const typing = (page: Page, selector: string, text: string): Promise<number[]> =>
  page.evaluate<number[]>(`(async () => {
    const field = document.querySelector(${JSON.stringify(selector)})
    const text = ${JSON.stringify(text)}
    if (text !== '') {
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    await window.drawn()
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
    const each = []
    for (let letter = 0; letter < 40; letter++) {
      const from = performance.now()
      document.execCommand('insertText', false, 'x') // as a key does, without a new layout of the whole text
      await Promise.resolve()
      await Promise.resolve()
      document.body.getBoundingClientRect()
      each.push(performance.now() - from)
      await window.drawn()
    }
    return each
  })()`)

/**
 * Milliseconds from each of 40 keys of the browser to the end of the frame that shows its letter. `at`: place in the text of the field, as a share
 * of its length. `text`: what the field gets first; '' leaves it.
 */
export async function keysToFrame(page: Page, selector: string, { text, at }: { text: string; at: number }): Promise<number[]> {
  await page.evaluate(`(async () => {
    const field = document.querySelector(${JSON.stringify(selector)})
    const text = ${JSON.stringify(text)}
    if (text !== '') {
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    const place = Math.round(field.value.length * ${at})
    field.focus()
    field.setSelectionRange(place, place)
    window.keys = []
    field.onkeydown = ({ timeStamp }) => void window.drawn().then(() => window.keys.push(performance.now() - timeStamp))
    await window.drawn()
  })()`)
  for (let key = 1; key <= 40; key++) {
    await page.keyboard.press('x')
    await page.evaluate(`(async () => { while (window.keys.length < ${key}) await window.drawn() })()`)
  }
  return page.evaluate<number[]>('window.keys')
}

/** The two pages that grow with the studio. */
export const tasksPage = (origin: string): PageUnderTest => ({
  url: `${origin}/#/jobs/work`,
  shows: '[data-task]',
  filter: 'main input[type=search]',
  typed: 'probe x',
  details: '.task summary',
})
export const machinesPage = (origin: string): PageUnderTest => ({
  url: `${origin}/#/machines`,
  shows: '[data-machine]:nth-child(15)',
  filter: 'main input[type=search]',
  typed: 'ab 12',
  details: '[data-machine] th a',
})
