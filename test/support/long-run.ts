/** `./studio test --long` checks every case where the suite checks some of each kind. */
export const isLongRun = process.env['VOICE_STUDIO_LONG_TESTS'] !== undefined
