// The theme as a canvas needs it, which the style sheet does not reach: the colours that are shown now, and when they become others.

/** The colour of a role, such as `--accent`. Taken from an element, because the property itself holds the colours of both themes. */
export function colour(role) {
  const probe = document.createElement('i')
  probe.style.color = `var(${role})`
  document.documentElement.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Chosen on the page or by the system. The result ends it. */
export function onThemeChange(tell) {
  const chosen = new MutationObserver(tell)
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', tell)
  return () => {
    chosen.disconnect()
    dark.removeEventListener('change', tell)
  }
}
