// Files: what was made here, to play, download and delete.

import type { Address } from '#control-plane/web/frame/address.ts'
import { useChoices } from '#control-plane/web/frame/address.ts'
import { messageOf, remove } from '#control-plane/web/lib/api.ts'
import { Confirm, FindField } from '#control-plane/web/lib/controls.tsx'
import { ago, bytes, soundLength } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify, reportFailure } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { KindField } from '#control-plane/web/look/kind-field.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { playSound, stopSound } from '#control-plane/web/look/sound.ts'
import { useGrowing } from '#control-plane/web/look/windowed.ts'
import { deleteTake, focusNextRow } from '#control-plane/web/takes/delete-takes.ts'
import { DownloadMenu } from '#control-plane/web/takes/download-menu.tsx'
import { MoreTakes } from '#control-plane/web/takes/more-takes.tsx'
import { type TakeCounts, useTakeCounts, useTakePages } from '#control-plane/web/takes/take-pages.ts'
import { strings } from '#messages/library/files.ts'
import { strings as words } from '#messages/library/takes.ts'
import { strings as shared } from '#messages/shared.ts'
import { deleteProject } from '../projects/delete-project.ts'
import type { MadeFile } from './rows.ts'
import { filesOf, LOOKS } from './rows.ts'

/** Rows that are drawn without being asked for. */
const STEP = 200
const QUESTION_CHARS = 60
/** The files that the page shows; they stay a list when another page is opened. */
let listed: readonly MadeFile[] = []
const play = ({ sound, name, href, kind }: MadeFile): Promise<unknown> =>
  playSound(sound ?? '', {
    title: name,
    href: href ?? '#/files',
    isLong: kind !== 'take',
    list: () => listed.flatMap((one) => (one.sound === null ? [] : [{ path: one.sound, play: () => play(one) }])),
  }).catch((error) => notify(messageOf(error), 'error'))

function Row({
  file,
  formats,
  onDelete,
}: {
  file: MadeFile
  formats: TakeCounts['formats'] | null
  onDelete: (button: HTMLElement) => void
}) {
  const { kind, name, about, length, size, at, url, sound, href } = file
  const { icon, tint } = LOOKS[kind]
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
            <small class="phone-only">
              {[strings.kinds[kind], soundLength(length), ...(size == null ? [] : [bytes(size)])].join(' · ')}
            </small>
          </span>
        </span>
      </th>
      <td class="of-kind">{strings.kinds[kind]}</td>
      <td class="of-language">
        <span class="text one-line">{about}</span>
      </td>
      <td class="made number">{soundLength(length)}</td>
      <td class="made number">{size === null ? strings.removed : size === undefined ? '' : bytes(size)}</td>
      <td class="made">{ago(at)}</td>
      <td class="acts">
        {sound !== null && (
          <PlayButton path={sound} label={shared.playOf(name)} pauseLabel={shared.pauseOf(name)} onPress={() => play(file)} />
        )}
        {kind === 'take' ? (
          <DownloadMenu take={file} name={name} formats={formats} />
        ) : (
          <a
            class="button quiet icon-only"
            href={url}
            download={url.startsWith('/audio/') ? (url.split('/').at(-1) ?? '') : ''}
            title={strings.downloadOf(name)}
            aria-label={strings.downloadOf(name)}
          >
            <Icon of="download" />
          </a>
        )}
        <button
          type="button"
          class="quiet icon-only makes"
          data-delete
          title={strings.deleteOf(name)}
          aria-label={strings.deleteOf(name)}
          onClick={(event) => onDelete(event.currentTarget)}
        >
          <Icon of="trash" />
        </button>
      </td>
    </tr>
  )
}

type Wanted = Record<'q' | 'kind' | 'starred', string>

/** `count`: of the files, as text */
function Filters({ wanted, count, onChange }: { wanted: Wanted; count: string; onChange: (more: Partial<Wanted>) => void }) {
  const isStarred = wanted.starred === '1'
  return (
    <div class="row voice-filters">
      <FindField maxLength={200} value={wanted.q} label={strings.find} onFind={(q) => onChange({ q })} />
      <KindField label={strings.kind} all={strings.all} value={wanted.kind} kinds={strings.kinds} onChoose={(kind) => onChange({ kind })} />
      <button type="button" aria-pressed={isStarred} onClick={() => onChange({ starred: isStarred ? '' : '1' })}>
        <Icon of="star" isSolid={isStarred} />
        {words.starred}
      </button>
      <span class="spread"></span>
      <small class="number" role="status">
        {count}
      </small>
    </div>
  )
}

