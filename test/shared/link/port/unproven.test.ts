import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { createUnproven, UNPROVEN, type UnprovenLimits } from '#shared/link/port/unproven.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

function open(limits: Partial<UnprovenLimits> = {}) {
  const clock = createFakeClock()
  const unproven = createUnproven({ ...UNPROVEN, ...limits }, clock)
  const add = (remoteAddress: string) => {
    const events = new EventEmitter()
    const socket = Object.assign(events, {
      remoteAddress,
      destroyed: false,
      destroy() {
        if (socket.destroyed) return
        socket.destroyed = true
        events.emit('close')
      },
    })
    const peer = unproven.add(socket as unknown as Socket)
    return { ...peer, isClosed: () => socket.destroyed, close: () => socket.destroy() }
  }
  const addMany = (address: string, count: number) => Array.from({ length: count }, () => add(address))
  return { clock, add, addMany, unproven }
}
const openOnes = (peers: readonly { isClosed: () => boolean }[]) => peers.filter((peer) => !peer.isClosed()).length

test('when the table is full, the address with the most connections loses its oldest one', () => {
  const { add, addMany } = open({ total: 10 })
  const few = addMany('10.0.0.1', 4)
  const many = addMany('10.0.0.2', 6)
  const third = add('10.0.0.3')
  assert.deepEqual([openOnes(few), openOnes(many), many[0]!.isClosed(), third.isClosed()], [4, 5, true, false])
  addMany('10.0.0.2', 20)
  assert.deepEqual([openOnes(few), third.isClosed()], [4, false], 'a flood displaces only itself')
})

test('an address keeps 16 old connections, and more only for a moment', () => {
  const { clock, addMany } = open()
  const burst = addMany('10.0.0.1', 60)
  const other = addMany('10.0.0.2', 16)
  assert.equal(openOnes(burst), 60)
  clock.advance(UNPROVEN.graceMs)
  assert.deepEqual([openOnes(burst), burst.at(-1)!.isClosed(), openOnes(other)], [16, false, 16])
  assert.equal(openOnes(addMany('10.0.0.3', 100)), UNPROVEN.perHostBurst)
})

test('addresses of one IPv6 network and mapped IPv4 addresses count as one', () => {
  const { clock, add } = open({ perHost: 1 })
  const network = [add('2001:db8::1'), add('2001:db8::2')]
  const mapped = [add('::ffff:10.0.0.1'), add('10.0.0.1')]
  clock.advance(UNPROVEN.graceMs)
  assert.deepEqual([openOnes(network), openOnes(mapped)], [1, 1])
})

test('a connection that names an enrolled machine is not displaced by unknown ones of its address', () => {
  const { clock, add, addMany } = open({ total: 32 })
  const machine = add('10.0.0.1')
  machine.claim('gpu-1')
  addMany('10.0.0.1', 100)
  clock.advance(UNPROVEN.graceMs)
  assert.equal(machine.isClosed(), false)
  const claims = addMany('10.0.0.1', 5)
  for (const claim of claims) claim.claim('gpu-2')
  assert.deepEqual([openOnes(claims), claims[0]!.isClosed(), machine.isClosed()], [UNPROVEN.perWorker, true, false])
})

test('proven and closed connections are not counted, and the others end at their deadline', () => {
  const { clock, add, addMany } = open({ total: 3 })
  const [proven, closed, waiting] = addMany('10.0.0.1', 3)
  proven!.proven()
  closed!.close()
  addMany('10.0.0.1', 2)
  assert.equal(waiting!.isClosed(), false)
  clock.advance(UNPROVEN.deadlineMs)
  assert.deepEqual([proven!.isClosed(), waiting!.isClosed()], [false, true])
  const after = add('10.0.0.1')
  assert.equal(after.isClosed(), false)
})

test('cutting closes every unproven connection', () => {
  const { addMany, unproven } = open()
  const peers = addMany('10.0.0.1', 3)
  peers[0]!.proven()
  unproven.cut()
  assert.equal(openOnes(peers), 1)
})
