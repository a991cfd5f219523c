// A kept transcript: its words, what is found in them, its files, and what becomes of it.

import type { ComponentChildren } from 'preact'
import { keepInAddress } from '#control-plane/web/frame/address.ts'
import { useObjectName } from '#control-plane/web/frame/object-name.ts'
import { SavedElsewhere, SavedState } from '#control-plane/web/kept-project/conflict.tsx'
import { ApiError, messageOf } from '#control-plane/web/lib/api.ts'
import type { NeedKind } from '#control-plane/web/lib/api-types.ts'
import { useChanges } from '#control-plane/web/lib/changes.ts'
import { Action, copyText, FindField, Popover } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useLayoutEffect, useMemo, useState } from '#control-plane/web/lib/html.ts'
import { notify, reportFailure } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { playSound } from '#control-plane/web/look/sound.ts'
import { useIsNarrow } from '#control-plane/web/look/windowed.ts'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/transcribe.ts'
import { strings as shared } from '#messages/shared.ts'
import { findIn, plainText, sharesOf, textOf } from './content.ts'
import { closeTranscript, download, FORMATS, openTranscript, transcriptKeeper, undoChange, useTranscript } from './kept.ts'
import { AttachSound, Side } from './side.tsx'
import { Turns } from './turns.tsx'

const GONE = 404

/** Returns why the transcript of the address can't be shown, and whether it is. */
function useOpened(project: string) {
  const [{ opened, error }, set] = useState({ opened: useTranscript().project === project ? project : '', error: '' })
  useLayoutEffect(() => {
    let isCurrent = true
    openTranscript(project).then(
      () => isCurrent && set({ opened: project, error: '' }),
      (failure) =>
        isCurrent && set({ opened: '', error: failure instanceof ApiError && failure.status === GONE ? strings.gone : messageOf(failure) }),
    )
    return () => {
      isCurrent = false
    }
  }, [project])
  return { isOpen: opened === project, error }
}

function Find({ text, count, chosen, onFind, onMove }: FindProps) {
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || count === 0) return
    event.preventDefault()
    onMove(event.shiftKey ? -1 : 1)
  }
  return (
    <div class="row find-words" onKeyDown={pressed}>
      <FindField value={text} label={strings.find} maxLength={200} onFind={onFind} />
      {text.trim() !== '' && (
        <>
          <span class="soft number" role="status">
            {count === 0 ? strings.notFound : strings.foundOf(chosen + 1, count)}
          </span>
          <button
            type="button"
            class="quiet icon-only"
            disabled={count === 0}
            aria-label={strings.previousFound}
            onClick={() => onMove(-1)}
          >
            <Icon of="up" />
          </button>
          <button type="button" class="quiet icon-only" disabled={count === 0} aria-label={strings.nextFound} onClick={() => onMove(1)}>
            <Icon of="down" />
          </button>
        </>
      )}
    </div>
  )
}
type FindProps = { text: string; count: number; chosen: number; onFind: (text: string) => void; onMove: (by: number) => void }

/** Address of the sound; '' while there is none. */
function useTranscriptSound(project: string) {
  const { value, again } = useRead(`/transcripts/${encodeURIComponent(project)}`)
  return {
    path: value?.sound ? `/transcripts/${encodeURIComponent(project)}/sound` : '',
    bytes: value?.sound?.bytes ?? 0,
    isRead: value !== null,
    again,
  }
}

type HeadProps = {
  project: string
  name: string
  isNarrow: boolean
  canUndo: boolean
  /** address of the sound; '' without one */
  path: string
  isFollowing: boolean
  onCopy: () => unknown
  onPlay: () => unknown
  onFollow: () => unknown
  children: ComponentChildren
}
function Head({ project, name, isNarrow, canUndo, path, isFollowing, onCopy, onPlay, onFollow, children }: HeadProps) {
  return (
    <header>
      <div class="row">
        {isNarrow && (
          <a class="back" href="#/transcribe">
            {strings.all}
          </a>
        )}
        <h2 class="text one-line grow" dir="auto" title={name}>
          {name}
        </h2>
        <SavedState keeper={transcriptKeeper} states={{}} />
        <button type="button" class="quiet icon-only" disabled={!canUndo} title={shared.undo} aria-label={shared.undo} onClick={undoChange}>
          <Icon of="undo" />
        </button>
        <Action onPress={onCopy}>{strings.copy}</Action>
        <Popover
          id="transcript-files"
          label={strings.downloadAs}
          face={
            <>
              <Icon of="download" />
              {strings.downloadAs}
            </>
          }
          look="formats"
        >
          <div class="body">
            {FORMATS.map((format) => (
              <button
                type="button"
                key={format}
                class="item"
                data-close
                onClick={() => void download(project, format).catch(reportFailure)}
              >
                <b>{strings.formatNames[format]}</b>
                <span class="soft">{strings.formatHints[format]}</span>
              </button>
            ))}
          </div>
        </Popover>
      </div>
      <div class="row">
        {path !== '' && (
          <PlayButton path={path} kind="main play" label={shared.playOf(name)} pauseLabel={shared.pauseOf(name)} onPress={onPlay} />
        )}
        {children}
        <span class="spread"></span>
        {path !== '' && (
          <label class="row follow">
            {strings.follow}
            <input type="checkbox" role="switch" class="switch" checked={isFollowing} onChange={onFollow} />
          </label>
        )}
      </div>
    </header>
  )
}

