// @ts-check
// Addresses of the studio, which may be served under a path of another site.

/**
 * The address of a path of the API, relative to that of the page. Other addresses (`blob:`, `data:`, `#/…`) stay as they are.
 * @param {string} path
 */
export const at = (path) => (path.startsWith('/') ? `.${path}` : path)

/** The whole address of a path, for text and for sockets. @param {string} path */
export const wholeAddress = (path) => new URL(at(path), document.baseURI).href
