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
    while (!document.querySelector(selector)) await window.drawn()
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

/** The two pages that grow with the studio. */
export const tasksPage = (origin: string): PageUnderTest => ({
  url: `${origin}/#/jobs`,
  shows: '[data-task]',
  filter: 'main input[type=search]',
  typed: 'probe x',
  details: '.task summary',
})
export const machinesPage = (origin: string): PageUnderTest => ({
  url: `${origin}/#/machines`,
  shows: '.machines > :nth-child(20)',
  filter: 'main input[type=search]',
  typed: 'ab 12',
  details: '.machine details > summary',
})
