// Voices: creating a profile beside the conversion of its recording, the list of 10,000 profiles, and resolving one of 5,000. Goals: 50 ms more
// than the conversion, p99 under 15 ms, and p99 of 1 ms.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createBlobs } from '#control-plane/areas/voices/files/blobs.ts'
import { createProfiles } from '#control-plane/areas/voices/profiles/create.service.ts'
import { createProfileStore } from '#control-plane/areas/voices/profiles/profile.store.ts'
import { createResolver } from '#control-plane/areas/voices/resolve.service.ts'
import { createIntake } from '#control-plane/media/intake.ts'
import { REFERENCE } from '#control-plane/media/recording.ts'
import { createArtifacts } from '#control-plane/store/artifact.ts'
import { type Database, openDatabase } from '#control-plane/store/database.ts'
import { createDiskBudget } from '#control-plane/store/disk-budget.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { restrictNewFiles } from '#shared/runtime/access/private-folder.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { startStudio, temporary } from './support/peers.ts'
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
    const blobs = createBlobs({ artifacts: createArtifacts(folder.path), intake, workFolder, random })
    const create = createProfiles({ store, blobs, bus: { publish: () => {} }, clock, random, created: () => {} })
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
    const { each } = await flood(LIST_CALLS, 1, async () => {
      const reply = await fetch(`http://127.0.0.1:${studio.port}/profiles`)
      await reply.arrayBuffer()
      if (reply.status !== 200) throw new Error(`/profiles answered with ${reply.status}.`)
    })
    row('p50', [median(each)], null, 'ms ', '')
    row('p99', [quantile(each, 0.99)], null, 'ms ', 'goal 15')
  } finally {
    studio.kill()
  }
}

/** 16-bit mono at 44.1 kHz, so that it has to be converted. */
function recording(hz: number): Buffer {
  const rate = 44_100
  const samples = Float32Array.from({ length: SECONDS * rate }, (_, at) => 0.3 * Math.sin((2 * Math.PI * hz * at) / rate))
  return Buffer.concat([wavHeader({ sampleRate: rate, channels: 1, samples: samples.length }), toS16(samples)])
}

const cloneOf = (path: string): Parameters<ReturnType<typeof createProfiles>>[0] => ({
  name: 'A voice',
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
