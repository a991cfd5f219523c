// Short messages at the edge of the page. Those with a button stay while they are pointed at or have the focus.
import { useEffect, useRef, useState } from '../lib/html.ts'
import { type Notice, showNotices } from '../lib/notices.ts'

const SHOWN_MS = 5_000
const ACTION_MS = 10_000
const FAILURE_MS = 12_000

const timeOf = ({ tone, action }: Notice) => (tone === 'error' ? FAILURE_MS : action ? ACTION_MS : SHOWN_MS)

function Line({ notice, isHeld, onEnd, onAct }: { notice: Notice; isHeld: boolean; onEnd: () => void; onAct: () => void }) {
  const left = useRef(timeOf(notice))
  useEffect(() => {
    if (isHeld && notice.action) return
    const from = performance.now()
    const timer = setTimeout(onEnd, left.current)
    return () => {
      clearTimeout(timer)
      left.current -= performance.now() - from
    }
  }, [isHeld])
  return (
    <p class={notice.tone}>
      {notice.text}
      {notice.action && (
        <>
          {' '}
          <button type="button" class="quiet" onClick={onAct}>
            {notice.action.label}
          </button>
        </>
      )}
    </p>
  )
}

/** Shown again with each notice: otherwise a dialog that was opened since would cover it in the top layer. */
export function Notices() {
  const [notices, setNotices] = useState<Notice[]>([])
  const [isHeld, hold] = useState(false)
  const ref = useRef<HTMLDivElement | null>(null)
  /** Element that had the focus before a notice. */
  const before = useRef<Element | null>(null)
  const drop = (notice: Notice) => setNotices((all) => all.filter((one) => one !== notice))
  const act = (notice: Notice) => {
    if (ref.current?.contains(document.activeElement)) {
      const target = before.current?.isConnected ? before.current : document.getElementById('main')
      if (target instanceof HTMLElement) target.focus()
    }
    drop(notice)
    notice.action?.run()
  }
  useEffect(() => {
    ref.current?.hidePopover()
    ref.current?.showPopover()
    if (notices.length === 0) hold(false)
  }, [notices.at(-1)])
  useEffect(() => showNotices((notice) => setNotices((all) => [...all.slice(-3), notice])), [])
  const focused = ({ relatedTarget }: FocusEvent) => {
    hold(true)
    if (relatedTarget instanceof Element && !ref.current?.contains(relatedTarget)) before.current = relatedTarget
  }
  return (
    <div
      ref={ref}
      class="notices"
      popover="manual"
      role="status"
      aria-live="polite"
      onMouseEnter={() => hold(true)}
      onMouseLeave={() => hold(false)}
      onFocusIn={focused}
      onFocusOut={() => hold(false)}
    >
      {notices.map((one) => (
        <Line key={one.at} notice={one} isHeld={isHeld} onEnd={() => drop(one)} onAct={() => act(one)} />
      ))}
    </div>
  )
}