/** Before a transcript is deleted. In this module, which is loaded with it. */
export const closeEditor = (project: string) => closeTranscript(project)

type EditorProps = { project: string; name: string; query: URLSearchParams; list: ComponentChildren }
export function Editor({ project, name, query, list }: EditorProps) {
  useObjectName(name)
  const { isOpen, error } = useOpened(project)
  const { content, earlier } = useTranscript()
  const { state, error: keptError } = transcriptKeeper.useKept()
  useChanges('projects', ({ id }) => transcriptKeeper.heard(id))
  const sound = useTranscriptSound(project)
  const [text, setText] = useState('')
  const [wanted, choose] = useState(0)
  const [isFollowing, follow] = useState(true)
  const isNarrow = useIsNarrow('(max-width: 1099px)')
  const found = useMemo(() => findIn(content, text), [content.segments, text])
  // An edit may leave fewer places.
  const chosen = Math.max(0, Math.min(wanted, found.length - 1))
  const shares = useMemo(() => sharesOf(content), [content.segments])
  const order = shares.map(({ speaker }) => speaker).join('\n')
  const tints = useMemo(() => new Map(shares.flatMap(({ speaker }, at) => (speaker ? [[speaker, (at % 8) + 1] as const] : []))), [order])
  const start = Number(query.get('t') ?? Number.NaN)
  useEffect(() => {
    // Everywhere but in a field, which takes back what was typed there.
    const pressed = (event: KeyboardEvent) => {
      const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
      if (isField || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return
      event.preventDefault()
      undoChange()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  if (error)
    return (
      <p class="empty" role="alert">
        {error} <a href="#/transcribe">{strings.all}</a>
      </p>
    )
  if (!isOpen) return <p class="empty">{shared.loading}</p>
  const play = (from?: number) => {
    if (from !== undefined) keepInAddress({ t: String(Math.floor(from)) })
    const href = `#/transcribe/${encodeURIComponent(project)}`
    playSound(sound.path, { ...(from !== undefined && { from }), title: name, href, isLong: true }).catch(reportFailure)
  }
  const move = (by: number) => choose((chosen + by + found.length) % Math.max(1, found.length))
  const copy = () => copyText(plainText(content)).then(() => notify(strings.copied))
  const beginning = (other: typeof content) => {
    const at = other.segments.findIndex((one, place) => JSON.stringify(one) !== JSON.stringify(content.segments[place]))
    return other.segments
      .slice(Math.max(0, at), Math.max(0, at) + 3)
      .map(textOf)
      .join(' ')
  }
  const side = <Side project={project} content={content} shares={shares} tints={tints} sound={sound} onPlay={play} />
  return (
    <div class="transcript-work">
      {!isNarrow && list}
      <section class="transcript" aria-label={strings.title}>
        <Head
          project={project}
          name={name}
          isNarrow={isNarrow}
          canUndo={earlier.length > 0}
          path={sound.path}
          isFollowing={isFollowing}
          onCopy={copy}
          onPlay={() => play()}
          onFollow={() => follow(!isFollowing)}
        >
          <Find
            text={text}
            count={found.length}
            chosen={chosen}
            onMove={move}
            onFind={(typed) => {
              setText(typed)
              choose(0)
            }}
          />
        </Head>
        <SavedElsewhere keeper={transcriptKeeper} question={strings.changedElsewhere} beginningOf={beginning} />
        {(state === 'failed' || state === 'too-large') && keptError && (
          <p class="callout bad text" role="alert">
            {strings.notSaved} {keptError}
          </p>
        )}
        {content.needs && <Needs.View of={content.needs as NeedKind} />}
        {!content.needs && content.notice && (
          <p class="note text">
            <Icon of="note" />
            {serverSentence(content.notice)}
          </p>
        )}
        {sound.isRead && sound.path === '' && <AttachSound project={project} onAttached={sound.again} />}
        {isNarrow && (
          <details class="transcript-about">
            <summary>{strings.about}</summary>
            {side}
          </details>
        )}
        {content.segments.length === 0 ? (
          <p class="empty">{strings.silent}</p>
        ) : (
          <Turns
            content={content}
            tints={tints}
            path={sound.path}
            found={found}
            chosen={chosen}
            isFollowing={isFollowing}
            onFollow={follow}
            start={Number.isFinite(start) ? start : null}
            onPlay={play}
          />
        )}
      </section>
      {!isNarrow && <aside class="transcript-side">{side}</aside>}
    </div>
  )
}
