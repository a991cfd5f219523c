// A button that opens the list of files, and takes one that is dropped on it.
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/tools.ts'

export function FileButton({
  label,
  accept,
  disabled = false,
  onFile,
}: {
  label: string
  accept: string
  disabled?: boolean
  onFile: (file: File) => unknown
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
    const file = event.dataTransfer?.files[0]
    if (file && !disabled) onFile(file)
  }
  const changed = () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (file) onFile(file)
  }
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <input ref={input} type="file" hidden accept={accept} aria-label={label} onChange={changed} />
      <p class="soft">{strings.dropHere}</p>
      <button type="button" class="main" disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </button>
    </div>
  )
}

/** One request for one file: what runs, what came back, and why it failed. */
export function useFileRun<T>(run: (file: File) => Promise<T>) {
  const [now, set] = useState({ name: '', isBusy: false, result: null as T | null, error: '' })
  const begin = async (file: File) => {
    set({ name: file.name, isBusy: true, result: null, error: '' })
    try {
      set({ name: file.name, isBusy: false, result: await run(file), error: '' })
    } catch (failure) {
      set({ name: file.name, isBusy: false, result: null, error: failure instanceof Error ? failure.message : String(failure) })
    }
  }
  return { now, begin }
}
