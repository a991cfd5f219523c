// The takes that the studio keeps: find, play, star, download, delete.

import { put } from '#control-plane/web/lib/api.ts'
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { FindField } from '#control-plane/web/lib/controls.tsx'
import { ago, duration, exact, soundLength } from '#control-plane/web/lib/format.ts'
import { useEffect, useState, useSteady } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { spokenBy } from '#control-plane/web/lib/names.ts'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { togglePlaying, useSound } from '#control-plane/web/look/sound.ts'
import { useGrowing } from '#control-plane/web/look/windowed.ts'
import { deleteTake, deleteTakes, focusNextRow } from '#control-plane/web/takes/delete-takes.ts'
import { DownloadMenu } from '#control-plane/web/takes/download-menu.tsx'
import { MoreTakes } from '#control-plane/web/takes/more-takes.tsx'
import { useTakeChoice } from '#control-plane/web/takes/take-choice.ts'
import { type TakeCounts, useTakeCounts, useTakePages } from '#control-plane/web/takes/take-pages.ts'
import { mayAdminister } from '#control-plane/web/visitor.ts'
import { strings } from '#messages/create/speak.ts'
import { strings as words } from '#messages/library/takes.ts'
import { listTakes } from '../speak-sound/play-take.ts'
import { informationOf, takeOf } from './request.ts'

const Comparison = whenOpened(() => import('../speak-sound/compare.tsx').then(({ Compare }) => Compare), { isQuiet: true })

/** The engine, and its voice unless they have one name. */
function speakerOf(take: HistoryTake) {
  const engine = spokenBy(take) || strings.unknownEngine
  return take.voice && take.voice !== engine.toLowerCase() ? `${engine} · ${strings.voiceOf(take.voice)}` : engine
}

function Facts({ take }: { take: HistoryTake }) {
  const created = new Date(take.created_at * 1000)
  const how = [strings.lengthOf(soundLength(take.duration_seconds), duration(take.generation_time)), strings.seedOf(take.seed)].join(' · ')
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
  formats,
  isSelected,
  letter,
  onPlay,
  onStar,
  onCompare,
  onDelete,
}: {
  take: HistoryTake
  substitutes: readonly string[]
  formats: TakeCounts['formats'] | null
  isSelected: boolean
  /** A or B for a take that is compared, '' for the others */
  letter: string
  onPlay: (take: HistoryTake) => void
  onStar: (take: HistoryTake) => void
  onCompare: (take: HistoryTake) => void
  onDelete: (take: HistoryTake, button: HTMLElement) => void
}) {
  const name = take.text.slice(0, 40)
  const isStarred = take.starred === 1
  const information = informationOf(take.notice, substitutes)
  return (
    <li class="take" data-row aria-current={isSelected ? 'true' : undefined}>
      <p class="text clip" dir="auto">
        {take.text}
      </p>
      <Facts take={take} />
      {information && (
        <p class="soft text clip">
          <strong>{strings.note}</strong>
          {serverSentence(information)}
        </p>
      )}
      <div class="row">
        <PlayButton
          path={`/audio/${take.audio_path}`}
          label={strings.playTake(name)}
          pauseLabel={strings.pauseTake(name)}
          kind="play"
          onPress={() => onPlay(take)}
        />
        <small class="number">{soundLength(take.duration_seconds)}</small>
        <span class="spread"></span>
        <button
          type="button"
          class={isStarred ? 'quiet icon-only starred' : 'quiet icon-only'}
          aria-pressed={isStarred}
          title={strings.starTake(name, isStarred)}
          aria-label={strings.starTake(name, isStarred)}
          onClick={() => onStar(take)}
        >
          <Icon of="star" isSolid={isStarred} />
        </button>
        <button
          type="button"
          class="quiet icon-only"
          aria-pressed={letter !== ''}
          title={words.compareOf(name)}
          aria-label={words.compareOf(name)}
          onClick={() => onCompare(take)}
        >
          {letter === '' ? <Icon of="compare" /> : <b aria-hidden="true">{letter}</b>}
        </button>
        <DownloadMenu take={take} name={name} formats={formats} />
        <button
          type="button"
          class="quiet icon-only"
          data-delete
          title={strings.deleteTake(name)}
          aria-label={strings.deleteTake(name)}
          onClick={(event) => onDelete(take, event.currentTarget)}
        >
          <Icon of="trash" />
        </button>
      </div>
    </li>
  )
}

