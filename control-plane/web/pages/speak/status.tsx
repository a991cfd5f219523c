// The state of the text that was sent last (waiting, generating, playing, cancelled, failed) and the machine that generates it.
import { isBusy, useGeneration } from '#control-plane/web/frame/generation.ts'
import { Action, Badge, Progress } from '#control-plane/web/lib/controls.tsx'
import { duration, isolated, short } from '#control-plane/web/lib/format.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/speak.ts'
import { finishHere, listen, silence } from './generation.ts'

export { cancel, resume, silence, speak } from './generation.ts'

import type { TakeMachine } from '#control-plane/features/speech/speech/stream/take-events.schema.ts'
import type { Generation } from '#control-plane/web/frame/generation.ts'
import type { Tone } from '#control-plane/web/lib/controls.tsx'

function summaryOf({ phase, done, total, firstSound, isPlaying, took }: Generation): [Tone, string] {
  const part = Math.min(done + 1, total)
  if (phase === 'waiting') return ['busy', strings.waiting]
  if (phase === 'generating')
    return ['busy', isPlaying && firstSound !== null ? strings.playing(part, total) : strings.generating(part, total)]
  if (phase === 'done') return ['good', strings.ready(duration(took), isPlaying)]
  return phase === 'cancelled' ? ['quiet', strings.cancelled] : ['bad', strings.failed]
}

/** The machine stopped answering: says what is kept and what happens next, and offers to finish on this machine. */
function Lost({ machine }: { machine: TakeMachine }) {
  const { name, next = 'fail', parts_kept = 0, parts = 0, can_finish_here: canFinish } = machine
  return (
    <div class="callout" role="alert" data-lost>
      <p>
        <strong>{strings.stoppedAnswering(isolated(short(name)))}</strong> {parts_kept > 0 && strings.partsKept(parts_kept, parts)}{' '}
        {strings.next[next]}
      </p>
      {canFinish && (
        <div class="row">
          <Action onPress={finishHere}>{strings.finishHere}</Action>
        </div>
      )}
    </div>
  )
}

export function Status({ generation }: { generation: Generation }) {
  const { phase, job, done, total, firstSound, isPlaying, notices, machine, error, held } = generation
  const [tone, text] = summaryOf(generation)
  const isRunning = isBusy(generation)
  return (
    <div class="making" data-phase={phase}>
      {isRunning && machine?.state === 'lost' && <Lost machine={machine} />}
      {notices.length > 0 && (
        <p class="soft" data-notice>
          <strong>{strings.note}</strong>
          <span class="text">{notices.map(serverSentence).join(' ')}</span>
        </p>
      )}
      {error?.needs && <Needs.View of={error.needs} />}
      {error && !error.needs && (
        <p class="callout bad" role="alert">
          <span class="text">{error.message}</span>
          {error.hint && (
            <>
              <br />
              <span class="text">{error.hint}</span>
            </>
          )}
        </p>
      )}
      <p class="row" role="status">
        <Badge tone={tone}>{text}</Badge>
        {phase === 'waiting' && held && (
          <span class="soft text" data-held>
            {held.code === 'QUEUE_FULL' ? strings.queueFull(duration(held.ms / 1000)) : strings.studioStarts}
          </span>
        )}
        {firstSound !== null && (
          <span class="soft" data-first-sound={firstSound.toFixed(3)}>
            {strings.firstSound(duration(firstSound))}
          </span>
        )}
        {isRunning && machine?.state === 'running' && !machine.local && (
          <span class="soft text">{strings.onMachine(isolated(short(machine.name)))}</span>
        )}
        {phase === 'generating' && job !== null && !isPlaying && (
          <button type="button" class="quiet" onClick={listen}>
            {strings.listen}
          </button>
        )}
        {isRunning && job !== null && <span class="soft wide-screen">{strings.safeToLeave}</span>}
      </p>
      {phase === 'generating' && <Progress value={total > 1 ? done / total : null} label={strings.progress} />}
    </div>
  )
}

/** At the bottom of every other page: what is generated or played. */
export function GenerationBar() {
  const generation = useGeneration()
  const { isPlaying } = generation
  if (!isBusy(generation) && !isPlaying) return null
  const [tone, text] = summaryOf(generation)
  return (
    <section class="docked" aria-label={strings.speak}>
      <span class="kind k1">
        <Icon of="speak" />
      </span>
      <a class={`badge ${tone}`} href="#/speak">
        {text}
      </a>
      <span class="spread"></span>
      {isPlaying && (
        <button type="button" onClick={silence}>
          {strings.stop}
        </button>
      )}
    </section>
  )
}
