// Voices: creating a profile beside the conversion of its recording, the list of 10,000 profiles, resolving one of 5,000, and the import of a
// bundle of 21 MB. Goals: 50 ms more than the conversion, p99 under 15 ms, p99 of 1 ms, and 1 s with 64 MiB more memory.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBlobs } from '#control-plane/features/voices/profiles/files/blobs.ts'
import { createResolver } from '#control-plane/features/voices/profiles/resolve.service.ts'
import { createProfiles } from '#control-plane/features/voices/profiles/store/create.service.ts'
import { createProfileStore } from '#control-plane/features/voices/profiles/store/profile.store.ts'
import { createIntake } from '#control-plane/media/intake.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import { type Database, openDatabase } from '#control-plane/store/database.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { createFolderArtifacts } from '#control-plane/store/files/folder-artifacts.ts'
import { createMakers } from '#control-plane/store/sqlite/made-by.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { startPeer, startStudio, temporary } from './support/peers.ts'
import { flood, interleave, median, quantile, row, title } from './support/rounds.ts'

const LISTED = 10_000
const RESOLVED = 5_000
const ROUNDS = 7
const LIST_CALLS = 50
const RESOLVE_CALLS = 20_000
const SECONDS = 10
const never = new AbortController().signal

export async function run(): Promise<void> {
  restrictNewFiles()
  await measureServices()
  await measureList()
  await measureImport()
}

async function measureServices(): Promise<void> {
  title(`A profile from a recording of ${SECONDS} s; limit: the conversion of the recording alone`)
  const folder = temporary()
  const db = openDatabase(join(folder.path, 'studio.db'))
  try {
    const workFolder = join(folder.path, 'voice-work')
    mkdirSync(workFolder)
    const store = createProfileStore({ db })
    const intake = createIntake({ ffmpegPath: () => null, clock, budget: createDiskBudget({ folder: folder.path }) })
    const blobs = createBlobs({ artifacts: createFolderArtifacts(folder.path), intake, room: { take: async () => {} }, workFolder, random })
    const create = createProfiles({
      store,
      makers: createMakers({ db, clock }),
      blobs,
      bus: { publish: () => {} },
      clock,
      random,
      created: () => {},
    })
    const path = join(folder.path, 'voice.wav')
    let pitch = 0
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      // Another recording each time, because equal ones are stored once.
      writeFileSync(path, recording(100 + pitch++))
      const from = performance.now()
      await work()
      return performance.now() - from
    }
    const { whole, conversion } = await interleave(ROUNDS, {
      whole: () => timed(() => create(cloneOf(path), never)),
      conversion: () => timed(() => intake.read(path, never, REFERENCE)),
    })
    row('created', whole, conversion, 'ms ', '')
    const more = whole.map((ms, at) => ms - conversion[at]!)
    row('    more than the conversion', more, null, 'ms ', 'at most 50')

    fillProfiles(db, RESOLVED)
    const resolve = createResolver({ store, samples: { ensure: async (id) => store.find(id)! }, offered: () => [] })
    const { each } = await flood(RESOLVE_CALLS, 1, () => resolve(`p${1 + Math.floor(Math.random() * RESOLVED)}`, 'svc-engine', never))
    title(`Resolving one of ${RESOLVED} profiles`)
    row('p50', [median(each)], null, 'ms ', '')
    row('p99', [quantile(each, 0.99)], null, 'ms ', 'at most 1')
  } finally {
    db.close()
    folder.remove()
  }
}

async function measureList(): Promise<void> {
  title(`GET /profiles with ${LISTED} profiles`)
  const studio = await startStudio(async (dataDir) => {
    const db = openDatabase(join(dataDir, 'studio.db'))
    fillProfiles(db, LISTED)
    db.close()
  })
  try {
    const address = `http://127.0.0.1:${studio.port}`
    const list = () => answered(fetch(`${address}/profiles`))
    const change = (description: string) =>
      answered(
        fetch(`${address}/profiles/p1`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ description }),
        }),
      )
    // What another client waits while the list is made for the first time.
    const waits: number[] = []
    let isMade = false
    const watching = (async () => {
      while (!isMade) waits.push((await flood(1, 1, () => answered(fetch(`${address}/health`)))).each[0]!)
    })()
    const first = await flood(1, 1, list)
    isMade = true
    await watching
    row('first', first.each, null, 'ms ', '')
    row('    longest wait of another client meanwhile', [Math.max(...waits)], null, 'ms ', 'goal 20')
    const bytes = await list()
    const fixed = await startPeer('answers/fixed-answer.ts', { bytes })
    const plain = `http://127.0.0.1:${fixed.ready['port'] as number}`
    try {
      const { ours, theirs } = await interleave(LIST_CALLS, {
        ours: async () => (await flood(1, 1, list)).each[0]!,
        theirs: async () => (await flood(1, 1, () => answered(fetch(plain)))).each[0]!,
      })
      row(`kept, ${(bytes.length / 1e6).toFixed(1)} MB; limit: a plain server`, ours, theirs, 'ms ', '')
      row('    p99', [quantile(ours, 0.99)], [quantile(theirs, 0.99)], 'ms ', 'goal 15')
    } finally {
      await fixed.end()
    }
    const changed: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await change(`Round ${round}.`)
      changed.push(...(await flood(1, 1, list)).each)
    }
    row('after a change', changed, null, 'ms ', '')
  } finally {
    studio.kill()
  }
}

