import { join } from 'node:path'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import { createStorageRoom } from '#control-plane/store/files/storage-room.ts'
import { emptyFolder } from '#shared/runtime/file.ts'
import { PERSONALITIES } from './design/personalities.ts'
import { createRenderer } from './design/render.ts'
import { createBlobs } from './files/blobs.ts'
import { createPortraits } from './files/portrait.ts'
import { hostedContracts } from './hosted/hosted.contract.ts'
import { createHosted } from './hosted/hosted.service.ts'
import { createEncodedList } from './list/encoded-list.ts'
import { createResolver } from './resolve.service.ts'
import { createBackground } from './sound/background.ts'
import { createLocks } from './sound/lock.service.ts'
import { soundContracts } from './sound/sound.contract.ts'
import { soundRoutes } from './sound/sound.routes.ts'
import { createSounds } from './sound/sound.service.ts'
import { createStatements } from './sound/statement.service.ts'
import { createTranscripts } from './sound/transcripts.ts'
import { createProfiles } from './store/create.service.ts'
import { createProfileStore, visibleProfiles } from './store/profile.store.ts'
import { profilesRoutes } from './store/profiles.routes.ts'
import { createProfileActions } from './store/profiles.service.ts'
import { createSamples } from './store/samples.ts'
import { voicesSettings } from './voices.settings.ts'
import { createWithdrawal } from './withdraw.ts'

const hostedRoutes = (hosted: ReturnType<typeof createHosted>): Route[] => [
  handle(soundContracts.hostedSync, ({ params, signal }) => hosted.sync(params.profile_id, signal)),
  handle(hostedContracts.read, () => hosted.shown()),
  handle(hostedContracts.write, ({ body }) => hosted.change(body)),
]

export const voicesArea = defineArea({
  name: 'profiles',
  needs: ['engines', 'library', 'recognition', 'watermark', 'workers'],
  open: (platform, { library: { history, projects, countBy }, recognition, watermark: { marked }, workers: { targetOf } }) => {
    const {
      library: { db },
      makers,
      artifacts,
      intake,
      inference,
      offered,
      bus,
      clock,
      random,
      dataDir,
      audioFolder,
      audit,
      choices,
      ffmpegPath,
      log,
      machines,
    } = platform
    const workFolder = emptyFolder(join(dataDir, 'voice-work'))
    const store = createProfileStore({ db })
    const visible = visibleProfiles(store, makers)
    artifacts.addNamer(store.names)
    countBy('voices', store.count)
    const room = createStorageRoom({
      folder: dataDir,
      stored: store.bytes,
      mostGigabytes: () => choices.read(voicesSettings.mostGigabytes),
      what: 'The recordings of voices',
      wayOut: `Delete voices that are not needed, or raise the setting ${voicesSettings.mostGigabytes.key}.`,
    })
    const blobs = createBlobs({ artifacts, intake, room, workFolder, random })
    const renderer = createRenderer({ inference, offered, target: () => targetOf('tts'), workFolder, random })
    const { renderDesign, designEngine } = renderer
    const samples = createSamples({ store, blobs, renderDesign, bus, clock })
    const background = createBackground({ log, resumed: () => transcripts.requestAll() })
    const transcripts = createTranscripts({ store, recognition, artifacts, background, bus, clock })
    const create = createProfiles({ store, makers, blobs, bus, clock, random, created: transcripts.request })
    const withdrawal = createWithdrawal({ store, machines, log })
    const profiles = createProfileActions({
      store: visible,
      makers,
      create,
      samples,
      list: createEncodedList({ store }),
      history,
      projects,
      bus,
      clock,
      withdrawal,
    })
    const portraits = createPortraits({ ffmpegPath, clock })
    const sounds = createSounds({
      store: visible,
      blobs,
      artifacts,
      marked,
      samples,
      portraits,
      bus,
      clock,
      replaced: transcripts.request,
      withdrawal,
    })
    const locks = createLocks({ store, blobs, history, inference, recognition, audioFolder, workFolder, bus, clock, random })
    const statements = createStatements({ store, blobs, artifacts, intake, recognition, background, audit, bus, clock, withdrawal })
    const hosted = createHosted({ settings: choices, store: visible, artifacts, bus, clock })
    withdrawal.listen(hosted.withdrawn)
    return {
      routes: [...profilesRoutes(profiles), ...soundRoutes({ sounds, locks, statements, profiles, makers }), ...hostedRoutes(hosted)],
      services: [{ name: 'voice-withdrawals', start: withdrawal.resume, async stop() {} }, background.service],
      api: {
        create,
        portraitOf: portraits.toJpeg,
        find: visible.find,
        byOrigin: visible.byOrigin,
        list: visible.list,
        personalities: () => PERSONALITIES,
        statementOf: store.statementOf,
        renderDesign,
        designEngine,
        resolve: createResolver({ store: visible, samples, offered }),
        onWithdrawn: withdrawal.listen,
        recordingsAmong: store.names,
      },
      beginStop: () => {
        renderer.stop()
        hosted.stop()
      },
    }
  },
})
