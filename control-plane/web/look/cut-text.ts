// A text of one line that is cut off is shown whole while the pointer rests on it.

/** Elements whose title is set here: it follows their text. */
const titled: WeakSet<Element> = new WeakSet()

export const titleCutTexts = () =>
  addEventListener('pointerover', ({ target }) => {
    const text = target instanceof Element ? target.closest('.one-line') : null
    if (!(text instanceof HTMLElement) || (!titled.has(text) && text.closest('[title]') !== null)) return
    const isCut = text.scrollWidth > text.clientWidth
    if (isCut) titled.add(text)
    if (titled.has(text)) text.title = isCut ? text.textContent.trim() : ''
  })
