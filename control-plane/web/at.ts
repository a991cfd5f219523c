// Addresses of the studio, which may be served under a path of another site.

/** The address of a path of the API, relative to that of the page. Other addresses (`blob:`, `data:`, `#/…`) stay as they are. */
export const at = (path: string) => (path.startsWith('/') ? `.${path}` : path)

/** The whole address of a path, for text and for sockets. */
export const wholeAddress = (path: string) => new URL(at(path), document.baseURI).href

/** The address of a file of the pages that no module imports. */
export function fileOfPages(name: string): string {
  const pages = document.querySelector('meta[name="studio-pages"]')?.getAttribute('content')
  const { base }: { base: string } = JSON.parse(pages ?? '{}')
  return new URL(`${base}/${name}`, document.baseURI).href
}
