// @ts-check
// A part of the page itself, which runs before its files are requested: requests the modules of the page in the address beside those of the frame.
{
  /** @type {{ base: string, modules: Record<string, readonly string[]> }} modules: by page; with a / behind it, those for its objects where they are others */
  const { base, modules } = JSON.parse(document.querySelector('meta[name="studio-pages"]')?.getAttribute('content') ?? '{}')
  const [, page = '', object = ''] = (location.hash.split('?')[0] ?? '').split('/')
  for (const name of (object && modules[`${page}/`]) || (modules[page || 'home'] ?? [])) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `${base}/${name}`
    document.head.append(link)
  }
}
