// @ts-check
// A part of the page itself, which runs before its files are requested: requests the page in the address beside the frame.
{
  /** @type {{ base: string, pages: readonly string[] }} pages: those that exist */
  const { base, pages } = JSON.parse(document.querySelector('meta[name="studio-pages"]')?.getAttribute('content') ?? '{}')
  const name = (location.hash.split('?')[0] ?? '').split('/')[1] || 'home'
  if (pages?.includes(name)) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = `${base}/pages/${name}/page.js`
    document.head.append(link)
  }
}