async function measureImport(): Promise<void> {
  const studio = await startStudio()
  const address = `http://127.0.0.1:${studio.port}`
  const send = (path: string, field: string, bytes: Buffer, name: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    for (const [key, value] of Object.entries(fields)) form.append(key, value)
    form.append(field, new Blob([new Uint8Array(bytes)]), name)
    return answered(fetch(`${address}${path}`, { method: 'POST', body: form }))
  }
  try {
    const made = await send('/profiles', 'ref_audio', largeRecording(), 'voice.wav', { name: 'A voice', ref_text: 'The words.' })
    const { id } = JSON.parse(made.toString('utf8')) as { id: string }
    const bundle = await answered(fetch(`${address}/personas/export/${id}`, { method: 'POST' }))
    title(`Import of a bundle of ${(bundle.length / 1e6).toFixed(1)} MB`)
    const pid = studio.child.pid!
    const before = residentMebibytes(pid)
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, residentMebibytes(pid))
    }, 20)
    const usedBefore = processSeconds(pid)
    const { each } = await flood(ROUNDS, 1, () => send('/personas/import', 'file', bundle, 'voice.svcvoice'))
    clearInterval(watch)
    row('first', each.slice(0, 1), null, 'ms ', 'goal 1000')
    row('all', each, null, 'ms ', 'goal 1000')
    row('processor time of each', [((processSeconds(pid) - usedBefore) * 1000) / ROUNDS], null, 'ms ', '')
    row('memory, more than before', [most - before], null, 'MiB', 'goal 64')
  } finally {
    studio.kill()
  }
}

/** User and system time of all its threads. A tick of the kernel has 10 ms. */
const processSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const residentMebibytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

/** 59 seconds of 16-bit stereo at 96 kHz. */
function largeRecording(): Buffer {
  const [rate, channels] = [96_000, 2]
  const samples = Float32Array.from({ length: 59 * rate * channels }, (_, at) => 0.3 * Math.sin((2 * Math.PI * 200 * at) / rate))
  return Buffer.concat([wavHeader({ sampleRate: rate, channels, samples: 59 * rate }), toS16(samples)])
}

async function answered(request: Promise<Response>): Promise<Buffer> {
  const reply = await request
  const bytes = Buffer.from(await reply.arrayBuffer())
  if (!reply.ok) throw new Error(`${reply.url} answered with ${reply.status}: ${bytes.toString('utf8', 0, 500)}.`)
  return bytes
}

/** 16-bit mono at 44.1 kHz, so that it has to be converted. */
function recording(hz: number): Buffer {
  const rate = 44_100
  const samples = Float32Array.from({ length: SECONDS * rate }, (_, at) => 0.3 * Math.sin((2 * Math.PI * hz * at) / rate))
  return Buffer.concat([wavHeader({ sampleRate: rate, channels: 1, samples: samples.length }), toS16(samples)])
}

const cloneOf = (path: string): Parameters<ReturnType<typeof createProfiles>>[0] => ({
  name: 'A voice',
  madeBy: OWNER_ID,
  kind: 'clone',
  language: 'Auto',
  instruct: '',
  refText: 'The words of the recording.',
  personality: '',
  description: '',
  attributes: null,
  seed: null,
  origin: 'own',
  originUrl: '',
  staysHere: false,
  recording: { path, name: 'voice.wav' },
  madeWith: null,
  locked: null,
  portrait: null,
  statement: null,
})

function fillProfiles(db: Database, profiles: number): void {
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${profiles})
    insert into voice_profile (id, name, kind, language, instruct, ref_text, personality, description, ref_digest, ref_bytes, ref_name,
      original_digest, original_bytes, origin, origin_url, stays_here, quality, created_at, updated_at)
    select 'p' || i, 'Voice ' || i, 'clone', 'English', '', printf('%.120c', 'x'), '', '', printf('%064x', i), 480044, 'voice.wav',
      printf('%064x', i), 882044, 'own', '', 0, '{"seconds":10,"warnings":[]}', i, i from n`)
}
