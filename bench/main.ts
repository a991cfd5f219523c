// Runs the benchmarks behind every figure in the documents: `./studio bench`, or `./studio bench NAME …`.
import { cpus, totalmem } from 'node:os'
import { silenceProcess } from '#shared/runtime/child/environment.ts'

silenceProcess() // the children of benches inherit it

const BENCHES: Readonly<Record<string, () => Promise<{ run: () => Promise<void> }>>> = {
  'null-task': () => import('./null-task.ts'),
  ledger: () => import('./ledger.ts'),
  journal: () => import('./journal.ts'),
  exchange: () => import('./exchange.ts'),
  'job-queues': () => import('./job-queues/compare.ts'),
  artifact: () => import('./artifact.ts'),
  speech: () => import('./speech.ts'),
  clause: () => import('./clause.ts'),
  books: () => import('./books.ts'),
  dub: () => import('./dub.ts'),
  'dub-hours': () => import('./dub-hours.ts'),
  adapter: () => import('./adapter.ts'),
  autoregressive: () => import('./autoregressive.ts'),
  separation: () => import('./separation.ts'),
  queue: () => import('./queue.ts'),
  placement: () => import('./placement.ts'),
  library: () => import('./library.ts'),
  people: () => import('./people.ts'),
  voices: () => import('./voices.ts'),
  overview: () => import('./overview.ts'),
  gallery: () => import('./gallery.ts'),
  archetypes: () => import('./archetypes.ts'),
  loop: () => import('./loop.ts'),
  stalls: () => import('./stalls.ts'),
  start: () => import('./start.ts'),
  engines: () => import('./engines.ts'),
  recognition: () => import('./recognition.ts'),
  dictation: () => import('./dictation.ts'),
  'dictation-hour': () => import('./dictation-hour.ts'),
  'engine-life': () => import('./engine-life.ts'),
  agents: () => import('./agents.ts'),
  panel: () => import('./panel.ts'),
  web: () => import('./web.ts'),
  kill: () => import('./kill.ts'),
  'omnivoice-scoring': () => import('./omnivoice-scoring.ts'),
  gpu: () => import('./gpu/omnivoice.ts'),
  watermark: () => import('./watermark.ts'),
  'watermark-false': () => import('./watermark-false.ts'),
  'watermark-false-speeds': () => import('./watermark-false-speeds.ts'),
  uploads: () => import('./uploads.ts'),
  'film-upload': () => import('./film-upload.ts'),
  text: () => import('./text.ts'),
  'handshake-flood': () => import('./handshake-flood.ts'),
  hop: () => import('./hop.ts'),
}
/** Take half an hour or more, so they run only when they are named. */
const ONLY_NAMED = ['text', 'dub-hours', 'watermark-false', 'watermark-false-speeds']
/** `text` takes the folder of its data. */
const [, , first = '', folder, ...others] = process.argv
if (first === 'text' && folder !== undefined && others.length === 0) process.env['STUDIO_BENCH_TEXT'] = folder
const wanted = process.env['STUDIO_BENCH_TEXT'] && first === 'text' ? ['text'] : process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  process.stderr.write(`bench: Unknown benchmark ${unknown.join(', ')}. Use one of ${Object.keys(BENCHES).join(', ')}.\n`)
  process.exit(2)
}
process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}; medians of rounds, ratios with their extremes\n`,
)
const all = Object.keys(BENCHES).filter((name) => !ONLY_NAMED.includes(name))
for (const name of wanted.length > 0 ? wanted : all) await (await BENCHES[name]!()).run()
