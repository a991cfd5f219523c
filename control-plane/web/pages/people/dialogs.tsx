// The dialogs of people: a new key, which is shown once, and the end of a key or of all access.
import { post, remove } from '#control-plane/web/lib/api.ts'
import type { Person } from '#control-plane/web/lib/api-types.ts'
import { Confirm, Dialog, Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { isolated } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as frame } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/people.ts'
import { Secret } from '../connections/secret.tsx'
import { Choice, OneOf, type Rights, RightsFields } from './rights.tsx'

type Kind = Person['kind']
export type PersonKey = Person['keys'][number]
/** A question that a dialog asks. */
export type PersonQuestion =
  | { readonly ask: 'new'; readonly kind: Kind }
  | { readonly ask: 'key'; readonly person: Person; readonly replaces?: PersonKey }
  | { readonly ask: 'end-key'; readonly person: Person; readonly key: PersonKey }
  | { readonly ask: 'end'; readonly person: Person }
type Props = { onChanged: () => Promise<void>; onClose: () => void }

const EMAIL_CHARS = 254
const NAME_CHARS = 80
const DAYS = [7, 30, 90, 365]
const SOME_DAYS = 90

export const pathOf = ({ id }: Person) => `/people/${encodeURIComponent(id)}` as const
/** The name of a key for people: its label, or how it begins. */
export const keyName = ({ label, begins }: PersonKey) => label || `${begins}…`

const NameField = ({ label, value, onName }: { label: string; value: string; onName: (name: string) => void }) => (
  <Field label={label}>
    <input
      dir="auto"
      value={value}
      maxlength={NAME_CHARS}
      autocomplete="off"
      autofocus
      onInput={(event: Event) => onName(fieldValue(event))}
    />
  </Field>
)

/** `email`: empty for none; account: the id of the one that signs in, which is shown in place of an address */
export const EmailField = ({
  email,
  account,
  onEmail,
}: {
  email: string
  account?: string | null | undefined
  onEmail: (email: string) => void
}) => (
  <Field label={strings.email}>
    <input
      type="email"
      dir="ltr"
      value={email}
      placeholder={account ?? ''}
      maxlength={EMAIL_CHARS}
      autocomplete="off"
      onInput={(event: Event) => onEmail(fieldValue(event))}
    />
  </Field>
)
/** In the form of the API. */
export const signInBy = (email: string) => (email.trim() === '' ? null : { email: email.trim() })

const Ends = ({ value, onChoose }: { value: number | null; onChoose: (days: number | null) => void }) => (
  <Choice label={strings.columns.ends} none={strings.never} value={value} values={DAYS} textOf={strings.inDays} onChoose={onChoose} />
)

/** Beside the button that creates a key. */
const Beside = ({ onClose }: { onClose: () => void }) => (
  <>
    <button type="button" onClick={onClose}>
      {shared.cancel}
    </button>
    <small class="row shown-once">
      <Icon of="note" />
      {strings.once}
    </small>
  </>
)

/** Names of this machine that mean another one elsewhere. */
const LOCAL = /^(?:localhost|127\.[\d.]+|\[::1\])$/
/** The key, which this dialog forgets when it closes. A person receives it with the address of the studio. */
function Given({ name, kind, value, onClose }: { name: string; kind: Kind; value: string; onClose: () => void }) {
  const isPerson = kind === 'person'
  const { href } = new URL('.', location.href)
  return (
    <>
      <Secret
        text={isPerson ? strings.invitation(href, value) : value}
        label={strings.fact(strings.firstKey, name)}
        rows={isPerson ? 3 : 2}
        hasCode={isPerson}
      />
      {isPerson && LOCAL.test(location.hostname) && <p class="note">{strings.onlyHere}</p>}
      <footer>
        <button type="button" onClick={onClose}>
          {shared.done}
        </button>
      </footer>
    </>
  )
}

