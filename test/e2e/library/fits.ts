// Texts of controls that do not fit: cut off, wider than their control, or on several lines in the bar at the top and in the title row of an editor.
import type { Page } from 'playwright-core'

/** Names and texts of people may end with an ellipsis; the words of the page may not. */
const MEASURE = `(() => {
  const isShown = (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('.hidden, .skip, [popover]:not(:popover-open)')
  const ofPeople = '.text, [dir="auto"]'
  const name = (one) => (one.getAttribute('aria-label') || one.textContent).trim().slice(0, 60) + ' <' + one.tagName.toLowerCase() + ' ' + one.className + '>'
  const found = []
  const pen = document.createElement('canvas').getContext('2d')
  for (const one of document.querySelectorAll('button, a.button, .tabs a, label, legend, summary, th, dt, .place .label, .field > span, .badge, h2, h3')) {
    if (!isShown(one) || getComputedStyle(one).clipPath !== 'none' || one.clientWidth < 2 || one.matches(ofPeople) || one.querySelector(ofPeople)) continue
    if (one.scrollWidth > one.clientWidth + 1) found.push('cut off: ' + name(one) + ' ' + one.scrollWidth + ' in ' + one.clientWidth)
  }
  for (const one of document.querySelectorAll('select')) {
    const text = one.selectedOptions[0]?.textContent ?? ''
    if (!isShown(one) || one.closest('[dir="auto"]') || !text || one.multiple) continue
    const { font, letterSpacing, paddingLeft, paddingRight } = getComputedStyle(one)
    pen.font = font
    const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    const { width } = pen.measureText(text)
    if (width > room + 2) found.push('cut off: ' + text + ' <select> ' + Math.round(width) + ' in ' + Math.round(room))
  }
  for (const one of document.querySelectorAll('.top button, .dub-title > :is(button, a, .number), .transcript > header > .row:first-child > button')) {
    if (!isShown(one)) continue
    const range = document.createRange()
    range.selectNodeContents(one)
    const boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    const [first] = boxes
    if (first && boxes.some((box) => box.top >= first.bottom - 2 && box.height > 4)) found.push('wraps: ' + name(one))
  }
  for (const row of document.querySelectorAll('.top, .dub-title, .transcript > header > .row:first-child')) {
    const boxes = [...row.children].filter((one) => isShown(one) && one.matches('button, a, :has(> button)')).map((one) => one.getBoundingClientRect())
    if (boxes.some((box) => box.top >= boxes[0].bottom)) found.push('on several rows: ' + row.className)
    if (row.scrollWidth > row.clientWidth + 1) found.push('wider than the page: ' + row.className)
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('the page is wider than the window')
  return found
})()`

/** One line for each text of the page that is cut off, wraps or is too wide in the current window; empty if all texts fit. */
export const misfits = (page: Page): Promise<string[]> => page.evaluate<string[]>(MEASURE)
