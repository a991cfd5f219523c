// Cards by what a person wants to do: what works today, what it would be then, and one press to get there.

import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Progress } from '#control-plane/web/lib/controls.tsx'
import { bytes, duration, percent } from '#control-plane/web/lib/format.ts'
import { useState } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/models.ts'
import type { Download } from '../setup/downloads.ts'
import { phaseOf } from '../setup/downloads.ts'
import type { Room } from '../setup/fit.ts'
import { fitOf, obstacleOf, sizeOf } from '../setup/fit.ts'
import { JOBS, licencePhrase, modelFor } from './jobs.ts'
import { FitMark, Removal, useInstall, whyOf } from './model.tsx'

const Terms = whenOpened(() => import('./terms.tsx').then((module) => module.Terms), { isQuiet: true })

/** The models of a machine, and its room. rate: bytes a second of its last download, null before one */
export type OfMachine = {
  models: readonly ModelEntry[]
  downloads: ReadonlyMap<string, Download>
  room: Room
  rate: number | null
  target: string
  onChanged: () => Promise<unknown>
}

/** Seconds below which a time says nothing. */
const SOON = 1

function Offer({ model, room, downloads, rate, target, onChanged }: OfMachine & { model: ModelEntry }) {
  const [question, setQuestion] = useState<'' | 'about' | 'removal'>('')
  const close = () => setQuestion('')
  const { repo_id, label, installed } = model
  const download = downloads.get(repo_id)
  const { phase, isFailed, isDownloading, word, error, press, cancel, question: asked } = useInstall(model, download, target, onChanged)
  const size = sizeOf(model)
  const phrase = licencePhrase(model.licence)
  const share = download && download.total > 0 ? download.done / download.total : null
  const seconds = !installed && rate !== null && rate > 0 ? size / rate : 0
  const parts = [installed && strings.phases.installed, bytes(size), seconds > SOON && duration(seconds)].filter((one) => one !== false)
  return (
    <div class="job-offer">
      <div class="grow">
        <b class="text one-line">{label}</b>
        <small class="number">
          {strings.facts(parts)}
          {!model.own && (
            <>
              {' · '}
              <button type="button" class="phrase" aria-label={strings.licenceOf(phrase, label)} onClick={() => setQuestion('about')}>
                {phrase}
              </button>
            </>
          )}
        </small>
      </div>
      {isFailed ? (
        <span class="state bad">{strings.phases[phase]}</span>
      ) : (
        !installed && !isDownloading && <FitMark fit={fitOf(model, room)} why={whyOf(model, room)} />
      )}
      {installed ? (
        <button type="button" class="quiet" aria-label={strings.of(shared.remove, label)} onClick={() => setQuestion('removal')}>
          {shared.remove}
        </button>
      ) : isDownloading ? (
        <>
          <span class="number">{share === null ? strings.phases[phase] : percent(share)}</span>
          <Action kind="quiet icon-only" aria-label={strings.cancelOf(label)} title={shared.cancel} onPress={cancel}>
            <Icon of="close" />
          </Action>
        </>
      ) : (
        <Action
          aria-label={strings.of(strings.withSize(word, bytes(size)), label)}
          disabled={obstacleOf(model, room) !== ''}
          onPress={press}
        >
          {word}
        </Action>
      )}
      {isDownloading && <Progress value={share} label={strings.progressOf(label)} />}
      {/* Why a download failed is in its row of the catalogue. */}
      {error && !isFailed && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      {asked}
      {question === 'about' && <Terms.View model={model} onClose={close} />}
      {question === 'removal' && <Removal model={model} target={target} onChanged={onChanged} onClose={close} />}
    </div>
  )
}

export function JobCards(of: OfMachine) {
  const isComing = (model: ModelEntry) => ['queued', 'downloading'].includes(phaseOf(model, of.downloads.get(model.repo_id)))
  return (
    <section class="job-cards" aria-label={strings.jobs}>
      {JOBS.map((job) => {
        const { kind, icon, tint } = job
        const model = modelFor(job, of.models, of.room, isComing)
        const { name, now, after } = strings.job[kind]
        const isThere = model?.installed === true
        return (
          <section key={kind} class={isThere ? 'job-card there' : 'job-card'} aria-label={name} data-job={kind}>
            <header>
              <span class={`kind big k${tint}`}>
                <Icon of={icon} isLarge />
              </span>
              <div>
                <h2>{name}</h2>
                <p class="soft">{isThere ? strings.works : shared.sentences(now || strings.notYet, after)}</p>
              </div>
            </header>
            {model ? <Offer key={model.repo_id} model={model} {...of} /> : <p class="soft job-offer">{strings.noModel}</p>}
          </section>
        )
      })}
    </section>
  )
}
