// A part of the page itself, which runs before its files are requested: requests the page in the address beside the frame, and what both of them
// read, so that the studio answers while the browser loads them. lib/read.ts hands the answers over.
{
  /** `pages`: those that exist. `needs`: the files of each that run before its own. */
  type SentPages = { base: string; pages: readonly string[]; needs?: Readonly<Record<string, readonly string[]>> }
  const READS: Readonly<Record<string, readonly string[]>> = {
    home: ['/history', '/projects', '/dub/summaries?limit=6', '/audiobook/jobs', '/longform/jobs?limit=6', '/v1/audio/voices'],
    speak: ['/history', '/history/counts', '/engines/tts', '/v1/audio/voices'],
    dub: ['/dub/summaries'],
    audiobook: ['/projects', '/audiobook/jobs', '/longform/jobs?limit=500'],
    transcribe: ['/projects'],
    projects: ['/projects', '/dub/summaries', '/audiobook/jobs', '/longform/jobs?limit=500'],
    voices: ['/profiles'],
  }
  /** Reads for one object, whose id is appended. */
  const OBJECT_READS: Readonly<Record<string, readonly string[]>> = { dub: ['/jobs?limit=50&q=', '/dub/history/'] }
  /** Routes whose answers the events of machines and tasks change. */
  const LIVE = ['/workers', '/workers/tasks?limit=100&always=true']
  /** Reads of administrators, also beside an object. */
  const OWN_READS: Readonly<Record<string, readonly string[]>> = {
    machines: [...LIVE, '/workers/local', '/workers/inbound'],
    'jobs/work': [...LIVE, '/workers/activity'],
    setup: [
      ...['/engines', '/workers/target?op=tts&limit=0', '/models?target=local', '/setup/preflight?network=false'],
      ...['/media-tools/status', '/workers/local', '/setup/status'],
    ],
    models: ['/models?target=local'],
    health: ['/sysinfo', '/workers/local', '/system/notifications'],
    files: ['/history', '/history/counts', '/longform/jobs?limit=500', '/dub/summaries', '/projects'],
  }
  const meta = (name: string) => document.querySelector(`meta[name="studio-${name}"]`)?.getAttribute('content')
  const { base, pages, needs = {} }: SentPages = JSON.parse(meta('pages') ?? '{}')
  const [, name = '', object = ''] = (location.hash.split('?')[0] ?? '').split('/')
  const page = name || 'home'
  for (const file of pages.includes(page) ? [`pages/${page}/page.js`, ...(needs[page] ?? [])] : []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `${base}/${file}`
    document.head.append(link)
  }
  const isOwner = meta('rights') === 'admin'
  const ofFrame = ['/jobs?status=active', ...(isOwner ? ['/workers/target?op=tts&limit=12'] : [])]
  const ofPage = object ? (OBJECT_READS[page] ?? []).map((path) => path + object) : (READS[page] ?? [])
  const ofOwner = (isOwner && (OWN_READS[page] ?? OWN_READS[`${page}/${object}`])) || []
  const reads: import('./lib/read.ts').FirstReads = new Map()
  for (const path of [...ofPage, ...ofOwner, ...ofFrame]) {
    const read: import('./lib/read.ts').FirstRead = { value: null, answered: Promise.resolve() }
    const keep = async (answer: Response) => {
      if (answer.ok) read.value = await answer.json()
    }
    // A failure has no value: the page reads again, and says what it gets.
    read.answered = fetch(`.${path}`, { headers: { 'x-svc-csrf': '1' } })
      .then(keep)
      .catch(() => {})
    reads.set(path, read)
  }
  Reflect.set(globalThis, 'studioReads', reads)
}