export function Files({ address, hasPage }: { address: Address; hasPage: (page: string) => boolean }) {
  const first = useRead('/history')
  const books = useRead('/longform/jobs?limit=500')
  const dubs = useRead('/dub/summaries')
  const [wanted, change] = useChoices(address.query, ['q', 'kind', 'starred'])
  const isStarred = wanted.starred === '1'
  const takes = useTakePages(first.value, { q: wanted.q, starred: isStarred })
  const { counts } = useTakeCounts()
  const projects = useRead('/projects')
  const reads = [books, dubs, projects]
  const [count, setCount] = useState(STEP)
  const [deleting, setDeleting] = useState<MadeFile | null>(null)
  const again = () => Promise.all([takes.again(), ...reads.map((read) => read.again())])
  const yes = async () => {
    if (!deleting) return
    if (deleting.sound !== null) stopSound(deleting.sound)
    const id = encodeURIComponent(deleting.id)
    if (deleting.kind === 'dub') await remove(`/dub/history/${id}` as `/dub/history/${string}`)
    else await remove(`/longform/jobs/${id}` as `/longform/jobs/${string}`)
    notify(strings.deleted)
    await again()
  }
  const ask = (file: MadeFile, button: HTMLElement) => {
    const take = takes.takes?.find(({ id }) => id === file.id)
    if (file.kind === 'transcript') {
      focusNextRow(button)
      return void deleteProject(file, again).catch(reportFailure)
    }
    if (file.kind !== 'take' || !take) return setDeleting(file)
    focusNextRow(button)
    takes.drop(take.id)
    deleteTake(take).catch((error) => {
      reportFailure(error)
      void takes.again()
    })
  }
  const errors = [...new Set([first.error, takes.error, ...reads.map(({ error }) => error)].filter(Boolean))]
  const isRead = (takes.takes !== null || errors.length > 0) && reads.every(({ value, error }) => value !== null || error !== '')
  const oldest = takes.hasMore ? (takes.takes?.at(-1)?.created_at ?? 0) : 0
  const all = filesOf(
    { takes: takes.takes ?? [], books: books.value?.jobs ?? [], dubs: dubs.value ?? [], projects: projects.value ?? [] },
    hasPage,
  )
  const text = wanted.q.trim().toLowerCase()
  const isWanted = ({ kind, name, at }: MadeFile) => {
    if (wanted.kind !== '' && kind !== wanted.kind) return false
    if (kind === 'take') return true
    // Older files follow when older takes are read, so that no row moves. A star is one of a take.
    return !isStarred && (wanted.kind !== '' || at >= oldest) && (text === '' || name.toLowerCase().includes(text))
  }
  const found = all.filter(isWanted)
  const hasMore = takes.hasMore && (wanted.kind === '' || wanted.kind === 'take')
  const isChosen = text !== '' || wanted.kind !== '' || isStarred
  const drawn = useGrowing(takes.hasMore ? found.length : Math.min(count, found.length))
  useEffect(() => {
    listed = found
  }, [found])
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
      {isRead && all.length === 0 && !isChosen && !takes.isReading && errors.length === 0 && (
        <div class="empty">
          <span class="kind k1 large">
            <Icon of="files" isLarge />
          </span>
          <p>{strings.none}</p>
        </div>
      )}
      {/* All at once: what arrives later would move what is there. */}
      {isRead && (all.length > 0 || isChosen) && (
        <>
          <Filters wanted={wanted} onChange={change} count={hasMore ? strings.foundSoFar(found.length) : strings.found(found.length)} />
          {found.length === 0 && !takes.isReading ? (
            <p class="empty">
              {strings.noneFound}{' '}
              <button type="button" class="quiet" onClick={() => change({ q: '', kind: '', starred: '' })}>
                {strings.showAll}
              </button>
            </p>
          ) : (
            <table class="list-table files">
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
                {found.slice(0, drawn).map((one) => (
                  <Row key={one.kind + one.id} file={one} formats={counts?.formats ?? null} onDelete={(button) => ask(one, button)} />
                ))}
              </tbody>
            </table>
          )}
          {hasMore && <MoreTakes isReading={takes.isReading} hasFailed={takes.error !== ''} onMore={takes.more} />}
          {!takes.hasMore && found.length > count && (
            <div class="row center">
              <button type="button" onClick={() => setCount(count + STEP)}>
                {strings.more(Math.min(STEP, found.length - count))}
              </button>
            </div>
          )}
        </>
      )}
      {deleting && (
        <Confirm
          title={strings.deleteTitle(deleting.name.slice(0, QUESTION_CHARS))}
          action={strings.deleteYes}
          keep={strings.keep}
          onYes={yes}
          onClose={() => setDeleting(null)}
        >
          <p>{strings.deleteHints[deleting.kind === 'dub' ? 'dub' : 'book']}</p>
        </Confirm>
      )}
    </>
  )
}