function NewPerson({ kind: asked, onChanged, onClose }: Props & { kind: Kind }) {
  const [name, setName] = useState('')
  const [kind, setKind] = useState(asked)
  const [rights, setRights] = useState<Rights>({ role: 'create', limits: {}, machines: null })
  const [days, setDays] = useState<number | null>(SOME_DAYS)
  const [email, setEmail] = useState('')
  const [key, setKey] = useState('')
  const send = async () => {
    setKey((await post('/people', { name: name.trim(), kind, ...rights, expires_in_days: days, sign_in: signInBy(email) })).key)
    await onChanged()
  }
  return (
    <Dialog title={asked === 'person' ? strings.invite : strings.createKey} onClose={onClose}>
      {key !== '' ? (
        <Given name={name.trim()} kind={kind} value={key} onClose={onClose} />
      ) : (
        <Form send={strings.createKey} onSend={send} disabled={name.trim() === ''} extra={<Beside onClose={onClose} />}>
          <div class="row pair">
            <NameField label={strings.columns.name} value={name} onName={setName} />
            <OneOf label={strings.for} value={kind} texts={Object.entries(strings.kinds)} onChoose={(one) => setKind(one as Kind)} />
          </div>
          {kind === 'person' && <EmailField email={email} onEmail={setEmail} />}
          <RightsFields
            group="new-role"
            value={rights}
            extra={<Ends value={days} onChoose={setDays} />}
            onChange={(more) => setRights({ ...rights, ...more })}
          />
        </Form>
      )}
    </Dialog>
  )
}

/** A key that replaces another one has its label. */
function NewKey({ person, replaces, onChanged, onClose }: Props & { person: Person; replaces?: PersonKey }) {
  const [label, setLabel] = useState(replaces?.label ?? '')
  const [days, setDays] = useState(replaces?.expires_at ? SOME_DAYS : null)
  const [oldEnds, setOldEnds] = useState('0')
  const [key, setKey] = useState('')
  const send = async () => {
    const body = { label: label.trim(), expires_in_days: days }
    const old = replaces ? { replaces: replaces.id, old_ends_in: Number(oldEnds) } : {}
    setKey((await post(`${pathOf(person)}/keys`, { ...body, ...old })).key)
    await onChanged()
  }
  return (
    <Dialog title={replaces ? strings.fact(strings.replace, keyName(replaces)) : strings.createKey} onClose={onClose}>
      {key !== '' ? (
        <Given name={person.name} kind={person.kind} value={key} onClose={onClose} />
      ) : (
        <Form send={strings.createKey} onSend={send} extra={<Beside onClose={onClose} />}>
          <NameField label={strings.columns.name} value={label} onName={setLabel} />
          <div class="row pair">
            <Ends value={days} onChoose={setDays} />
            {replaces && <OneOf label={strings.oldEnds} value={oldEnds} texts={Object.entries(strings.oldEndings)} onChoose={setOldEnds} />}
          </div>
        </Form>
      )}
    </Dialog>
  )
}

export function PersonDialog({ question, ...props }: Props & { question: PersonQuestion }) {
  const { ask } = question
  if (ask === 'new') return <NewPerson kind={question.kind} {...props} />
  const { person } = question
  if (ask === 'key') return <NewKey {...question} {...props} />
  const isKey = ask === 'end-key'
  const yes = async () => {
    await remove((isKey ? `${pathOf(person)}/keys/${encodeURIComponent(question.key.id)}` : pathOf(person)) as `/people/${string}`)
    notify(frame.saved)
    await props.onChanged()
  }
  return (
    <Confirm
      title={isKey ? strings.fact(strings.endKeyYes, keyName(question.key)) : strings.fact(strings.endYes, isolated(person.name))}
      action={isKey ? strings.endKeyYes : strings.endYes}
      onYes={yes}
      onClose={props.onClose}
    >
      <p>{strings.endText}</p>
    </Confirm>
  )
}
