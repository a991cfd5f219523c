// The choice of the machine for work, and its effect at this moment.
import { messageOf, post } from '#control-plane/web/lib/api.ts'
import type { MachineFleet, RoutingView } from '#control-plane/web/lib/api-types.ts'
import { Badge, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { useMemo, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { serverSentence, serverTextsVersion } from '#control-plane/web/lib/server-texts.ts'
import { strings } from '#messages/machines/machine-views.ts'
import { strings as shared } from '#messages/shared.ts'

export type Target = RoutingView['targets'][number]

const words = strings.routing
const EVERY_MS = 4000

const optionOf = ({ id, label, available, detail, is_local }: Target) => {
  const name = is_local ? shared.thisMachine : isolated(short(label))
  return (
    <option key={id} value={id} disabled={!available}>
      {available ? name : words.unavailable(name, serverSentence(detail))}
    </option>
  )
}

export function placeOf({ active, target }: RoutingView) {
  if (!active.remote) return words.thisMachine
  return target === 'auto' ? words.fastest : active.label
}

const Now = ({ view }: { view: RoutingView }) => (
  <p class="now row">
    <Badge tone={view.active.reason === 'chosen' ? 'good' : 'warn'}>{words.runningOn(isolated(short(placeOf(view))))}</Badge>
    {view.active.reason !== 'chosen' && (
      <span class="text" data-part="reason">
        {serverSentence(view.active.reason)}
      </span>
    )}
  </p>
)

export function Routing({ fleet }: { fleet: MachineFleet }) {
  const [operation, setOperation] = useState('')
  const { value: view, error, reload } = usePolled(`/workers/target?op=${operation}`, EVERY_MS, fleet)
  const [refusal, setRefusal] = useState('')
  const choose = async (event: Event) => {
    setRefusal('')
    try {
      await post('/workers/target', { target: fieldValue(event) })
      notify(words.saved)
    } catch (failure) {
      setRefusal(messageOf(failure))
    }
    await reload()
  }
  // A thousand options are created once per answer, not once per drawing.
  const options = useMemo(() => {
    const own = view?.targets.filter(({ is_local }) => is_local) ?? []
    const others = view?.targets.filter(({ is_local }) => !is_local) ?? []
    return [
      own.map(optionOf),
      <option key="auto" value="auto">
        {words.automatic}
      </option>,
      others.map(optionOf),
    ]
  }, [view, serverTextsVersion()])
  if (!view)
    return (
      <section class="sheet">
        <h2>{words.title}</h2>
        <p class={error ? 'callout bad' : 'empty'}>{error || shared.loading}</p>
      </section>
    )
  return (
    <section class="sheet" aria-label={words.title}>
      <h2>{words.title}</h2>
      <div class="row pair">
        <Field label={words.target}>
          <select value={view.target} onChange={choose}>
            {options}
          </select>
        </Field>
        <Field label={words.showFor}>
          <select value={operation} onChange={(event: Event) => setOperation(fieldValue(event))}>
            {words.operations.map(([op, name]) => (
              <option key={op} value={op}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <Now view={view} />
      {refusal && (
        <p class="callout bad text" role="alert">
          {refusal}
        </p>
      )}
      {error && <p class="callout bad text">{error}</p>}
    </section>
  )
}
