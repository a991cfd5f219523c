// Peers without a certificate, at the studio's port for agents and at the port of a listening machine.
//
// Bounds: a connection costs at most 1 MiB. One address holds 16 connections, and up to 64 for a second; all addresses together hold 256.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { type TestContext, test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { MIB } from '#shared/runtime/memory/bytes.ts'
import { startProgram } from '../support/world/process.ts'
import { announce, connectTls, openCall, PREFACE, residentBytes, zeros } from '../support/world/stranger.ts'
import { eventually, openWorld, temporaryFolder } from '../support/world/world.ts'

const REDEEM = '/voice.enrolment.v1.Enrolment/Redeem'
const PER_CONNECTION = MIB
const PER_HOST = 16
const PER_HOST_BURST = 64
const TOTAL = 256

type Target = { readonly name: string; readonly pid: number; readonly port: number }

async function openTargets(t: TestContext): Promise<readonly Target[]> {
  const settings = { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_DEVELOPMENT: '1', STUDIO_INBOUND_NODE: '1', STUDIO_INBOUND_PORT: '0' }
  const machine = startProgram(t, ['agent/main.ts'], settings)
  const world = await openWorld(t, { remote: true, env: { STUDIO_WORKER_BIND: '127.0.0.1', STUDIO_WORKER_ENDPOINT_HOST: undefined } })
  const { endpoint } = (await world.get('/workers')).json() as { endpoint: string }
  assert.match(endpoint, /^127\.0\.0\.1:\d+$/, 'join codes name the address that the port is bound to')
  const [, port] = await machine.says(/"address":"127\.0\.0\.1:(\d+)".*listening for controllers/)
  return [
    { name: 'studio', pid: world.studio.pid, port: Number(endpoint.split(':')[1]) },
    { name: 'listening machine', pid: machine.pid, port: Number(port) },
  ]
}

/** The largest growth of the process from `before` until `isOver`. */
async function mostGrowth(pid: number, before: number, isOver: () => boolean): Promise<number> {
  let most = 0
  await eventually(() => {
    most = Math.max(most, residentBytes(pid) - before)
    return isOver()
  })
  return most
}

const openCount = (sockets: readonly { readonly closed: boolean }[]) => sockets.filter(({ closed }) => !closed).length

function connectSilently(t: TestContext, port: number, localAddress: string): net.Socket {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress })
  t.after(() => socket.destroy())
  return socket.on('error', () => {}).resume()
}

async function withheldMessages(t: TestContext, { name, pid, port }: Target): Promise<void> {
  const before = residentBytes(pid)
  const socket = await connectTls(t, port)
  socket.write(PREFACE)
  const over = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let isSent = false
  const send = async () => {
    for (let call = 1; call < 300 && !socket.closed; call += 2) {
      socket.write(Buffer.concat([openCall(call, REDEEM), announce(call, 4 * MIB)]))
      if (!socket.write(zeros(call, 4 * MIB - 1, 16_000)))
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), over])
    }
    isSent = true
  }
  void send()
  const grown = await mostGrowth(pid, before, () => socket.closed || isSent)
  assert.ok(grown < 16 * MIB, `${name}: 150 calls that withhold their last byte cost ${Math.round(grown / MIB)} MiB`)
}

async function noResumption(t: TestContext, { name, port }: Target): Promise<void> {
  const sessions: Buffer[] = []
  const first = await connectTls(t, port, '127.0.0.12', {}, (session) => sessions.push(session))
  first.write(PREFACE)
  await once(first, 'data')
  assert.equal(first.isSessionReused(), false)
  for (const session of [first.getSession(), ...sessions]) {
    const again = await connectTls(t, port, '127.0.0.12', { session })
    assert.deepEqual([again.authorized, again.closed, again.isSessionReused()], [false, false, false], name)
    again.destroy()
  }
  first.destroy()
}

async function otherAddress(t: TestContext, { port }: Target): Promise<void> {
  const socket = net.connect({ port, host: '127.0.0.2' })
  t.after(() => socket.destroy())
  const [error] = await once(socket, 'error')
  assert.equal((error as NodeJS.ErrnoException).code, 'ECONNREFUSED')
}

/** Two addresses keep 128 silent connections each, and replace every one that is closed. */
async function lockOut(t: TestContext, { name, port }: Target): Promise<void> {
  let isOver = false
  const renew = (address: string) => {
    if (!isOver) connectSilently(t, port, address).once('close', () => setTimeout(renew, 5, address))
  }
  for (const address of ['127.0.0.11', '127.0.0.12']) for (let count = 0; count < 128; count++) renew(address)
  await new Promise((resolve) => setTimeout(resolve, 500))
  for (let attempt = 0; attempt < 3; attempt++) {
    const socket = await connectTls(t, port, '127.0.0.13')
    assert.equal(socket.closed, false, `${name}: the third address is served`)
    socket.write(Buffer.concat([PREFACE, openCall(1, '/voice.enrolment.v1.Enrolment/Unknown'), announce(1, 0)]))
    await once(socket, 'data')
    socket.destroy()
  }
  isOver = true
}

/** Connections that each send as many frames of one byte as they may, to messages that never become complete. */
async function fill(t: TestContext, port: number, address: string, count: number): Promise<TLSSocket[]> {
  const streams = [1, 3, 5, 7]
  const calls = streams.flatMap((stream) => [openCall(stream, REDEEM), announce(stream, 12 * 1024)])
  const body = Buffer.concat([PREFACE, ...calls, ...streams.map((stream) => zeros(stream, 370, 1))])
  const sockets = await Promise.all(Array.from({ length: count }, () => connectTls(t, port, address)))
  for (const socket of sockets) socket.write(body)
  return sockets
}

async function everyConnection(t: TestContext, { name, pid, port }: Target): Promise<void> {
  const before = residentBytes(pid)
  const one = await fill(t, port, '127.0.0.21', PER_HOST_BURST)
  const grown = await mostGrowth(pid, before, () => openCount(one) <= PER_HOST)
  assert.ok(grown < PER_HOST_BURST * PER_CONNECTION, `${name}: one address costs ${Math.round(grown / MIB)} MiB`)
  const all = [one]
  for (let host = 22; host < 22 + TOTAL / PER_HOST - 1; host++) all.push(await fill(t, port, `127.0.0.${host}`, PER_HOST))
  const total = residentBytes(pid) - before
  assert.ok(openCount(all.flat()) <= TOTAL)
  assert.ok(total < TOTAL * PER_CONNECTION, `${name}: all addresses cost ${Math.round(total / MIB)} MiB`)
  t.diagnostic(`${name}: ${Math.round(grown / MIB)} MiB from one address, ${Math.round(total / MIB)} MiB from ${all.length}`)
  for (const socket of all.flat()) socket.destroy()
}

test('peers without a certificate', async (t) => {
  const targets = await openTargets(t)
  await t.test('the agent port is open only at STUDIO_WORKER_BIND', (t) => otherAddress(t, targets[0]!))
  for (const target of targets) {
    await t.test(`messages of 4 MiB without their last byte do not grow the ${target.name}`, (t) => withheldMessages(t, target))
    await t.test(`no TLS session of the ${target.name} can be resumed`, (t) => noResumption(t, target))
    await t.test(`two addresses do not lock a third one out of the ${target.name}`, (t) => lockOut(t, target))
  }
  await t.test('256 connections that send all they may stay within 1 MiB each', (t) => everyConnection(t, targets[1]!))
})
