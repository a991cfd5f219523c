// Models of the owner's own files: chosen or dropped, recognised and checked by the studio; and what other programs left on this machine.
import { messageOf, request } from '#control-plane/web/lib/api.ts'
import type { Posts } from '#control-plane/web/lib/api-types.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes } from '#control-plane/web/lib/format.ts'
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/system/models.ts'

type Added = Posts['/models/own']['reply']
type Check = { title: string; outcome: string; found: string }

/** Fields of a form: as many files as the studio takes at a time; more come as a zip file. */
const FIELDS = ['file', 'file2', 'file3', 'file4', 'file5', 'file6', 'file7', 'file8']
const TYPES = '.onnx,.json,.bin,.npz,.txt,.zip,.data,.onnx_data'

/** The form of these files; null for too many. */
function formOf(files: readonly File[]): FormData | null {
  if (files.length === 0 || files.length > FIELDS.length) return null
  const form = new FormData()
  for (const [at, file] of files.entries()) form.append(FIELDS[at] ?? '', file)
  return form
}

/** True if a folder was dropped: its files are not sent with it. */
const hasFolder = ({ items }: DataTransfer) => [...items].some((item) => item.webkitGetAsEntry?.()?.isDirectory)

export function OwnModels({ onChanged }: { onChanged: () => Promise<unknown> }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [step, setStep] = useState('')
  const [error, setError] = useState('')
  const [differing, setDiffering] = useState<readonly Check[]>([])
  const found = useRead('/models/found')

  const add = async (form: FormData | null) => {
    setError('')
    setDiffering([])
    if (form === null) return setError(strings.tooManyFiles(FIELDS.length))
    setStep(strings.adding)
    try {
      const { repo_id, label }: Added = await (await request('POST', '/models/own', { form })).json()
      await onChanged()
      setStep(strings.checking(label))
      const verified = await request('POST', '/models/verify', { body: { repo_id, target: 'local' } })
      const { passed, checks }: { passed: boolean; checks: Check[] } = await verified.json()
      if (passed) notify(strings.added(label), 'good')
      else setDiffering(checks.filter(({ outcome }) => outcome === 'differs'))
    } catch (refusal) {
      setError(messageOf(refusal))
    } finally {
      setStep('')
      await onChanged()
    }
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const dropped = event.dataTransfer
    if (!dropped || step !== '') return
    if (hasFolder(dropped)) setError(strings.noFolder)
    else void add(formOf([...dropped.files]))
  }
  const changed = () => {
    const files = [...(input.current?.files ?? [])]
    if (input.current) input.current.value = ''
    if (files.length > 0) void add(formOf(files))
  }
  const copy = (id: string) => {
    const form = new FormData()
    form.set('found', id)
    return add(form)
  }
  const others = found.value?.found ?? []
  return (
    <section class="sheet" aria-label={strings.own}>
      <h2>{strings.own}</h2>
      <div class={isOver ? 'drop over' : 'drop'} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
        <input ref={input} type="file" hidden multiple accept={TYPES} aria-label={strings.ownFiles} onChange={changed} />
        <p>{strings.dropModel}</p>
        <button type="button" disabled={step !== ''} onClick={() => input.current?.click()}>
          {strings.chooseFiles}
        </button>
        <p class="soft">{strings.ownKinds}</p>
      </div>
      {step && (
        <div role="status">
          <p class="text clip">{step}</p>
          <Progress value={null} label={step} />
        </div>
      )}
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      {differing.length > 0 && (
        <div class="callout warn" role="alert">
          <p>{strings.differs}</p>
          <ul>
            {differing.map(({ title, found: what }) => (
              <li key={title} class="text">
                {title}: {what}
              </li>
            ))}
          </ul>
        </div>
      )}
      {others.length > 0 && (
        <>
          <h3>{strings.found}</h3>
          <p class="soft">{strings.foundNote}</p>
          <ul class="offers">
            {others.map(({ id, label, size_bytes: size, nb_files: files }) => (
              <li key={id} class="offered">
                <span class="kind k7">
                  <Icon of="model" />
                </span>
                <span class="grow">
                  <b class="text one-line">{label}</b>
                  <small>{strings.foundFacts(bytes(size), files)}</small>
                </span>
                <Action disabled={step !== ''} aria-label={strings.of(strings.copy, label)} onPress={() => copy(id)}>
                  {strings.copy}
                </Action>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
