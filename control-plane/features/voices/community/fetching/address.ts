// Decides which addresses files of strangers are fetched from. Pure.
/** The URL if it is https on one of these hosts or below one, without a port, user or password; null otherwise. */
export function onHosts(text: string, hosts: readonly string[], base?: URL): URL | null {
  const url = URL.parse(text, base?.href)
  if (url === null || url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return null
  return hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`)) ? url : null
}
