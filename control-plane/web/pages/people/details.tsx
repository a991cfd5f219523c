// One person or program beside the list: what it may, its keys, and what it used this month.
import type { UsageRow } from '#control-plane/features/operate/people/people.contract.ts'
import { patch } from '#control-plane/web/lib/api.ts'
import type { Person } from '#control-plane/web/lib/api-types.ts'
import { Form } from '#control-plane/web/lib/controls.tsx'
import { ago, exact } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { engineName } from '#control-plane/web/lib/names.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as frame } from '#messages/frame.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/people.ts'
import { strings as settings } from '#messages/system/settings.ts'
import { EmailField, keyName, type PersonKey, type PersonQuestion, pathOf, signInBy } from './dialogs.tsx'
import { Face } from './face.tsx'
import { type Rights, RightsFields } from './rights.tsx'
import { enginesOf, hours } from './rows.ts'

type Ask = (question: PersonQuestion) => void

function RightsForm({ person, onChanged }: { person: Person; onChanged: () => Promise<void> }) {
  const [changed, change] = useState<Partial<Rights & { sign_in: ReturnType<typeof signInBy> }>>({})
  const save = async () => {
    await patch(pathOf(person), changed)
    change({})
    notify(frame.saved)
    await onChanged()
  }
  return (
    <Form send={shared.save} onSend={save} disabled={Object.keys(changed).length === 0}>
      {person.kind === 'person' && (
        <EmailField
          email={(changed.sign_in === undefined ? person.sign_in : changed.sign_in)?.email ?? ''}
          account={person.sign_in?.subject}
          onEmail={(email) => change({ ...changed, sign_in: signInBy(email) })}
        />
      )}
      <RightsFields group="role" value={{ ...person, ...changed }} onChange={(more) => change({ ...changed, ...more })} />
    </Form>
  )
}

function Keys({ person, onAsk }: { person: Person; onAsk: Ask }) {
  const { last, ends } = strings.columns
  const about = ({ created_at: created, last_used_at: used, expires_at: end }: PersonKey) =>
    [
      strings.fact(strings.created, exact(created).slice(0, 10)),
      strings.fact(last, ago(used)),
      ...(end === null ? [] : [strings.fact(ends, exact(end).slice(0, 10))]),
    ]
      .join(' · ')
      // A date is not broken at its hyphens.
      .replaceAll('-', '\u2011')
  return (
    <section aria-label={strings.keys}>
      <div class="row">
        <h3>{strings.keys}</h3>
        <span class="spread"></span>
        <button type="button" class="quiet" onClick={() => onAsk({ ask: 'key', person })}>
          {strings.createKey}
        </button>
      </div>
      {person.keys.length === 0 && <p class="soft">{strings.nothing}</p>}
      <ul class="events">
        {person.keys.map((key) => (
          <li key={key.id}>
            <b class="text" dir="auto">
              {key.label || strings.firstKey} <span class="mono">{key.begins}…</span>
            </b>
            <small>{about(key)}</small>
            <span class="row">
              <button
                type="button"
                aria-label={strings.fact(strings.replace, keyName(key))}
                onClick={() => onAsk({ ask: 'key', person, replaces: key })}
              >
                {strings.replace}
              </button>
              <button
                type="button"
                class="danger"
                aria-label={strings.fact(strings.endKeyYes, keyName(key))}
                onClick={() => onAsk({ ask: 'end-key', person, key })}
              >
                {strings.endKeyYes}
              </button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Usage({ engines }: { engines: ReturnType<typeof enginesOf> }) {
  return (
    <section aria-label={strings.columns.used}>
      <h3>{strings.columns.used}</h3>
      {engines.length === 0 ? (
        <p class="soft">{strings.none}</p>
      ) : (
        <dl class="facts">
          {engines.map(({ engine, tasks, sound, gpu }) => (
            <div key={engine}>
              <dt>{engineName(engine)}</dt>
              <dd class="number">
                {[
                  strings.taskCount(tasks),
                  ...(sound > 0 ? [strings.ofSound(hours(sound))] : []),
                  ...(gpu > 0 ? [strings.ofGpu(hours(gpu))] : []),
                ].join(' · ')}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

/** `back`: the address of the list */
export function PersonDetails({
  person,
  usage,
  back,
  onAsk,
  onChanged,
}: {
  person: Person
  usage: readonly UsageRow[]
  back: string
  onAsk: Ask
  onChanged: () => Promise<void>
}) {
  useEffect(() => {
    const opened = document.querySelector('[data-opened]')
    if (opened instanceof HTMLElement) opened.focus({ preventScroll: true })
  }, [person.id])
  const { id, name, kind, ended_at: ended } = person
  return (
    <aside class="details person" aria-label={name}>
      <a class="back" href={back}>
        {settings.groups.people[0]}
      </a>
      <header>
        <Face person={person} />
        <div>
          <h2 tabindex={-1} data-opened class="text clip" dir="auto">
            {name}
          </h2>
          <small>{ended === null ? strings.kinds[kind] : strings.fact(strings.columns.ends, exact(ended))}</small>
        </div>
        <a class="button quiet icon-only" href={back} aria-label={shared.close} title={shared.close}>
          <Icon of="close" />
        </a>
      </header>
      {ended === null && (
        <>
          <RightsForm key={id} person={person} onChanged={onChanged} />
          <Keys person={person} onAsk={onAsk} />
        </>
      )}
      <Usage engines={enginesOf(usage, id)} />
      {ended === null && (
        <section aria-label={strings.endYes}>
          <button type="button" class="danger" onClick={() => onAsk({ ask: 'end', person })}>
            {strings.endYes}
          </button>
        </section>
      )}
    </aside>
  )
}
