import { statfs } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { tasksAtOnce } from '#control-plane/inference/offers.ts'
import { defineArea } from '#control-plane/kernel/define.ts'
import type { Cover } from '#control-plane/media/book/book.ts'
import { removeUnfinished } from '#control-plane/media/book/book-file.ts'
import { createBookMedia } from '#control-plane/media/book/book-media.ts'
import { createBin } from '#control-plane/store/files/bin.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import { collectGarbage } from '#shared/runtime/memory/collect-garbage.ts'
import { createChapterFiles } from './assembly/chapter-files.ts'
import { createMakeChapters } from './assembly/chapters.ts'
import { createPublishBook, removeBookFiles } from './assembly/publish-book.ts'
import { createRenderBook } from './assembly/render-book.ts'
import { bookRoutes } from './book/book.routes.ts'
import { createBookStore } from './book/book.store.ts'
import { createBookJobs } from './book/book-job.ts'
import { createBookStream } from './book/book-stream.ts'
import { createChapterSounds } from './book/chapter-sounds.service.ts'
import { createBookConversions } from './book/conversion-job.ts'
import { createBookDeletion } from './book/deletion.service.ts'
import { createPreview } from './book/preview.service.ts'
import { createSegmentStore } from './cache/segment.store.ts'
import { createSegmentCache } from './cache/segment-cache.ts'
import { createUpkeep } from './cache/upkeep.ts'
import { createWithdrawals } from './cache/withdrawals.ts'
import { type Covers, createCovers } from './cover/covers.ts'
import { importContracts } from './import/import.contract.ts'
import { createImports, type Imports } from './import/import.service.ts'
import { createReaderProcess } from './import/reader-process.ts'
import { createVoiceLevels } from './levels/voice-levels.ts'
import { longformSettings } from './longform.settings.ts'
import { planContracts } from './plan/plan.contract.ts'
import { planOf } from './plan/plan.rules.ts'
import { createReadalong } from './readalong/readalong.ts'
import { type CastVoice, createCasting } from './render/casting.service.ts'
import { createPrepare } from './render/prepare.ts'
import { createSegmentRenderer } from './render/renderer.ts'
import { createSpeakGroup } from './render/speak-group.ts'
import { storiesContracts } from './stories/stories.contract.ts'
import { createStories, type Stories } from './stories/stories.service.ts'

const storiesRoutes = (stories: Stories): Route[] => [
  handle(storiesContracts.encode, async ({ body, uploads, signal }) => {
    const { type, name, bytes, file } = await stories.encode(uploads['file']!, body, signal)
    return { type, body: file, length: bytes, file: { name, disposition: 'attachment' }, readsUploads: true }
  }),
]

const planRoutes = (): Route[] => [
  handle(planContracts.plan, ({ body: { text, default_voice, language } }) =>
    planOf(text, { defaultVoice: default_voice || null, language: language || null }),
  ),
]

const importRoutes = (imports: Imports, covers: Covers): Route[] => [
  handle(importContracts.importBook, ({ body, uploads, signal }) => imports.import(uploads['file']!, body.notes ?? null, signal)),
  handle(importContracts.readCover, ({ params }) => covers.read(params.name)),
  handle(importContracts.keepCover, async ({ uploads, signal }) => ({ path: await covers.keepUpload(uploads['cover']!, signal) })),
]

const GIGABYTE = 1e9
const MAX_CACHE_BYTES = 20 * GIGABYTE
const CACHE_SHARE = 0.2
const CHAPTER_BYTES = 5 * GIGABYTE
/** Stays free for the database. */
const RESERVE_BYTES = GIGABYTE / 4
/** Tasks that wait, so that no machine is idle between two of them. */
const LANES_MORE = 2
const MAX_LANES = 64
const KEPT_MS = 30 * 24 * 3600_000

declare module '#control-plane/kernel/define.ts' {
  interface AreaApis {
    readonly books: null
  }
}

