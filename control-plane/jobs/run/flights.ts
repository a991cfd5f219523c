// Two steps with equal keys share one run, whichever jobs they belong to. The run is aborted when its last participant leaves, and is
// known here until the last participant has made its result durable, so that a third step finds either the run or the stored result.
import type { Patience } from '#control-plane/clients/client.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { JobFrame, StepContext, StepOutput, StepProgress } from '../job-type.ts'
import { untilAbort } from '../until-abort.ts'

export type Flights = ReturnType<typeof createFlights>
/** `isReused`: a stored result was used and nothing ran. `costMs`: duration of the run. */
export type Landing = { readonly output: StepOutput; readonly isReused: boolean; readonly costMs: number }
export type Participant = {
  readonly report: (progress: StepProgress<JobFrame>) => void
  readonly emit: StepContext<JobFrame>['emit']
  readonly noteTask: (taskId: string) => Promise<void>
  /** A limit of the maker holds the run, with this refusal; null: none does any more. */
  readonly held: (reason: Failure | null) => void
  /** The run can do nothing now. The result resolves when it may go on. */
  readonly pause: () => () => Promise<void>
  /** Joined a run that had noted this task before. */
  readonly joinTask: (taskId: string) => void
}
/** The interface of a flight for its run. */
export type Flying = Omit<Participant, 'joinTask' | 'pause' | 'held'> & {
  readonly signal: AbortSignal
  readonly whileWaiting: <T>(work: () => Promise<T>) => Promise<T>
  readonly patience: Patience
}
export type Boarding = {
  readonly landing: Promise<Landing>
  /** Resolves when the run has settled or its grace is over, if this was the last participant. `reason` becomes that of the run's signal. */
  readonly leave: (reason: Failure) => Promise<void>
}
type Flight = {
  readonly landing: Promise<Landing>
  readonly abort: AbortController
  readonly participants: Set<Participant>
  progress: StepProgress<JobFrame> | null
  taskId: string | null
  /** Set while the run waits for something outside: how each participant goes on. */
  paused: Map<Participant, () => Promise<void>> | null
  /** Set from the end of a wait until a participant may go on. */
  returning: { readonly arrival: Promise<void>; readonly arrive: () => void } | null
  /** Refusals of the requests of the run that a limit holds. */
  readonly holds: Failure[]
  isSettled: boolean
}

/** Milliseconds that an aborted run has to remove incomplete output. */
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
      emit: async (frame, kind) => void (await all([...participants].map((each) => each.emit(frame, kind)))),
      noteTask: async (taskId) => {
        flight.taskId = taskId
        await all([...participants].map((each) => each.noteTask(taskId)))
      },
      async whileWaiting(work) {
        // A run whose place is on its way has something to do then.
        if (!flight.returning) flight.paused ??= new Map([...participants].map((each) => [each, each.pause()]))
        try {
          return await work()
        } finally {
          await goOn(flight)
        }
      },
      patience: {
        async wait(reason, rest, isIdle) {
          flight.holds.push(reason)
          showHold(flight)
          try {
            await (isIdle ? flying.whileWaiting(rest) : rest())
          } finally {
            flight.holds.splice(flight.holds.indexOf(reason), 1)
            showHold(flight)
          }
        },
      },
    }
    // Deferred until the first participant has joined, and until an aborted run of the same key has removed its incomplete output.
    const landing = (previous ?? Promise.resolve()).catch(() => {}).then(() => run(flying))
    const flight: Flight = {
      landing,
      abort,
      participants,
      progress: null,
      taskId: null,
      paused: null,
      returning: null,
      holds: [],
      isSettled: false,
    }
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

  function showHold({ participants, holds }: Flight): void {
    for (const each of participants) each.held(holds[0] ?? null)
  }

  /** The first of several waits that ends gets the place back, and those that end before it is there wait for it too. */
  async function goOn(flight: Flight): Promise<void> {
    const { paused, participants, abort } = flight
    if (paused) {
      flight.paused = null
      const { promise: arrival, resolve } = Promise.withResolvers<void>()
      const returning = {
        arrival,
        arrive() {
          resolve()
          if (flight.returning === returning) flight.returning = null
        },
      }
      flight.returning = returning
      const goingOn = [...paused].flatMap(([each, proceed]) => (participants.has(each) ? [proceed()] : []))
      // One job with a place is enough for the run that they share.
      if (goingOn.length === 0) returning.arrive()
      for (const each of goingOn) each.then(returning.arrive)
    }
    if (!abort.signal.aborted && flight.returning) await untilAbort(flight.returning.arrival, abort.signal)
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

  /** A participant may leave during a write; the run continues for the others. */
  async function all(each: readonly Promise<void>[]): Promise<void> {
    const settled = await Promise.allSettled(each)
    const [first] = settled
    if (first?.status === 'rejected' && settled.every(({ status }) => status === 'rejected')) throw first.reason
  }

  return {
    /** Joins the running flight with this key, or starts one. */
    board(key: string, participant: Participant, run: (flying: Flying) => Promise<Landing>): Boarding {
      const current = flights.get(key)
      const flight = current && !current.abort.signal.aborted ? current : open(key, run, current?.landing ?? null)
      flight.participants.add(participant)
      flight.paused?.set(participant, participant.pause())
      // It has a place, and those that would have got one may have left.
      flight.returning?.arrive()
      if (flight.progress) participant.report(flight.progress)
      if (flight.holds.length > 0) participant.held(flight.holds[0]!)
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
