// A button that opens the list of files, and takes what is dropped on it.
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { strings } from '#messages/create/tools.ts'

export function FileButton({
  label,
  accept,
  disabled = false,
  onFile,
  onFiles,
}: {
  label: string
  accept: string
  disabled?: boolean
  onFile?: (file: File) => unknown
  /** in place of `onFile`, for several at once */
  onFiles?: (files: readonly File[]) => unknown
}) {
  const input = useRef<HTMLInputElement | null>(null)
  const [isOver, setOver] = useState(false)
  const take = (list: FileList | null | undefined) => {
    const [file, ...others] = list ?? []
    if (!file) return
    if (onFiles) onFiles([file, ...others])
    else onFile?.(file)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (!disabled) take(event.dataTransfer?.files)
  }
  const changed = () => {
    take(input.current?.files)
    // The same file can be chosen again.
    if (input.current) input.current.value = ''
  }
  return (
    <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <input ref={input} type="file" hidden multiple={onFiles !== undefined} accept={accept} aria-label={label} onChange={changed} />
      <p class="soft">{onFiles ? strings.dropFilms : strings.dropHere}</p>
      <button type="button" class="main" disabled={disabled} onClick={() => input.current?.click()}>
        {label}
      </button>
    </div>
  )
}

/** One request for one file, or for another thing with a name: what runs, what came back, and why it failed. */
export function useFileRun<T, S extends { readonly name: string } = File>(run: (file: S) => Promise<T>) {
  const [now, set] = useState({ name: '', isBusy: false, result: null as T | null, error: '' })
  const begin = async (file: S) => {
    set({ name: file.name, isBusy: true, result: null, error: '' })
    try {
      set({ name: file.name, isBusy: false, result: await run(file), error: '' })
    } catch (failure) {
      set({ name: file.name, isBusy: false, result: null, error: failure instanceof Error ? failure.message : String(failure) })
    }
  }
  return { now, begin }
}
