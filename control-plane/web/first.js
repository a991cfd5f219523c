// @ts-check
// A part of the page itself, which runs before its files are requested: requests the page in the address beside the frame, and what both of them
// read, so that the studio answers while the browser loads them. lib/read.js hands the answers over.
{
  /** @type {Readonly<Record<string, readonly string[]>>} */
  const READS = {
    home: ['/history', '/projects', '/dub/summaries?limit=6', '/audiobook/jobs', '/longform/jobs?limit=6', '/v1/audio/voices'],
    speak: ['/history', '/engines/tts', '/v1/audio/voices'],
    dub: ['/dub/summaries'],
    audiobook: ['/audiobook/jobs', '/longform/jobs?limit=500'],
    projects: ['/projects', '/dub/summaries', '/audiobook/jobs'],
    voices: ['/profiles'],
    files: ['/history', '/longform/jobs?limit=500', '/dub/summaries'],
  }
  /** Of one object, whose id is appended. @type {Readonly<Record<string, readonly string[]>>} */
  const OBJECT_READS = { dub: ['/jobs?limit=50&q=', '/dub/history/'] }
  /** What the events of machines and tasks change. */
  const LIVE = ['/workers', '/workers/tasks?limit=100&always=true']
  /** Of administrators, also beside an object. @type {Readonly<Record<string, readonly string[]>>} */
  const OWN_READS = { machines: [...LIVE, '/workers/local', '/workers/inbound'], 'jobs/work': [...LIVE, '/workers/activity'] }
  const meta = (/** @type {string} */ name) => document.querySelector(`meta[name="studio-${name}"]`)?.getAttribute('content')
  /** @type {{ base: string, pages: readonly string[] }} pages: those that exist */
  const { base, pages } = JSON.parse(meta('pages') ?? '{}')
  const [, name = '', object = ''] = (location.hash.split('?')[0] ?? '').split('/')
  const page = name || 'home'
  if (pages.includes(page)) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `${base}/pages/${page}/page.js`
    document.head.append(link)
  }
  const isOwner = meta('rights') === 'admin'
  const ofFrame = ['/jobs?status=active', ...(isOwner ? ['/workers/target?op=tts&limit=12'] : [])]
  const ofPage = object ? (OBJECT_READS[page] ?? []).map((path) => path + object) : (READS[page] ?? [])
  const ofOwner = (isOwner && (OWN_READS[page] ?? OWN_READS[`${page}/${object}`])) || []
  /** @type {import('./lib/read.js').FirstReads} */
  const reads = new Map()
  for (const path of [...ofPage, ...ofOwner, ...ofFrame]) {
    /** @type {import('./lib/read.js').FirstRead} */
    const read = { value: null, answered: Promise.resolve() }
    const keep = async (/** @type {Response} */ answer) => {
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
