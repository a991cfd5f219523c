// The takes that the studio keeps: play, star, download, delete.
import { put, remove } from '#control-plane/web/lib/api.ts'
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { Action, Confirm } from '#control-plane/web/lib/controls.tsx'
import { ago, duration, exact } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { spokenBy } from '#control-plane/web/lib/names.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { useGrowing } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/speak.ts'
import { informationOf } from './request.ts'

/** The engine, and its voice unless they have one name. */
function speakerOf(take: HistoryTake) {
  const engine = spokenBy(take) || strings.unknownEngine
  return take.voice && take.voice !== engine.toLowerCase() ? `${engine} · ${strings.voiceOf(take.voice)}` : engine
}

function Facts({ take }: { take: HistoryTake }) {
  const created = new Date(take.created_at * 1000)
  const how = [strings.lengthOf(duration(take.duration_seconds), duration(take.generation_time)), strings.seedOf(take.seed)].join(' · ')
  return (
    <p class="marks soft" title={how}>
      <span class="text clip">{speakerOf(take)}</span>
      <time dateTime={created.toISOString()} title={exact(take.created_at)}>
        {ago(take.created_at)}
      </time>
    </p>
  )
}

function Row({
  take,
  substitutes,
  isSelected,
  onPlay,
  onChanged,
  onDelete,
}: {
  take: HistoryTake
  substitutes: readonly string[]
  isSelected: boolean
  onPlay: (take: HistoryTake) => void
  onChanged: () => Promise<void>
  onDelete: (take: HistoryTake) => void
}) {
  const name = take.text.slice(0, 40)
  const isStarred = take.starred === 1
  const information = informationOf(take.notice, substitutes)
  const star = async () => {
    await put(`/history/${take.id}/starred`, { starred: !isStarred })
    await onChanged()
  }
  return (
    <li class="take" aria-current={isSelected ? 'true' : undefined}>
      <p class="text clip" dir="auto">
        {take.text}
      </p>
      <Facts take={take} />
      {information && (
        <p class="soft text clip">
          <strong>{strings.note}</strong>
          {information}
        </p>
      )}
      <div class="row">
        <button type="button" class="play" title={strings.play} aria-label={strings.playTake(name)} onClick={() => onPlay(take)}>
          <Icon of="play" isSolid />
        </button>
        <small class="number">{duration(take.duration_seconds)}</small>
        <span class="spread"></span>
        <Action
          kind={isStarred ? 'quiet icon-only starred' : 'quiet icon-only'}
          aria-pressed={isStarred}
          title={strings.starTake(name, isStarred)}
          aria-label={strings.starTake(name, isStarred)}
          onPress={star}
        >
          <Icon of="star" isSolid={isStarred} />
        </Action>
        <a
          class="button quiet icon-only"
          href={`/audio/${take.audio_path}`}
          download={take.audio_path}
          title={strings.downloadTake(name)}
          aria-label={strings.downloadTake(name)}
        >
          <Icon of="download" />
        </a>
        <button
          type="button"
          class="quiet icon-only"
          title={strings.deleteTake(name)}
          aria-label={strings.deleteTake(name)}
          onClick={() => onDelete(take)}
        >
          <Icon of="trash" />
        </button>
      </div>
    </li>
  )
}

export function Takes({
  takes,
  substitutes,
  error,
  selectedId,
  onPlay,
  onChanged,
}: {
  /** null until they are read */
  takes: HistoryTake[] | null
  /** sentences about substitute engines that the form shows */
  substitutes: readonly string[]
  error: string
  selectedId: string | null
  onPlay: (take: HistoryTake) => void
  onChanged: () => Promise<void>
}) {
  const [deleting, setDeleting] = useState<HistoryTake | 'all' | null>(null)
  const drawn = useGrowing(takes?.length ?? 0)
  const close = () => setDeleting(null)
  const deleteAll = async () => {
    await remove('/history')
    await onChanged()
  }
  const deleteOne = async ({ id }: HistoryTake) => {
    await remove(`/history/${id}`)
    await onChanged()
  }
  return (
    <section class="takes-side" aria-label={strings.takes}>
      <div class="row">
        <h2 title={strings.takesNote}>{strings.takes}</h2>
        {takes !== null && takes.length > 0 && <small class="number">{takes.length}</small>}
        <span class="spread"></span>
        {takes !== null && takes.length > 0 && (
          <button type="button" class="quiet" onClick={() => setDeleting('all')}>
            {strings.deleteAll}
          </button>
        )}
      </div>
      {error && (
        <p class="callout bad" role="alert">
          {error}
        </p>
      )}
      {takes?.length === 0 && <p class="empty">{strings.noTakes}</p>}
      <ul class="takes">
        {takes?.slice(0, drawn).map((take) => (
          <Row
            key={take.id}
            take={take}
            substitutes={substitutes}
            isSelected={take.id === selectedId}
            onPlay={onPlay}
            onChanged={onChanged}
            onDelete={setDeleting}
          />
        ))}
      </ul>
      {deleting === 'all' && (
        <Confirm title={strings.deleteAllTitle} action={strings.deleteAll} onClose={close} onYes={deleteAll}>
          <p>{strings.deleteAllWarning}</p>
        </Confirm>
      )}
      {deleting !== null && deleting !== 'all' && (
        <Confirm title={strings.deleteTitle} action={strings.delete} onClose={close} onYes={() => deleteOne(deleting)}>
          <p class="text clip" dir="auto">
            {deleting.text}
          </p>
          <p>{strings.deleteWarning}</p>
        </Confirm>
      )}
    </section>
  )
}
