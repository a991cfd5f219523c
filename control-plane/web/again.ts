// The script of the answer to a developer whose pages cannot be bundled: loads the page again, at the address that it has. Browsers make no refresh by a header
// for an address with a fragment.
setTimeout(() => location.reload(), 2000)