export function Takes({
  takes: first,
  substitutes,
  error,
  selectedId,
  onPlay,
  onChanged,
}: {
  /** the newest ones, null until they are read */
  takes: HistoryTake[] | null
  /** sentences about substitute engines that the form shows */
  substitutes: readonly string[]
  error: string
  selectedId: string | null
  onPlay: (take: HistoryTake) => void
  /** called when the selected take was deleted */
  onChanged: () => Promise<void>
}) {
  const [choice, choose] = useTakeChoice()
  const { takes, hasMore, isReading, error: failure, more, drop, patch, again } = useTakePages(first, choice)
  const { counts } = useTakeCounts()
  const sound = useSound()
  const drawn = useGrowing(takes?.length ?? 0)
  const [compared, setCompared] = useState([] as readonly HistoryTake[])
  useEffect(() => listTakes((takes ?? []).map(takeOf)), [takes])
  const isChosen = choice.q.trim() !== '' || choice.starred
  const failed = (reason: unknown) => {
    reportFailure(reason)
    void again()
  }
  const { play, star, compare, deleteOne, deleteAll } = useSteady({
    play: (take: HistoryTake) => {
      if (sound.path !== `/audio/${take.audio_path}` || !togglePlaying()) onPlay(take)
    },
    star: (take: HistoryTake) => {
      const starred = take.starred === 0
      patch(take.id, { starred: starred ? 1 : 0 })
      put(`/history/${take.id}/starred`, { starred }).catch(failed)
    },
    compare: (take: HistoryTake) => {
      const others = compared.filter(({ id }) => id !== take.id)
      setCompared(others.length < compared.length ? others : [...compared, take].slice(-2))
    },
    deleteOne: async (take: HistoryTake, button: HTMLElement) => {
      focusNextRow(button)
      drop(take.id)
      setCompared(compared.filter(({ id }) => id !== take.id))
      try {
        await deleteTake(take)
        if (take.id === selectedId) await onChanged()
      } catch (reason) {
        failed(reason)
      }
    },
    deleteAll: async () => {
      try {
        await deleteTakes((counts?.takes ?? 0) - (counts?.starred ?? 0))
        await onChanged()
      } catch (reason) {
        failed(reason)
      }
    },
  })
  const errors = [...new Set([error, failure].filter(Boolean))]
  const isEmpty = takes?.length === 0 && !isReading
  const hasUnstarred = counts !== null && counts.takes > counts.starred
  return (
    <section class="takes-side" aria-label={strings.takes}>
      <div class="row">
        <h2 tabIndex={-1}>{strings.takes}</h2>
        {counts !== null && counts.takes > 0 && <small class="number">{words.count(counts.takes)}</small>}
        <span class="spread"></span>
        <div class="row segments" role="group" aria-label={words.from}>
          {[false, true].map((starred) => (
            <button
              key={String(starred)}
              type="button"
              class="quiet"
              aria-pressed={choice.starred === starred}
              onClick={() => choose({ starred })}
            >
              {starred && <Icon of="star" />}
              {starred ? words.starred : words.all}
            </button>
          ))}
        </div>
      </div>
      <FindField look="wide" maxLength={200} value={choice.q} label={words.find} onFind={(q) => choose({ q })} />
      {counts !== null && counts.takes > 0 && !isChosen && (
        <div class="row kept">
          {counts.next_removes > 0 ? (
            <small>
              {words.nextRemoves(counts.next_removes, counts.cap)}{' '}
              {mayAdminister && <a href="#/settings/general?row=history.retention">{words.change}</a>}
            </small>
          ) : (
            <small>{counts.cap > 0 ? words.keeps(counts.cap) : words.keepsAll}</small>
          )}
          <span class="spread"></span>
          {mayAdminister && hasUnstarred && (
            <button type="button" class="quiet" title={words.deleteAllHint} onClick={deleteAll}>
              {words.deleteAll}
            </button>
          )}
        </div>
      )}
      {errors.map((one) => (
        <p key={one} class="callout bad" role="alert">
          {one}
        </p>
      ))}
      {compared.length > 0 && <Comparison.View takes={compared} onClose={() => setCompared([])} />}
      {isEmpty && !isChosen && <p class="empty">{strings.noTakes}</p>}
      {isEmpty && isChosen && (
        <p class="empty">
          {words.noneFound}{' '}
          <button type="button" class="quiet" onClick={() => choose({ q: '', starred: false })}>
            {words.showAll}
          </button>
        </p>
      )}
      <ul class="takes" aria-busy={isReading}>
        {takes?.slice(0, drawn).map((take) => (
          <Row
            key={take.id}
            take={take}
            substitutes={substitutes}
            formats={counts?.formats ?? null}
            isSelected={take.id === selectedId}
            onPlay={play}
            letter={'AB'.charAt(compared.findIndex(({ id }) => id === take.id))}
            onStar={star}
            onCompare={compare}
            onDelete={deleteOne}
          />
        ))}
      </ul>
      {hasMore && <MoreTakes isReading={isReading} hasFailed={failure !== ''} onMore={more} />}
    </section>
  )
}
