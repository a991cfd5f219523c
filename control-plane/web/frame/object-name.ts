// The name of the object that a page shows, for the title of the window, the heading and the breadcrumb.
import { useEffect, useLayoutEffect, useState } from '../lib/html.ts'

/** A value that one view sets and another one shows. */
export function shownValue<T>(shown: T): [use: () => T, show: (value: T) => void] {
  let draw = (_: T) => {}
  const use = () => {
    const [value, set] = useState(shown)
    useEffect(() => {
      draw = set
      set(shown)
    }, [])
    return value
  }
  const show = (value: T) => {
    shown = value
    draw(value)
  }
  return [use, show]
}

/** For the frame: the name now, '' without one. */
export const [useShownName, showName] = shownValue('')

/** Sets the name of the page's object while the page is shown. */
export const useObjectName = (name: string) =>
  useLayoutEffect(() => {
    showName(name)
    return () => showName('')
  }, [name])
