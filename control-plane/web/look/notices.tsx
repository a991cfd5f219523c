// Short messages at the edge of the page.
import { useEffect, useRef, useState } from '../lib/html.ts'
import { type Notice, showNotices } from '../lib/notices.ts'

/** Shown again with each notice: otherwise a dialog that was opened since would cover it in the top layer. */
export function Notices() {
  const [notices, setNotices] = useState<Notice[]>([])
  const ref = useRef<HTMLDivElement | null>(null)
  const drop = (notice: Notice) => setNotices((all) => all.filter((one) => one !== notice))
  const act = (notice: Notice) => {
    drop(notice)
    notice.action?.run()
  }
  useEffect(() => {
    ref.current?.hidePopover()
    ref.current?.showPopover()
  }, [notices.at(-1)])
  useEffect(() => {
    showNotices((notice) => {
      setNotices((all) => [...all.slice(-3), notice])
      setTimeout(() => drop(notice), notice.tone === 'error' || notice.action ? 12_000 : 5_000)
    })
  }, [])
  return (
    <div ref={ref} class="notices" popover="manual" role="status" aria-live="polite">
      {notices.map((one) => (
        <p key={one.at} class={one.tone}>
          {one.text}
          {one.action && (
            <>
              {' '}
              <button type="button" class="quiet" onClick={() => act(one)}>
                {one.action.label}
              </button>
            </>
          )}
        </p>
      ))}
    </div>
  )
}
