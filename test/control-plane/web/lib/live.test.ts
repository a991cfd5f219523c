import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MachineFleet, MachineView } from '#control-plane/web/lib/api-types.ts'
import { refresh, startLive, stopLive, usableMachines } from '#control-plane/web/lib/live.ts'
import { replaceGlobals } from '#test/support/web/globals.ts'

const usable = { id: 'b', connected: true, enabled: true, consent_granted: true, quarantine: null, status: 'ready' } as const

// Pages read the engines and models again when this text changes. A wrong field name once kept it empty.
test('a machine is usable once it is connected, approved and ready, also while it is busy', () => {
  const of = (...changes: Partial<MachineView>[]) => {
    const workers = changes.map((change) => ({ ...usable, ...change }) as MachineView)
    return usableMachines({ fleet: { enabled: true, running: true, queue_depth: 0, workers } satisfies MachineFleet })
  }
  assert.equal(usableMachines({ fleet: null }), '')
  assert.equal(of({}, { id: 'a', status: 'busy' }), 'a b')
  assert.equal(of({ status: 'offline', connected: false }), '')
  assert.equal(of({ consent_granted: false }), '', 'an approval changes the text')
  assert.equal(of({ enabled: false }, { id: 'c', quarantine: 'copied' }), '')
})

test('the stream of events is closed while the tab is hidden, and goes on after the last event', (t) => {
  const streams: Source[] = []
  class Source extends EventTarget {
    static CLOSED = 2
    readyState = 1
    readonly url: string
    constructor(url: string) {
      super()
      this.url = url
      streams.push(this)
    }
    close() {
      this.readyState = Source.CLOSED
    }
  }
  const document = Object.assign(new EventTarget(), { hidden: true })
  const show = (isShown: boolean) => {
    document.hidden = !isShown
    document.dispatchEvent(new Event('visibilitychange'))
  }
  replaceGlobals(t, { EventSource: Source, document, requestAnimationFrame: () => 0 })
  const open = () => streams.filter(({ readyState }) => readyState !== Source.CLOSED).map(({ url }) => url)
  startLive()
  assert.deepEqual(open(), [], 'a tab that was opened in the background waits')
  show(true)
  assert.deepEqual(open(), ['./workers/events'])
  streams[0]!.dispatchEvent(new MessageEvent('worker-gone', { data: '{"id":"w"}', lastEventId: 'run-7' }))
  show(false)
  assert.deepEqual(open(), [])
  show(true)
  show(true)
  assert.deepEqual(open(), ['./workers/events?after=run-7'])
  stopLive()
  show(true)
  assert.deepEqual(open(), [], 'nothing is opened after the end')
})

test('the lists are read again after a read that failed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let reads = 0
  const fetch = async (path: unknown) => {
    if (path === './workers' && ++reads === 1) throw new TypeError('no connection')
    return Response.json(path === './workers' ? { workers: [] } : { tasks: [], queue_depth: 0 })
  }
  replaceGlobals(t, { requestAnimationFrame: () => 0, fetch })
  await refresh()
  assert.equal(reads, 1)
  t.mock.timers.tick(10_000)
  await new Promise(setImmediate)
  assert.equal(reads, 2)
})
