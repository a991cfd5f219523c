// Projects: what people work on, in one table.

import type { Address } from '#control-plane/web/frame/address.ts'
import { useChoices } from '#control-plane/web/frame/address.ts'
import { get, patch, post, remove } from '#control-plane/web/lib/api.ts'
import { Action, Confirm, Dialog, Field, FindField, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { ago, soundLength } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify, reportFailure } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { KindField } from '#control-plane/web/look/kind-field.tsx'
import { focusNextRow } from '#control-plane/web/takes/delete-takes.ts'
import { strings } from '#messages/library/projects.ts'
import { strings as shared } from '#messages/shared.ts'
import { deleteProject } from './delete-project.ts'
import type { Project } from './rows.ts'
import { LOOKS, projectsOf } from './rows.ts'

/** Rows that are drawn at once. */
const STEP = 200
const QUESTION_CHARS = 60

function Rename({ project, onClose, onChanged }: { project: Project; onClose: () => void; onChanged: () => Promise<unknown> }) {
  const [name, setName] = useState(project.name)
  const send = async () => {
    await patch(`/projects/${project.id}` as `/projects/${string}`, { name: name.trim() })
    await onChanged()
    onClose()
  }
  return (
    <Dialog title={strings.renameTitle} onClose={onClose}>
      <Form onSend={send} send={strings.rename} disabled={name.trim() === ''}>
        <Field label={strings.name}>
          <input value={name} maxlength={1000} onInput={(event: Event) => setName(fieldValue(event))} />
        </Field>
      </Form>
    </Dialog>
  )
}

function DeleteDub({
  project: { id, name },
  onClose,
  onChanged,
}: {
  project: Project
  onClose: () => void
  onChanged: () => Promise<unknown>
}) {
  const yes = async () => {
    await remove(`/dub/history/${encodeURIComponent(id)}` as `/dub/history/${string}`)
    notify(strings.deleted)
    await onChanged()
  }
  return (
    <Confirm
      title={strings.deleteTitle(name.slice(0, QUESTION_CHARS))}
      action={strings.deleteYes}
      keep={strings.keep}
      onYes={yes}
      onClose={onClose}
    >
      <p>{strings.deleteDub}</p>
    </Confirm>
  )
}

function Row({
  project,
  onChanged,
  ask,
}: {
  project: Project
  onChanged: () => Promise<unknown>
  ask: (question: 'rename' | 'delete', project: Project) => void
}) {
  const { id, kind, name, language, state, tone, length, at, href } = project
  const { icon, tint } = LOOKS[kind]
  /** A book that stopped belongs to its page. */
  const isOwn = kind !== 'dub' && kind !== 'audiobook' && kind !== 'story'
  const duplicate = async () => {
    const { state, video_path, audio_path, duration: seconds, kind: word } = await get(`/projects/${id}` as `/projects/${string}`)
    await post('/projects', { name: strings.copyOf(name), video_path, audio_path, duration: seconds, state, kind: word })
    notify(strings.duplicated)
    await onChanged()
  }
  return (
    <tr data-row>
      <th scope="row">
        <span class="named-voice">
          <span class={`kind k${tint}`}>
            <Icon of={icon} />
          </span>
          <span>
            {href === null ? (
              <b class="text one-line" dir="auto">
                {name}
              </b>
            ) : (
              <a class="text one-line" dir="auto" href={href}>
                {name}
              </a>
            )}
            <small class="phone-only">{state}</small>
          </span>
        </span>
      </th>
      <td class="of-kind">{strings.kindIn(strings.kinds[kind], language)}</td>
      <td class="of-language">
        <span class={`state ${tone}`}>
          {tone !== '' && <Icon of={tone === 'warn' ? 'warning' : 'check'} />}
          {state}
        </span>
      </td>
      <td class="made number">{length === null ? '' : soundLength(length)}</td>
      <td class="made">{ago(at)}</td>
      <td class="acts" aria-label={strings.actionsOf(name)}>
        {isOwn && (
          <>
            <button
              type="button"
              class="quiet icon-only"
              title={strings.rename}
              aria-label={`${strings.rename}: ${name}`}
              onClick={() => ask('rename', project)}
            >
              <Icon of="draft" />
            </button>
            <Action
              kind="quiet icon-only wide-only"
              title={strings.duplicate}
              aria-label={`${strings.duplicate}: ${name}`}
              onPress={duplicate}
            >
              <Icon of="files" />
            </Action>
          </>
        )}
        {(isOwn || kind === 'dub') && (
          <button
            type="button"
            class="quiet icon-only"
            data-delete
            title={isOwn ? strings.deleteYes : strings.delete}
            aria-label={`${isOwn ? strings.deleteYes : strings.delete} ${name}`}
            onClick={({ currentTarget }: MouseEvent) => {
              if (!isOwn) return ask('delete', project)
              if (currentTarget instanceof Element) focusNextRow(currentTarget)
              void deleteProject(project, onChanged).catch(reportFailure)
            }}
          >
            <Icon of="trash" />
          </button>
        )}
      </td>
    </tr>
  )
}