export const booksArea = defineArea({
  name: 'books',
  needs: ['pronunciation', 'speech', 'profiles', 'watermark', 'workers'],
  open: (platform, { pronunciation, speech, profiles: voices, watermark: { markOf }, workers: { targetOf } }) => {
    const {
      library: { db },
      makers,
      dataDir,
      audioFolder,
      artifacts,
      jobs,
      media,
      mediaPrograms,
      ffmpegPath,
      offered,
      choices,
      clock,
      random,
      log,
    } = platform
    const folder = privateFolder(join(dataDir, 'longform_cache'))
    const covers = createCovers({ folder: join(dataDir, 'covers'), ffmpegPath, clock, random })
    const imports = createImports({
      read: createReaderProcess({ clock, log }),
      covers,
      uploadDisk: platform.uploadDisk,
      notesNow: () => choices.read(longformSettings.notes),
    })
    const freeBytes = async () => {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize - RESERVE_BYTES
    }
    const limit = async () => {
      const chosen = choices.read(longformSettings.cacheGigabytes)
      return chosen === null ? Math.min(MAX_CACHE_BYTES, CACHE_SHARE * (await freeBytes())) : chosen * GIGABYTE
    }
    removeUnfinished(audioFolder)
    const withdrawals = createWithdrawals()
    const store = createBookStore({ db })
    // Written before the studio was stopped: nothing names them.
    removeBookFiles(audioFolder, store.unfinished())
    store.removeOld(clock.now() - KEPT_MS)
    artifacts.addNamer(store.names)
    const cache = createSegmentCache({ folder, store: createSegmentStore({ db }), limit, clock })
    const casting = createCasting({ voices, speech, offered, target: () => targetOf('tts'), clock })
    const prepare = createPrepare({ casting, pronunciation })
    const lanes = ({ engine, targetNow }: Pick<CastVoice, 'engine' | 'targetNow'>): number => {
      let target: string
      try {
        target = targetNow()
      } catch {
        return LANES_MORE // its task fails with the reason
      }
      return Math.min(MAX_LANES, tasksAtOnce(offered(), { engine, operation: 'tts', target }) + LANES_MORE)
    }
    const renderer = createSegmentRenderer({ cache, speakGroup: createSpeakGroup({ speech, cache, withdrawals }), lanes, clock, log })
    const levels = createVoiceLevels({ cache, renderer, inference: platform.inference })
    const bookMedia = createBookMedia({
      media: media.background,
      ffmpegPath,
      ffprobePath: () => mediaPrograms.usable('ffprobe'),
      clock,
      atOnce: Math.max(1, availableParallelism() - 1),
    })
    const files = createChapterFiles({ folder: join(folder, 'chapters'), mostBytes: CHAPTER_BYTES, clock })
    const coverOf = (name: string): Cover | null => {
      const path = covers.coverAt(name)
      return path === null ? null : { path, type: path.endsWith('.png') ? 'png' : 'jpeg' }
    }
    const makeChapters = createMakeChapters({ cache, files, bookMedia, markOf, withdrawals })
    const renderBook = createRenderBook({
      prepare,
      levels,
      renderer,
      cache,
      store,
      files,
      makeChapters,
      bookMedia,
      publishBook: createPublishBook({ bookMedia, readalong: createReadalong({ cache, bookMedia }), coverOf, audioFolder, clock }),
      freeBytes,
      collectGarbage,
      clock,
    })
    const bin = createBin({ clock, random, folder: join(dataDir, 'bin', 'books'), home: audioFolder, isNamed: store.isFile })
    const books = createBookJobs({ jobs, store, makers, artifacts, renderBook, audioFolder, clock, random })
    const deletion = createBookDeletion({ store, books, bin, clock, random })
    const stream = createBookStream({ jobs, clock, log })
    const preview = createPreview({ prepare, levels, renderer, cache, media, markOf, audioFolder, freeBytes })
    const chapters = createChapterSounds({ store, files, covers })
    const programs = { ffmpeg: ffmpegPath, ffprobe: () => mediaPrograms.usable('ffprobe') }
    const conversions = createBookConversions({ jobs, store, makers, programs, audioFolder, clock, random })
    const stories = storiesRoutes(createStories({ clock, ffmpegPath }))
    const routes = [
      ...planRoutes(),
      ...importRoutes(imports, covers),
      ...bookRoutes({ books, deletion, stream, preview, chapters, conversions }),
      ...stories,
    ]
    const upkeep = createUpkeep({ cache, files, withdrawals, voices, log })
    return { routes, services: [upkeep, bin.service], api: null }
  },
})
