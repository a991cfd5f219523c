// Enrols machines in a database before the studio starts: with keys and certificates, or without keys, so that they stay offline.

import { generateKeyPair } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createAudit } from '#control-plane/audit/audit.ts'
import { openStore } from '#control-plane/store/open.ts'
import { createSettings } from '#control-plane/store/setting.store.ts'
import { loadIdentity } from '#control-plane/trust/authority.ts'
import { createWorkerStore } from '#control-plane/workers/worker.store.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'

async function openWorkers(dataDir: string) {
  const store = await openStore({ kind: 'sqlite', path: join(dataDir, 'studio.db') }, { log, clock })
  const audit = createAudit({ ...store, clock })
  void createSettings(store).set('remote_workers_enabled', 'true')
  return { close: store.close, workers: createWorkerStore({ ...store, clock, random, audit }) }
}

/** Approved machines that stay offline: their keys do not exist. */
export async function enrolOffline(dataDir: string, count: number): Promise<void> {
  const { close, workers } = await openWorkers(dataDir)
  for (let index = 0; index < count; index++) {
    const id = random.hex(6)
    workers.add({ id, name: id, pin: random.hex(32), endpoint: '127.0.0.1' })
    workers.grant(id)
  }
  await workers.settled()
  await close()
}

/** Approved machines with keys and certificates. */
export async function enrolWithKeys(dataDir: string, count: number) {
  const { close, workers } = await openWorkers(dataDir)
  const identity = await loadIdentity(createFolderKeys(dataDir), { clock, random })
  const makeKey = promisify(generateKeyPair)
  const identities = []
  for (let from = 0; from < count; from += 50) {
    const keys = await Promise.all(
      Array.from({ length: Math.min(50, count - from) }, () =>
        makeKey('rsa', {
          modulusLength: 2048,
          publicKeyEncoding: { type: 'spki', format: 'pem' },
          privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
        }),
      ),
    )
    for (const { privateKey, publicKey } of keys) {
      const workerId = random.hex(6)
      workers.add({ id: workerId, name: workerId, pin: pinOf(publicKey), endpoint: '127.0.0.1' })
      workers.grant(workerId)
      identities.push({ workerId, key: privateKey, certificate: identity.issue(workerId, publicKey) })
    }
  }
  await workers.settled()
  await close()
  return { identities, authority: identity.authority.certificatePem, studioPin: identity.studioPin }
}
