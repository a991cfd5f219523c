// Theme colours for canvases, which the style sheet does not reach.

/**
 * The current colour of a role, such as `--accent`. Read from an element, because the property itself holds the colours of both themes.
 */
export function themeColor(role: string) {
  const probe = document.createElement('i')
  probe.style.color = `var(${role})`
  document.documentElement.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls `listener` when the theme changes, on the page or in the system. The result stops it. */
export function onThemeChange(listener: () => void) {
  const attribute = new MutationObserver(listener)
  attribute.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', listener)
  return () => {
    attribute.disconnect()
    dark.removeEventListener('change', listener)
  }
}
