// Two steps with equal keys share one run, whichever jobs they belong to. The run is aborted when its last participant leaves, and is
// known here until the last participant has made its result durable, so that a third step finds either the run or the stored result.
import type { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { JobFrame, StepOutput, StepProgress } from '../job-type.ts'

export type Flights = ReturnType<typeof createFlights>
/** `isReused`: the result was stored before, nothing ran. `costMs`: how long the run took. */
export type Landing = { readonly output: StepOutput; readonly isReused: boolean; readonly costMs: number }
export type Participant = {
  readonly report: (progress: StepProgress) => void
  readonly emit: (frame: JobFrame) => Promise<void>
  readonly noteTask: (taskId: string) => Promise<void>
  /** Joined a run that had noted this task before. */
  readonly joinTask: (taskId: string) => void
}
/** What a run may use of the flight it is on. */
export type Flying = Omit<Participant, 'joinTask'> & { readonly signal: AbortSignal }
export type Boarding = {
  readonly landing: Promise<Landing>
  /** Resolves when the run has settled or its grace is over, if this was the last participant. `reason` becomes that of the run's signal. */
  readonly leave: (reason: Failure) => Promise<void>
}
type Flight = {
  readonly landing: Promise<Landing>
  readonly abort: AbortController
  readonly participants: Set<Participant>
  progress: StepProgress | null
  taskId: string | null
  isSettled: boolean
}

/** How long an aborted run may take to remove what it has half made. */
const GRACE_MS = 10_000

export function createFlights(clock: Clock) {
  const flights = new Map<string, Flight>()

  function open(key: string, run: (flying: Flying) => Promise<Landing>, previous: Promise<unknown> | null): Flight {
    const abort = new AbortController()
    const participants = new Set<Participant>()
    const flying: Flying = {
      signal: abort.signal,
      report: (progress) => {
        flight.progress = progress
        for (const each of participants) each.report(progress)
      },
      emit: async (frame) => void (await all([...participants].map((each) => each.emit(frame)))),
      noteTask: async (taskId) => {
        flight.taskId = taskId
        await all([...participants].map((each) => each.noteTask(taskId)))
      },
    }
    // A turn later, when the first participant is on board, and never beside an aborted run that still removes what it has half made.
    const landing = (previous ?? Promise.resolve()).catch(() => {}).then(() => run(flying))
    const flight: Flight = { landing, abort, participants, progress: null, taskId: null, isSettled: false }
    flights.set(key, flight)
    const settle = () => {
      flight.isSettled = true
    }
    landing.then(settle, () => {
      settle()
      forget(key, flight) // the next step with this key runs again
    })
    return flight
  }

  function settled({ landing, isSettled }: Flight): Promise<void> {
    if (isSettled) return Promise.resolve()
    return new Promise((resolve) => {
      const giveUp = clock.after(GRACE_MS, resolve)
      const end = () => {
        giveUp()
        resolve()
      }
      landing.then(end, end)
    })
  }

  function forget(key: string, flight: Flight): void {
    if (flights.get(key) === flight) flights.delete(key)
  }

  /** Of several participants one may leave while it is written to; the run goes on for the others. */
  async function all(each: readonly Promise<void>[]): Promise<void> {
    const settled = await Promise.allSettled(each)
    const [first] = settled
    if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected')) throw first.reason
  }

  return {
    /** Joins the run under way with this key, or begins one. */
    board(key: string, participant: Participant, run: (flying: Flying) => Promise<Landing>): Boarding {
      const known = flights.get(key)
      const flight = known && !known.abort.signal.aborted ? known : open(key, run, known?.landing ?? null)
      flight.participants.add(participant)
      if (flight.progress) participant.report(flight.progress)
      if (flight.taskId !== null) participant.joinTask(flight.taskId)
      return {
        landing: flight.landing,
        async leave(reason) {
          if (!flight.participants.delete(participant) || flight.participants.size > 0) return
          if (!flight.isSettled) flight.abort.abort(reason)
          await settled(flight)
          forget(key, flight)
        },
      }
    },
    count: (): number => flights.size,
  }
}