export function Projects({ address, hasPage }: { address: Address; hasPage: (page: string) => boolean }) {
  const reads = [useRead('/projects'), useRead('/dub/summaries'), useRead('/audiobook/jobs'), useRead('/longform/jobs?limit=500')]
  const [projects, dubs, books, made] = reads as [
    ReturnType<typeof useRead<'/projects'>>,
    ReturnType<typeof useRead<'/dub/summaries'>>,
    ReturnType<typeof useRead<'/audiobook/jobs'>>,
    ReturnType<typeof useRead<'/longform/jobs'>>,
  ]
  const [wanted, change] = useChoices(address.query, ['q', 'kind'])
  const [count, setCount] = useState(STEP)
  const [asked, setAsked] = useState<{ question: 'rename' | 'delete'; project: Project } | null>(null)
  const again = () => Promise.all(reads.map((read) => read.again()))
  const errors = [...new Set(reads.map(({ error }) => error).filter(Boolean))]
  const isRead = reads.every(({ value, error }) => value !== null || error !== '')
  const all = projectsOf(
    { projects: projects.value ?? [], dubs: dubs.value ?? [], books: books.value?.jobs ?? [], made: made.value?.jobs ?? [] },
    hasPage,
  )
  const text = wanted.q.trim().toLowerCase()
  const found = all.filter(
    (one) => (wanted.kind === '' || one.kind === wanted.kind) && (text === '' || one.name.toLowerCase().includes(text)),
  )
  const close = () => setAsked(null)
  return (
    <>
      {errors.map((error) => (
        <p key={error} class="callout bad text" role="alert">
          {error}{' '}
          <button type="button" class="quiet" onClick={again}>
            {shared.tryAgain}
          </button>
        </p>
      ))}
      {!isRead && (
        <>
          <p class="hidden" role="status">
            {shared.loading}
          </p>
          <div class="waiting" aria-hidden="true">
            {[1, 2, 3].map((one) => (
              <div key={one} class="skeleton"></div>
            ))}
          </div>
        </>
      )}
      {isRead && all.length === 0 && errors.length === 0 && (
        <div class="empty">
          <span class="kind k5 large">
            <Icon of="folder" isLarge />
          </span>
          <p>{strings.none}</p>
        </div>
      )}
      {/* All at once: what arrives later would move what is there. */}
      {isRead && all.length > 0 && (
        <>
          <div class="row voice-filters">
            <FindField value={wanted.q} label={strings.find} onFind={(q) => change({ q })} />
            <KindField
              label={strings.kind}
              all={strings.all}
              value={wanted.kind}
              kinds={strings.kinds}
              onChoose={(kind) => change({ kind })}
            />
            <span class="spread"></span>
            <small class="number" role="status">
              {strings.found(found.length)}
            </small>
          </div>
          {found.length === 0 ? (
            <p class="empty">
              {strings.noneFound}{' '}
              <button type="button" class="quiet" onClick={() => change({ q: '', kind: '' })}>
                {strings.showAll}
              </button>
            </p>
          ) : (
            <table class="list-table projects">
              <thead>
                <tr>
                  {Object.entries(strings.columns).map(([id, name]) => (
                    <th key={id} scope="col" class={`col-${id}`}>
                      {id === 'actions' ? <span class="hidden">{name}</span> : name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.slice(0, count).map((one) => (
                  <Row
                    key={one.kind + one.id}
                    project={one}
                    onChanged={again}
                    ask={(question: 'rename' | 'delete', project: Project) => setAsked({ question, project })}
                  />
                ))}
              </tbody>
            </table>
          )}
          {found.length > count && (
            <div class="row center">
              <button type="button" onClick={() => setCount(count + STEP)}>
                {strings.more(Math.min(STEP, found.length - count))}
              </button>
            </div>
          )}
        </>
      )}
      {asked?.question === 'rename' && <Rename project={asked.project} onClose={close} onChanged={again} />}
      {asked?.question === 'delete' && <DeleteDub project={asked.project} onClose={close} onChanged={again} />}
    </>
  )
}
