// The contract of every long-lived service: start once, stop any number of times; stop returns when the last pass has ended.

export type Service = { readonly name: string; readonly start: () => Promise<void> | void; readonly stop: () => Promise<void> }

/** Repeats `pass` until stopped. A pass handles its expected failures; any other goes to `onCrash`, once, and ends the loop. */
export function loop(name: string, pass: (signal: AbortSignal) => Promise<void>, onCrash: (error: unknown) => void): Service {
  let running: { abort: AbortController; done: Promise<void> } | null = null
  const run = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        await pass(signal)
      } catch (error) {
        if (!signal.aborted) onCrash(error)
        return
      }
    }
  }
  return {
    name,
    start() {
      if (running) return
      const abort = new AbortController()
      running = { abort, done: run(abort.signal) }
    },
    async stop() {
      running?.abort.abort(new Error(`${name} stops`))
      await running?.done
      running = null
    },
  }
}

/** Starts in order, stops in reverse. A failed start stops the started services and rethrows. */
export function group(name: string, services: readonly Service[]): Service {
  let started: Service[] = []
  const stop = async () => {
    const failures: unknown[] = []
    for (const service of started.reverse()) await service.stop().catch((error) => failures.push(error))
    started = []
    if (failures.length) throw new AggregateError(failures, `${name}: a service did not stop cleanly.`)
  }
  return {
    name,
    async start() {
      for (const service of services) {
        try {
          started.push(service)
          await service.start()
        } catch (error) {
          await stop().catch(() => {})
          throw error
        }
      }
    },
    stop,
  }
}
