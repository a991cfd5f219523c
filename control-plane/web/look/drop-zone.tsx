// A place for one file, which is dropped there or chosen.
import type { ComponentChildren } from 'preact'
import { useRef, useState } from '../lib/html.ts'

/** `types`: as in `accept`. `label`: of the field. `children`: with what opens the choice of the browser */
export function DropZone({
  types,
  label,
  onFile,
  children,
}: {
  types: string
  label: string
  onFile: (file: File | undefined) => unknown
  children: (choose: () => void) => ComponentChildren
}) {
  const input = useRef<HTMLInputElement | null>(null)
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer?.files[0])
  }
  const changed = () => {
    onFile(input.current?.files?.[0])
    // The same file can be chosen again.
    if (input.current) input.current.value = ''
  }
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <input ref={input} type="file" hidden accept={types} aria-label={label} onChange={changed} />
      {children(() => input.current?.click())}
    </div>
  )
}
