// Something of the studio that a page shows, and what went wrong with reading it. What was read before stays while it is read anew.
import { useCallback, useEffect, useRef, useState } from '../html.js'

/** `read` is the same for as long as the page is there. */
export function useRead(read) {
  const [state, setState] = useState({ value: null, error: '', reading: true })
  const newest = useRef(0)
  const again = useCallback(async () => {
    const mine = ++newest.current
    setState((now) => ({ ...now, reading: true }))
    try {
      const value = await read()
      if (mine === newest.current) setState({ value, error: '', reading: false })
    } catch (error) {
      if (mine === newest.current) setState((now) => ({ ...now, error: error.message, reading: false }))
    }
  }, [])
  useEffect(() => void again(), [])
  return { ...state, again }
}
