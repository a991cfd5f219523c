// The name of the object that a page shows, for the title of the window, the heading and the breadcrumb.
import { useEffect, useLayoutEffect, useState } from '../lib/html.ts'

let shown = ''
let draw = (_: string) => {}

function show(name: string) {
  shown = name
  draw(name)
}

/** For the frame: the name now, '' without one. */
export function useShownName() {
  const [name, setName] = useState(shown)
  useEffect(() => {
    draw = setName
    setName(shown)
  }, [])
  return name
}

/** Sets the name of the page's object while the page is shown. */
export const useObjectName = (name: string) =>
  useLayoutEffect(() => {
    show(name)
    return () => show('')
  }, [name])
