// The editor of one dub: its steps, the table of its lines, and what is played beside it.

import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import { isActive } from '#control-plane/web/frame/job.ts'
import { useObjectName } from '#control-plane/web/frame/object-name.ts'
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSteady } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useIsPhone } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/dub.ts'
import { useDraft } from '../dub/draft.ts'
import { isSameLanguage, languageName } from '../dub/languages.ts'
import type { Edit, Line } from '../dub/lines.ts'
import { createLineReader, filtered, moment, needsReview, own } from '../dub/lines.ts'
import { useLineSound } from '../dub/sound.ts'
import { speechFor } from '../dub/speech.ts'
import { afterRun, withoutStored } from '../dub/stored.ts'
import type { DubRow, Work } from '../dub/work.ts'
import { useWork } from '../dub/work.ts'
import { useCast } from '../dub-panel/cast.ts'
import { Film, playFilm, shuttleFilm } from '../dub-panel/film.tsx'
import { withNames } from '../dub-panel/names.ts'
import { Notes } from '../dub-panel/notes.tsx'
import { OwnBegin, Preparing } from '../dub-start/preparing.tsx'
import { movedEdge } from '../dub-timeline/view.ts'
import { Bar, useAnnounced, useEditKeys } from './bar.tsx'
import { canJoin, canSplit, insertLine, joinLines, nextOf, roomFor, splitLine, withEdit, withText, withVoice } from './edits.ts'
import { markedAfter, rebased, typingStep } from './history.ts'
import { useRuns } from './runs.ts'
import { Busy, Next, Steps } from './steps.tsx'
import { LineTable } from './table.tsx'
import { Tools } from './tools.tsx'

export type Props = { id: string; query: URLSearchParams }

const OwnTimeline = whenOpened(() => import('../dub-timeline/timeline.tsx').then(({ Timeline }) => Timeline), { isQuiet: true })
const LATER = { isQuiet: true, isSoon: true }
const OwnVoices = whenOpened(() => import('./dialogs.tsx').then(({ Voices }) => Voices), LATER)
const OwnExport = whenOpened(() => import('../dub-panel/export.tsx').then(({ Export }) => Export), LATER)
const OwnDetails = whenOpened(() => import('./inspector.tsx').then(({ LineDetails }) => LineDetails), LATER)
const OwnNames = whenOpened(() => import('../dub-panel/speakers.tsx').then(({ FoundNames }) => FoundNames), LATER)
const OwnWaiting = whenOpened(() => import('../dub-panel/waiting.tsx').then(({ Waiting }) => Waiting), LATER)
const OwnCheck = whenOpened(() => import('../dub-panel/check.tsx').then(({ Check }) => Check), LATER)
const OwnImport = whenOpened(() => import('../dub-panel/import-note.tsx').then(({ ImportNote }) => ImportNote), LATER)
const OwnGlossary = whenOpened(() => import('./glossary.tsx').then(({ Glossary }) => Glossary), LATER)

/** Keeps the language and the line in the address, without a new entry in the history of the browser. */
function keepAddress(id: string, lang: string, line: string) {
  const choices = new URLSearchParams({ ...(lang && { lang }), ...(line && { line }) }).toString()
  history.replaceState(null, '', `#/dub/${encodeURIComponent(id)}${choices ? `?${choices}` : ''}`)
}

/** Place at which the text of a line is split: that of the caret in it; null without one. */
function caretOf(line: Line) {
  const field = document.querySelector(line.target === '' ? '.line-details textarea' : '.dub-rows [aria-current="true"] textarea')
  return field instanceof HTMLTextAreaElement && field.selectionStart > 0 ? field.selectionStart : null
}

const newLineId = () => `n${crypto.randomUUID().slice(0, 8)}`

export function Editor({ id, query }: Props) {
  const work = useWork(id)
  useObjectName(work.row?.filename ?? '')
  if (work.row === null || work.stored === null || work.stored.audio_path === null)
    return (
      <div class="dub-editor">
        <a class="back" href="#/dub">
          {strings.allDubs}
        </a>
        {work.error && (
          <p class="callout bad text" role="alert">
            {work.error}
          </p>
        )}
        {work.isMissing && work.job?.status !== 'failed' && (
          <p class="callout bad" role="alert">
            {strings.missing}
          </p>
        )}
        <Preparing id={id} work={work} />
      </div>
    )
  return <Lines id={id} query={query} work={work} row={work.row} />
}

