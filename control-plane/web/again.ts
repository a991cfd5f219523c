// The script of the answer to a developer whose pages cannot be bundled: loads the page again, at the address that it has. Browsers make no refresh by a header
// for an address with a fragment.
const EVERY_MS = 2000
const load = async () => {
  try {
    await fetch(location.pathname)
    location.reload()
  } catch {
    // The studio is being started again. A browser that loaded the page now would show its own page, and stay there.
    setTimeout(load, EVERY_MS)
  }
}
setTimeout(load, EVERY_MS)
