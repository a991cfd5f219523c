// @ts-check
export const strings = {
  appName: 'Voice Studio',
  title: 'Sign in',
  about: "You're opening this studio from another device or as another user.",
  key: 'API key',
  whereKey: 'The person who runs the studio has it.',
  show: 'Show the key',
  send: 'Sign in',
  duration: 'Signs you in for up to 8 hours.',
  notEncrypted: "This connection isn't encrypted. Sign in only in a network that you trust.",
  wrongKey: "That key doesn't match.",
  oddCharacter: "That has a character that can't be part of it, like an invisible space. Copy it again, or type it.",
  pin: 'PIN',
  wherePin: 'Six digits, shown on the machine of the studio.',
  showPin: 'Show the PIN',
  sendPin: 'Open the studio',
  wrongPin: "That PIN doesn't match.",
  tooManyPins: 'Too many wrong PINs. Wait a minute, or ask for a new PIN on the machine of the studio.',
  /** @param {string} seconds */
  tooMany: (seconds) => `Too many wrong keys. Try again in ${seconds} s.`,
  unreachable: "Couldn't reach the studio. Check that it is still running.",
  /** @param {number} status */
  failed: (status) => `The studio answered with status ${status}.`,
  signedOut: 'You were signed out. Your drafts are still in this tab.',
  noKey: "This studio has no API key, so signing in isn't possible. Set STUDIO_API_KEY on its machine and restart it.",
}