/** Long factory: the state of the editor, and the markup of its parts. */
function Lines({ id, query, work, row }: Props & { work: Work; row: DubRow }) {
  const stored = work.stored as NonNullable<Work['stored']>
  const { draft, change, undoing: quietly, isLost } = useDraft(id)
  const { undoing, said, say } = useAnnounced(quietly)
  const code =
    draft.target || (query.get('lang') ?? '') || row.language_code.replace(/^und$/, '') || (Object.keys(stored.segments_i18n)[0] ?? '')
  const [selected, select] = useState(query.get('line') ?? '')
  const [filter, setFilter] = useState({ find: '', speaker: '', onlyReview: false })
  const [opened, setOpened] = useState<'' | 'voices' | 'glossary' | 'export'>('')
  const [track, setTrack] = useState(own(stored.dubbed_tracks, code) === undefined ? '' : code)
  const media = useRef<HTMLMediaElement | null>(null)
  const isPhone = useIsPhone()
  const targetName = code ? languageName(code) : strings.translation
  const sourceName = stored.source_lang ? languageName(stored.source_lang) : strings.original
  const readLines = useMemo(createLineReader, [id])
  const lines = useMemo(() => readLines(stored, draft, code), [stored, draft, code])
  const { speakers, speaker, make: makeSpeaker, found } = useCast({ draft, lines, change })
  const shown = useMemo(() => filtered(lines, filter), [lines, filter])
  const runs = useRuns({ id, code, targetName, stored, lines, draft, change, work })
  const { translating, notices, error, need, check, spoken } = runs
  const { sounding, play } = useLineSound(id, { code, name: code ? targetName : 'Auto', order: stored.seg_order ?? [] })
  const isSpoken = own(stored.dubbed_tracks, code) !== undefined
  const isRefit = isSpoken && (own(stored.fit_plans, code)?.strategy ?? draft.strategy) !== draft.strategy
  const reviews = lines.filter(needsReview).length
  useEffect(() => keepAddress(id, code, selected), [code, selected])

  const editText = (line: Line, text: string) =>
    change((now) => withText(now, code, line.id, text), typingStep(`${code} ${line.id}`, line.target, text))
  const editLine = (line: Line, edit: Edit) =>
    change(
      (now) => withEdit(now, stored, line.id, edit),
      edit.source === undefined ? '' : typingStep(`source ${line.id}`, line.source, edit.source),
    )
  const chooseVoice = (one: string, voice: string) => change((now) => withVoice(now, stored, one, { voice, lines }), '')
  const chooseLanguage = (next: string) => {
    runs.stopTranslation()
    change((now) => ({ ...now, target: next }))
    setTrack(own(stored.dubbed_tracks, next) === undefined ? '' : next)
    runs.closeCheck()
  }

  // Earlier states are differences to what the studio has. At once, before a key can undo.
  const known = useRef(stored)
  useLayoutEffect(() => {
    const last = known.current
    if (last !== stored) undoing.amend((earlier) => rebased(earlier, last, stored))
    known.current = stored
    change((now) => withoutStored(now, stored))
  }, [stored])
  useEffect(() => {
    const { translated } = work.report
    if (translated.length > 0)
      void import('../dub/translate.ts').then(({ withTranslated }) => change((now) => withTranslated(now, stored, translated)))
  }, [work.report])
  // A new track sounds at once beside the table.
  const before = useRef(work.stage)
  useLayoutEffect(() => {
    if (before.current === 'speak' && work.stage === null && isSpoken) setTrack(code)
    before.current = work.stage
  }, [work.stage, isSpoken])
  const run = draft.sent ? work.jobOf(draft.sent.job) : undefined
  useLayoutEffect(() => {
    if (run === undefined || isActive(run)) return
    const last = spoken.current
    change((now) => afterRun(now, run.status === 'done'))
    if (run.status === 'done' && last) undoing.amend((earlier) => markedAfter(earlier, stored, last.code, last.lines))
  }, [run?.status])

  const playFrom = (at: number) => {
    if (!media.current) return
    media.current.currentTime = at
    void playFilm(media.current)
  }
  const seek = (line: Line) => playFrom(line.start)
  const again = (line: Line) => {
    if (!canAct || !code) return
    const { missing, again } = speechFor(lines, line, isSpoken)
    return missing > 0 ? notify(strings.translateFirst(missing), 'error') : runs.speak(again)
  }
  const onRow = useSteady({ select, edit: editText, play, seek, again })
  const current = lines.find((line) => line.id === selected)
  const next = nextOf(lines, selected)
  // Lines cannot be split or joined while a translation arrives.
  const maySplit = translating === null && canSplit(current, lines.length)
  const mayJoin = translating === null && canJoin(current, next) && next !== undefined && shown.includes(next)
  const split = () => {
    if (!current || !maySplit) return
    const place = { caret: caretOf(current), at: media.current && media.current.currentTime > 0 ? media.current.currentTime : null }
    say(strings.lineSplit)
    change((now) => splitLine(now, stored, current, { code, place, newId: newLineId() }), '')
  }
  const join = () => {
    if (!current || !next || !mayJoin) return
    say(strings.linesJoined)
    change((now) => joinLines(now, stored, current, next), '')
  }
  const setTimes = (line: Line, times: { start: number; end: number }) => {
    say(strings.lineMoved(line.number, moment(times.start), moment(times.end)))
    editLine(line, times)
  }
  const edge = (which: 'start' | 'end') =>
    current && media.current && setTimes(current, movedEdge(current, which, media.current.currentTime, stored.duration))
  const nudge = (by: number) => {
    if (!current || current.start + by < 0 || current.end + by > stored.duration) return
    setTimes(current, { start: Number((current.start + by).toFixed(3)), end: Number((current.end + by).toFixed(3)) })
  }
  const insert = () => {
    const at = media.current && media.current.currentTime > 0 ? media.current.currentTime : null
    const room = roomFor(lines, { at, selected, duration: stored.duration, count: lines.length })
    if (!room) return notify(strings.noRoom)
    const newId = newLineId()
    say(strings.lineInserted)
    change((now) => insertLine(now, newId, room), '')
    setFilter({ find: '', speaker: '', onlyReview: false })
    select(newId)
  }
  const giveTo = (number: number) => {
    const one = speakers[number - 1]
    if (!current || one === undefined || one === current.speaker) return
    give(current, one)
  }
  const give = (line: Line, one: string) => {
    say(strings.lineGiven(line.number, own(draft.names, one) || one || speaker(one).name))
    editLine(line, { speaker: one })
  }
  const useNames = () => {
    say(strings.namesUsed)
    const names = found.map(({ name }) => name)
    change((now) => withNames(now, stored, lines, names), '')
  }
  const keepNames = () => change((now) => ({ ...now, keptNames: [...now.keptNames, ...found.map(({ name }) => name)] }), '')
  const shuttle = (key: 'j' | 'k' | 'l') => media.current && shuttleFilm(media.current, key)
  useEditKeys({ ...undoing, split, join, insert, edge, nudge, speak: giveTo, shuttle })
  // The line for the missing model says why.
  const failed = work.job?.status === 'failed' && work.report.needs.length === 0 ? (work.job.error ?? '') : ''
  const canAct = work.stage === null && translating === null
  const remarks = [...new Set([...notices, ...work.report.remarks])].filter((one) => one !== failed)
  const needs = [...new Map([...work.report.needs, ...(need ? [need] : [])].map((one) => [one.for, one])).values()]
  return (
    <div class="dub-editor">
      <div class="row dub-title">
        <a class="back" href="#/dub">
          {strings.allDubs}
        </a>
        <h2 class="hidden">{row.filename}</h2>
      </div>
      <Steps stored={stored} lines={lines} isSpoken={isSpoken} stage={work.stage} isTranslating={translating !== null} />
      {work.stage || translating !== null ? (
        <Busy
          kind={work.stage ? 'running' : 'translating'}
          stage={work.stage}
          job={work.job}
          share={translating ?? 0}
          onStop={() => (work.job && work.stage ? cancelJob(work.job.id) : runs.stopTranslation())}
        />
      ) : lines.length === 0 ? (
        <OwnBegin.View id={id} work={work} onImport={runs.importSubtitles} />
      ) : (
        <Next
          lines={lines}
          code={code}
          isSame={isSameLanguage(stored.source_lang, code)}
          isSpoken={isSpoken}
          isRefit={isRefit}
          onTranslate={() => runs.translate(lines.filter((line) => line.source.trim() !== '' && (line.target === '' || line.error !== '')))}
          onSpeak={() => runs.speak(null)}
          onCheck={() => runs.runCheck(false)}
          onExport={() => setOpened('export')}
        />
      )}
      {lines.length > 0 && (
        <Tools
          code={code}
          strategy={draft.strategy}
          speakers={speakers}
          nameOf={(one: string) => speaker(one).name}
          reviews={reviews}
          filter={filter}
          mayExport={isSpoken && (isRefit || lines.some((line) => line.state === 'changed' || line.state === 'ready'))}
          onLanguage={chooseLanguage}
          onStrategy={(next: string) => change((now) => ({ ...now, strategy: next }), '')}
          onFilter={setFilter}
          onOpen={setOpened}
        />
      )}
      <div class="dub-work">
        {lines.length > 0 ? (
          <div class="dub-lines">
            <LineTable
              lines={shown}
              selected={selected}
              speaker={speaker}
              sourceName={sourceName}
              targetName={targetName}
              language={code}
              isWorking={work.stage === 'speak'}
              sounding={sounding}
              media={media}
              on={onRow}
            />
            <Bar undoing={undoing} canSplit={maySplit} canJoin={mayJoin} said={said} onSplit={split} onJoin={join} onInsert={insert} />
            {!isPhone && (
              <OwnTimeline.View
                id={id}
                duration={stored.duration}
                lines={lines}
                speakers={speakers}
                speaker={speaker}
                selected={selected}
                media={media}
                onSelect={(line: Line) => select(line.id)}
                onTimes={setTimes}
              />
            )}
          </div>
        ) : (
          <p class="empty">{work.stage === 'transcribe' ? strings.linesComing : strings.noLines}</p>
        )}
        <aside class="dub-side" aria-label={strings.film}>
          <Film
            id={id}
            dub={stored}
            lines={lines}
            track={track}
            version={work.job?.updated_at ?? 0}
            from={current?.start ?? 0}
            onTrack={setTrack}
            media={media}
          />
          <div class="side-notes">
            <Notes
              error={work.error}
              refusal={error}
              failed={failed}
              isLost={isLost}
              unspoken={work.report.failed.length}
              why={work.report.failed[0]?.why ?? ''}
              needs={needs}
              remarks={remarks}
            />
            {work.stage === 'speak' && work.job && <OwnWaiting.View job={work.job.id} onAgain={() => runs.speak(null)} />}
            {runs.imported && <OwnImport.View of={runs.imported} onClose={runs.closeImported} />}
            {found.length > 0 && canAct && <OwnNames.View names={found} onUse={useNames} onKeep={keepNames} />}
            {check && (
              <OwnCheck.View
                result={check}
                canWork={canAct}
                onPlay={playFrom}
                onAgain={() => runs.runCheck(false)}
                onRepair={() => runs.runCheck(true)}
                onReview={() => setFilter({ ...filter, onlyReview: true })}
                onClose={runs.closeCheck}
              />
            )}
          </div>
          {current ? (
            <OwnDetails.View
              key={current.id}
              line={current}
              duration={stored.duration}
              speakers={speakers}
              nameOf={(one: string) => speaker(one).name}
              canSpeak={canAct && code !== ''}
              count={speechFor(lines, current, isSpoken).count}
              onEdit={editLine}
              onText={editText}
              onNewSpeaker={(name: string, line: Line) => give(line, makeSpeaker(name))}
              onAgain={again}
            />
          ) : (
            lines.length > 0 && <p class="soft">{strings.chooseLine}</p>
          )}
        </aside>
      </div>
      {opened === 'voices' && (
        <OwnVoices.View
          speakers={speakers}
          dub={stored}
          draft={draft}
          speaker={speaker}
          lines={lines}
          sounding={sounding}
          onPlay={play}
          onName={(one: string, name: string) => change((now) => ({ ...now, names: { ...now.names, [one]: name } }), `name ${one}`)}
          onVoice={chooseVoice}
          onNew={makeSpeaker}
          onClose={() => setOpened('')}
        />
      )}
      {opened === 'glossary' && (
        <OwnGlossary.View
          id={id}
          lines={lines}
          code={code}
          from={stored.source_lang}
          canTranslate={canAct}
          onTranslate={(some: readonly Line[]) => void runs.translate(some)}
          onClose={() => setOpened('')}
        />
      )}
      {opened === 'export' && (
        <OwnExport.View id={id} dub={stored} code={code} jobs={work.exports} again={work.again} onClose={() => setOpened('')} />
      )}
    </div>
  )
}
