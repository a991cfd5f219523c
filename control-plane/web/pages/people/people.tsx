// People and keys, a section of Settings: who may use the studio, how much of it, and until when. The address is #/settings/people/<person>.
import type { UsageRow } from '#control-plane/features/operate/people/people.contract.ts'
import { queryOf, useChoices } from '#control-plane/web/frame/address.ts'
import { request } from '#control-plane/web/lib/api.ts'
import type { Person } from '#control-plane/web/lib/api-types.ts'
import { Progress } from '#control-plane/web/lib/controls.tsx'
import { ago, exact } from '#control-plane/web/lib/format.ts'
import { useCallback, useEffect, useState } from '#control-plane/web/lib/html.ts'
import { usePolled, useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { useIsPhone, useShownRows } from '#control-plane/web/look/windowed.ts'
import { strings as frame } from '#messages/frame.ts'
import { list } from '#messages/language.ts'
import { strings } from '#messages/system/people.ts'
import { strings as settings } from '#messages/system/settings.ts'
import { PersonDetails } from './details.tsx'
import { PersonDialog, type PersonQuestion } from './dialogs.tsx'
import { Face } from './face.tsx'
import { endOf, isIn, type Me, monthStart, type PersonRow, type PersonTab, rowsOf, type Spent, spentBy, useOf } from './rows.ts'

const EVERY_MS = 10_000
/** Pixels, as in the style sheet. */
const ROW = 56
const PHONE_ROW = 72
const TABS = Object.keys(strings.tabs) as PersonTab[]
const HOME = '#/settings/people'

/** `spent`: null for the owner, whose use is not counted */
function Used({ spent, minutes }: { spent: Spent | null; minutes: number | null }) {
  if (!spent) return strings.nothing
  const { text, share, isNearly } = useOf(spent, minutes)
  return (
    <span class={isNearly ? 'used nearly' : 'used'}>
      {share !== null && <Progress value={share} label={strings.columns.used} />}
      {text}
    </span>
  )
}

function endText(person: Person) {
  if (person.ended_at !== null) return exact(person.ended_at).slice(0, 10)
  const end = endOf(person)
  if (end === undefined) return strings.nothing
  return end === null ? strings.never : exact(end).slice(0, 10)
}

function Row({
  row: { person, isOwn },
  me,
  spent,
  isOpen,
  query,
}: {
  row: PersonRow
  me: Me | null
  spent: Spent
  isOpen: boolean
  query: string
}) {
  const name = person?.name ?? strings.you
  const role = frame.roles[person?.role ?? me?.role ?? 'own']
  const about = person ? list([strings.kinds[person.kind], strings.keyCount(person.keys.length)]) : strings.owner
  const used = { spent: person && spent, minutes: person?.limits.gpu_minutes_a_month ?? null }
  return (
    <tr aria-current={isOpen ? 'true' : undefined}>
      <th scope="row">
        <span class="named-voice">
          <Face person={person} />
          <span>
            {person && !isOwn ? (
              <a class="text one-line" dir="auto" href={`${HOME}/${encodeURIComponent(person.id)}${query}`}>
                {name}
              </a>
            ) : (
              <b class="text one-line" dir="auto">
                {name}
              </b>
            )}
            <small class="one-line">{isOwn && person ? strings.you : about}</small>
            <small class="phone-only">
              {role} · <Used {...used} />
            </small>
          </span>
        </span>
      </th>
      <td class="of-used number">
        <Used {...used} />
      </td>
      <td class="of-may">{role}</td>
      <td class="of-last">{person ? ago(person.last_used_at) : strings.nothing}</td>
      <td class="of-ends">{person ? endText(person) : strings.nothing}</td>
    </tr>
  )
}

/** The use of this month by all; null until it is read. Read again with `hint`. */
function useUsage(from: string, hint: unknown) {
  const [usage, set] = useState<readonly UsageRow[] | null>(null)
  useEffect(() => {
    request('GET', `/people/usage?from=${from}`)
      .then(async (answer) => set((await answer.json()).usage))
      .catch(() => {})
  }, [hint])
  return usage
}

export function People({ personId, query }: { personId: string; query: URLSearchParams }) {
  const { value: people, error, reload } = usePolled('/people?ended=true', EVERY_MS)
  const { value: me } = useRead('/people/me')
  const from = monthStart(Date.now() / 1000)
  const usage = useUsage(from, people) ?? []
  const [choices, choose] = useChoices(query, ['show'])
  const [question, ask] = useState<PersonQuestion | null>(null)
  const close = useCallback(() => ask(null), [])
  const tab = TABS.find((one) => one === choices.show) ?? 'all'
  const rows = rowsOf(people ?? [], me)
  const found = rows.filter((row) => isIn(tab, row))
  const height = useIsPhone() ? PHONE_ROW : ROW
  const { place, first, last } = useShownRows<HTMLTableSectionElement>({ count: found.length, row: height })
  const space = (count: number) => count > 0 && <tr role="presentation" class="space" style={{ height: `${count * height}px` }}></tr>
  const [title, help] = settings.groups.people
  const backQuery = queryOf(choices)
  const open = people?.find(({ id }) => id === personId)
  return (
    <div class={open || (personId !== '' && people === null) ? 'beside with-details' : 'beside'}>
      <div class="listed">
        <div class="row">
          <h2>{title}</h2>
          <span class="spread"></span>
          <button type="button" onClick={() => ask({ ask: 'new', kind: 'person' })}>
            <Icon of="person" />
            {strings.invite}
          </button>
          <button type="button" class="main" onClick={() => ask({ ask: 'new', kind: 'program' })}>
            <Icon of="plus" />
            {strings.createKey}
          </button>
        </div>
        <p class="soft">{help}</p>
        {error && (
          <p class="callout bad text" role="alert">
            {error}
          </p>
        )}
        <div class="row">
          <div class="row segments" role="group" aria-label={title}>
            {TABS.map((one) => (
              <button
                key={one}
                type="button"
                class="quiet"
                aria-pressed={one === tab}
                onClick={() => choose({ show: one === 'all' ? '' : one })}
              >
                {strings.tabs[one]} <small class="number">{rows.filter((row) => isIn(one, row)).length}</small>
              </button>
            ))}
          </div>
          <span class="spread"></span>
          <a class="button quiet" href={`/people/usage?format=csv&from=${from}`} download={`usage-${from}.csv`}>
            <Icon of="download" />
            {strings.usageFile}
          </a>
        </div>
        {found.length > 0 && (
          <table class="list-table people" aria-rowcount={found.length + 1}>
            <thead>
              <tr>
                {Object.entries(strings.columns).map(([id, name]) => (
                  <th key={id} scope="col" class={`col-${id}`}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody ref={place}>
              {space(first)}
              {found.slice(first, last).map((row) => (
                <Row
                  key={row.person?.id ?? ''}
                  row={row}
                  me={me}
                  spent={spentBy(usage, row.person?.id ?? '')}
                  isOpen={row.person?.id === personId}
                  query={backQuery}
                />
              ))}
              {space(found.length - last)}
            </tbody>
          </table>
        )}
        {people !== null && found.length === 0 && <p class="empty">{strings.none}</p>}
      </div>
      {open && <PersonDetails person={open} usage={usage} back={HOME + backQuery} onAsk={ask} onChanged={reload} />}
      {question && <PersonDialog question={question} onChanged={reload} onClose={close} />}
    </div>
  )
}
